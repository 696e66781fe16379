import { messages } from '../../shared/i18n/messages.ts';

export const secretTexts = messages('commandSecrets', {
  secret: 'store, read, copy and list secrets',
  new: 'store a secret; its value comes from standard input, or is asked for without being shown',
  newNote: `One line is stored without its line end. Several lines, and what is not text, are stored unchanged.`,
  newVersion: 'store it as the next version of a secret that exists',
  storeAnyway: 'let the service decide whether it exists, where only an imported list or the team says so',
  renewBy: 'the day by which it needs a new value, YYYY-MM-DD',
  badDate: '--renew-by takes a day, YYYY-MM-DD.',
  classification: 'the classification; without it that of the version before, or the service’s default',
  get: 'write the value of a secret to standard output',
  reveal: 'write it to a terminal too',
  copy: 'copy the value of a secret to the clipboard, and clear it after 45 seconds',
  copyNote:
    'Where the app does not run, it takes wl-copy (Wayland), xclip (X11), pbcopy or clip.exe, and waits until it has cleared it.',
  ls: 'list secrets: all, a folder, or what a search finds',
  run: 'run a program with secrets in its environment',
  runNote: `A variable is a reference, coffer://SERVICE/secret/IDENTIFIER, or text with references in it:
  DATABASE_URL=postgres://app:{reference}@db/ledger
What the program writes is searched for the values, and they are hidden.`,
  envFile: 'a file of variables, NAME=value; may be given several times',
  noMasking: 'hand on what the program writes as it is, and give it the terminal itself',
  inject: 'put the values of secrets into a template',
  injectNote: `In the template a reference stands in double braces:
  password: {reference}`,
  input: 'the template; - for standard input',
  output: 'the file to write, for you alone (0600); - for standard output',

  prompt: 'Value of {identifier} (not shown): ',
  promptNotText:
    'What was typed is not UTF-8, and would be stored as something else. Set the terminal to UTF-8, or send the value from a file.',
  promptEmpty: 'A secret needs a value.',
  noValue:
    'No value came from standard input, and a secret needs one. Send it, as in “< value.txt”, or type it on a terminal.',
  tooLong: 'The value is larger than {limit}, the most that a secret can hold.',
  withoutLineEnd: 'Stored without the line end of its one line.',
  stored: '{identifier}: stored',
  copied: '{identifier}: on the clipboard, for {seconds} s',
  willClear: 'It is cleared then, or at once on Ctrl+C.',
  cleared: 'Cleared.',
  notCleared: 'The value is still on the clipboard, and could not be cleared. Copy something else.',
  noTerminal:
    'Nothing was written: a terminal shows the value and keeps it. Send it to a program or a file, or use --reveal.',
  unread:
    '{identifier}: an imported list or the team also names {newer}. Nobody here has read it, so it isn’t taken. If it is the newest, read it once: coffer secret get {newer}',
  waiting: 'Waiting for the secrets. Coffer asks in its window where they are not allowed yet.',

  waitsForOther: 'Waiting until another command of Coffer has ended.',
  asks: '{program} asks for {count, plural, one {# secret} other {# secrets}} of {service}:',
  askedSecret: '  {name}  from {identifier}',
  allow: 'Allow this once? [y/N] ',
  given: { output: 'standard output' },

  at: { variable: '{name} ({source}, line {line})', line: '{source}, line {line}', environment: '{name}' },
  problem: {
    form: '{place}: “{text}” is not a reference. Write it as coffer://SERVICE/secret/IDENTIFIER.',
    encoding:
      '{place}: “{text}” has a percent sign without two hexadecimal digits after it. Write %25 for a percent sign.',
    unclosed: '{place}: “{text}” has no closing braces on its line.',
    notText: '{place}: the reference has bytes that are not UTF-8. Save the file as UTF-8.',
    utf16: '{place}: the file is UTF-16, in which references are not found. Save it as UTF-8.',
    bare: '{place}: a reference without braces was left as it is.',
  },
  failed: '{place}: {text}',
  notThere:
    'not found at {service}, which was asked again. Check the identifier. If it has been stored only now, wait for it with --wait SECONDS.',
  reads: '{place}: {identifier}',
  envForm: '{source}, line {line}: not a variable. Write it as NAME=value.',
  envNotText: '{source}, line {line}: is not UTF-8. Save the file as UTF-8.',
  envNull: '{source}, line {line}: has a NUL character, which no variable can hold. Remove it.',
  misread:
    '{name}: this variable is not UTF-8, and the program would get other bytes. Leave it out: env -u {name} coffer run …',
  envQuote: '{source}, line {line}: the quoted value does not end, or something follows it.',
  unreadable: '{source} cannot be read: {reason}. Give a file that is there and that you may read.',
  notText:
    '{place}: the value is not text, and no variable can hold it. Use “coffer inject” or “coffer secret get”.',
  tooShort: '{place}: the value is too short to be hidden in what the program writes.',
  notRun: 'The program was not run.',
  notStarted: '{program} cannot be started: {reason}.',
  notFound:
    '{program} cannot be started: there is no such program (ENOENT). Check its name, the PATH, and for a script its first line.',
  notAllowed:
    '{program} cannot be started: it is not a program, or you may not run it (EACCES). Check its permissions.',
  tooLongToStart:
    '{program} cannot be started: its arguments ({args}) and its environment ({environment}) are longer than the system allows (E2BIG). The longest variable is {largest}. Shorten them, or put long values into a file with “coffer inject”.',
  written: '{path}: written, {count, plural, one {# secret} other {# secrets}} in it',
  stdinTwice: 'The template comes from standard input, which is a terminal. Give a file with -i.',
});
