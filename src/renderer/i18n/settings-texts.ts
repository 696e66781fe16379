import { messages } from '../../shared/i18n/messages.ts';
import type { ImportProblem, ImportReport } from '../../shared/contract.ts';

export const settingsTexts = messages('settings', {
  title: 'Settings',
  search: 'Search settings',
  nothing: 'No matching settings',
  nothingText: 'Try another word, or clear the search.',
  language: 'Language',
  languageSystem: 'System ({name})',
  appearance: 'Appearance',
  theme: 'Theme',
  themes: { system: 'System', light: 'Light', dark: 'Dark' },
  rows: 'Rows',
  densities: { regular: 'Regular', compact: 'Compact' },
  transfers: 'Transfers',
  transfersAtOnceHint: 'Leave empty for automatic: as many as the service answers quickly.',
  automatic: 'Automatic',
  bounds: '{least, number} to {most, number}',
  wholeProblem: 'Enter a whole number from {least, number} to {most, number}.',
  transfersAtOnceProblem:
    'Enter a whole number from {least, number} to {most, number}, or leave empty for automatic.',
  requestsHint: 'For each service. Coffer slows down when the service asks.',
  requestsProblem:
    'Enter a whole number from {least, number} to {most, number}, or leave empty for no limit.',
  noLimit: 'No limit',
  unitOf: 'Unit of {name}',
  rateProblems: {
    notANumber: 'Enter a number, or leave empty for no limit.',
    tooSmall: 'Enter at least 2 KB/s, or leave empty for no limit.',
    tooLarge: 'Enter at most 10,000 MB/s, or leave empty for no limit.',
  },
  byHour: 'Limit by the hour',
  byHourHint: 'Limits apply in limited hours. Nothing moves in paused hours.',
  brush: 'Paint hours as',
  hours: 'Hours',
  hour: { full: 'Unlimited', limited: 'Limited', paused: 'Paused' },
  hourIs: { full: '{hour} is unlimited', limited: '{hour} is limited', paused: '{hour} is paused' },
  hourOfDay: '{day} {from} to {to}',
  hourCell: '{hour}, {state}',
  day: 'Day',
  paint: 'paint',
  paintAlong: 'paint along',
  keepFolders: 'Keep folders',
  keepFoldersHint: 'Downloads keep the folders below the one you are in.',
  uploads: 'Uploads',
  requestHint: 'New uploads start with this choice. You can change it for each upload.',
  ifExistsHint: 'Ask is the safest: nothing is replaced without your answer.',
  skipIdentical: 'Skip identical files',
  skipIdenticalHint: 'Files already stored unchanged are skipped.',
  versionReachHint:
    'How many numbers Coffer also checks after the first free one, to find versions from other computers. 0: none.',
  notify: 'Notify when done',
  notifyHint: 'When the window isn’t in front.',
  keepRunning: 'Keep running in the background',
  keepRunningHint: 'Transfers and open edits continue while the window is closed.',
  keepRunningHintQuits: 'Transfers and open edits continue while the window is closed. Then Coffer quits.',
  background: 'Background',
  trayIcon: 'Show Coffer in the notification area',
  trayIconMac: 'Show Coffer in the menu bar',
  trayIconHint: 'With progress and Pause all.',
  trayIconHintKept: 'With progress and Pause all. Closing the window leaves Coffer running.',
  advanced: 'Advanced',
  keepAwake: 'Keep the computer awake',
  keepAwakeHint: 'While transfers or other work go on. The screen may still turn off.',
  keepAwakeWords: 'sleep suspend standby hibernate power energy battery nap',
  security: 'Security',
  keychain: 'System keychain',
  keychainUsable: '{count, plural, one {Unlocked, holds # token} other {Unlocked, holds # tokens}}',
  keychainNot: 'Not available',
  keychainNotHint: 'Tokens are kept until you quit Coffer and never written to disk.',
  services: 'Services',
  serviceWords: 'preview thumbnail picture quick look classification edit save open version replace',
  proxy: 'Proxy {name}',
  proxyUser: {
    keychain: 'Signed in as {user}',
    session: 'Signed in as {user} until you quit Coffer',
  },
  forget: 'Forget',
  forgetName: 'Forget the name and password for {name}',
  addService: 'Add a service…',
  edit: 'Edit…',
  remove: 'Remove…',
  removeName: 'Remove {name}',
  undoCopies: {
    title: 'Replaced versions',
    daysHint: 'What you replace is kept on this computer, encrypted, so that you can undo it.',
    daysUnit: 'days',
    maxHint: 'Beyond this the oldest versions are removed first.',
    maxUnit: 'GB',
    now: 'Kept now',
    nothing: 'Nothing is kept.',
    nowHint: '{count, plural, one {# version} other {# versions}}, {size}',
    clear: 'Clear…',
    clearTitle: '{count, plural, one {Remove # replaced version?} other {Remove # replaced versions?}}',
    clearText:
      'Frees {size} on this computer. They can’t be restored afterwards, and their parts are deleted from the service.',
    unknown: 'Unknown files',
    unknownHint:
      '{count, plural, one {# file} other {# files}}, {size}, since {when}. Never removed automatically.',
    saveUnknown: 'Save copies…',
    saved: '{count, plural, one {# file saved in {folder}.} other {# files saved in {folder}.}}',
    unreadable:
      '{count, plural, one {# file can’t be read: it is damaged, or encrypted with another key.} other {# files can’t be read: they are damaged, or encrypted with another key.}}',
    removeUnknownTitle: '{count, plural, one {Remove # unknown file?} other {Remove # unknown files?}}',
    removeUnknownText:
      'Coffer no longer knows these files. They may exist nowhere else, and can’t be restored.',
    sealedText:
      '{count, plural, one {# file is encrypted: a version of an object that was replaced. If you aren’t sure, save a copy first.} other {# files are encrypted: versions of objects that were replaced. If you aren’t sure, save copies first.}}',
    plainText:
      '{count, plural, one {# file is a private copy of an object that was edited, opened or sent. It may hold changes that are stored nowhere else.} other {# files are private copies of objects that were edited, opened or sent. They may hold changes that are stored nowhere else.}}',
    removeUnknownButton: '{count, plural, one {Remove # file} other {Remove # files}}',
  },
  leftParts: {
    title: 'Leftover parts',
    titleOf: 'Leftover parts on {service}',
    count: '{count, plural, one {# part} other {# parts}}',
    upload: 'upload {upload}',
    why: {
      refused: 'the service refused to delete them',
      stillThere: 'deleted, and still there ten minutes later',
      unknown: 'a file, or a replaced version on another computer, may still need them',
    },
    removeOf: 'Delete leftover parts of {name}',
    removeTitle: '{count, plural, one {Delete # leftover part?} other {Delete # leftover parts?}}',
    removeText:
      'They belong to one upload of {identifier}. Coffer first checks whether that file needs them, and keeps them if it does.',
    removeUnknown:
      'If the file was replaced on another computer, its old version there may need them, and can’t be restored without them.',
    removeButton: 'Delete parts',
  },
  catalogue: 'List of objects',
  export: 'Export the list',
  exportHint: 'Everything Coffer knows about your objects. No tokens, no content.',
  import: 'Import a list',
  importHint: 'JSON Lines or CSV. Existing entries are kept.',
  importButton: 'Import…',
  importing: 'Importing {fileName}: {percent}, {lines, plural, one {# line} other {# lines}}',
  stopImport: 'Cancel the import',
  formats: { jsonl: 'JSON Lines', csv: 'CSV' },
  addKnownHint: 'Objects you know of that aren’t in the list. Each is checked.',
  addKnownButton: 'Add…',
  exported: '{count, plural, one {# object written to {fileName}.} other {# objects written to {fileName}.}}',
  report: {
    cancelled: 'Stopped. What was read until then is in the list.',
    title: 'Imported {fileName}',
    added: '{count, plural, one {# object added} other {# objects added}}',
    merged: '{count, plural, one {# object completed} other {# objects completed}}',
    unchanged: '{count, plural, one {# object unchanged} other {# objects unchanged}}',
    skipped: '{count, plural, one {# line skipped} other {# lines skipped}}',
    semicolons: 'Columns separated by semicolons',
    tabs: 'Columns separated by tabs',
    nothing: 'Nothing to import',
    line: 'Line {line, number}',
    more: '{count, plural, one {and # more line} other {and # more lines}}',
    done: 'Done',
  },
  problem: {
    tooLong: 'The line is too long.',
    otherColumns: 'The line has a different number of columns.',
    newer: 'The line was written by a newer version of Coffer.',
    notJson: 'The line isn’t JSON.',
    openQuote: 'A quotation mark opens here and isn’t closed where its cell ends.',
    openQuoteLines:
      'A quotation mark opens here and isn’t closed where its cell ends. Lines {from, number} to {to, number} were left out.',
    field: 'The value of “{field}” isn’t valid.',
    history:
      '{count, plural, one {# entry of its history isn’t valid and was left out.} other {# entries of its history aren’t valid and were left out.}}',
  },
  about: 'About',
  version: 'Coffer {version}',
  updates: 'Tell me about new versions',
  updatesHint: 'Asks {host} once a week and sends nothing else. Nothing is installed automatically.',
  updatesAsked: 'Last asked {when}.',
  newer: 'Coffer {version} is available',
  releasePage: 'Show in browser',
  licences: 'Licences',
  log: 'Show the log',
});

/** The results of an import; zero counts are left out. */
export function importFacts({
  added,
  merged,
  unchanged,
  skipped,
  isCancelled,
  separator,
}: ImportReport): readonly string[] {
  const texts = settingsTexts.report;
  const facts = [
    isCancelled === true && texts.cancelled,
    added > 0 && texts.added({ count: added }),
    merged > 0 && texts.merged({ count: merged }),
    unchanged > 0 && texts.unchanged({ count: unchanged }),
    skipped > 0 && texts.skipped({ count: skipped }),
    separator === ';' && texts.semicolons,
    separator === '\t' && texts.tabs,
  ].filter((fact) => fact !== false);
  return facts.length > 0 ? facts : [texts.nothing];
}

/** Why a line of an imported list, or with a field only that field, was skipped. */
export function importProblemText(problem: ImportProblem): string {
  const texts = settingsTexts.problem;
  switch (problem.code) {
    case 'openQuote':
      return problem.lastLine === null
        ? texts.openQuote
        : texts.openQuoteLines({ from: problem.firstLine, to: problem.lastLine });
    case 'field':
      return texts.field({ field: problem.field });
    case 'history':
      return texts.history({ count: problem.entries });
    case 'tooLong':
    case 'otherColumns':
    case 'newer':
    case 'notJson':
      return texts[problem.code];
  }
}
