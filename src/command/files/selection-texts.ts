import { messages } from '../../shared/i18n/messages.ts';

/** Texts of commands that select many objects or files: patterns, sync and watch. */
export const selectionTexts = messages('commandSelection', {
  include: 'only what matches; may be given several times',
  exclude: 'nothing that matches; may be given several times',
  dryRun: 'say what would be done, and do nothing',
  filesFrom: 'read further names from a file, or - for standard input; one a line',
  null: 'names in that list end with NUL characters, as find -print0 writes them',
  allVersions: 'older versions as well',
  limitRate: 'send and receive at most so many bytes a second: 500k, 10M (1024-based)',
  transfers: 'how many files to transfer at once, 1 to 64',
  notARate: 'It is not a number of bytes a second of 1k or more, such as 500k or 10M.',
  notTransfers: 'It is not a number from 1 to {max}.',
  limitsOf: {
    app: 'The app does the work, with the limits of its settings, and a command does not change those. Nothing was done: leave out --limit-rate and --transfers, or quit the app.',
    otherCommand:
      'Another command does the work, with its own limits. Nothing was done: leave out --limit-rate and --transfers, or try again when it has ended.',
  },
  to: 'save in this folder, which exists',
  patternNote: `A folder ends with “/”, and means everything below it. A pattern is matched against the list: “*” and “?” within a folder,
“**” across folders, [a-z] one of these characters, and braces around alternatives. Quote it, so that the shell leaves it alone.`,
  putPatternNote: `A pattern such as 'photos/**/*.jpg' is matched against files when the shell has not done so.`,
  badPattern: '“{pattern}” is not a pattern: it has a range that ends before it begins.',
  matchesNothing:
    '{pattern}: nothing in the list of {service} matches. “coffer ls” shows the list; “coffer known” adds what is stored already.',
  noList:
    'With COFFER_ADDRESS there is no list, so folders and patterns find nothing. Name each object, or use a service of “coffer services”.',
  isFolder: '{path} is a folder. “{folder}” means everything below it.',
  madeStay:
    '{count, plural, one {# object stays whose name Coffer made: a copy or a part of another one} other {# objects stay whose names Coffer made: copies and parts of others}} (~o-, ~r-, ~p-). Each is deleted when it is named itself.',
  tooMany: '{count, number} objects match, and one command takes {max, number}. Use a narrower pattern.',
  nothingNamed: 'Nothing was named, so there is nothing to do.',
  nothingLeft: 'No files match: there are none, or --include and --exclude leave them all out.',
  noNames: 'Name what to work on, or give a list of names with --files-from.',
  nullAlone: '--null is for a list of names: give one with --files-from.',
  standardInput: 'standard input',
  lineInList: '{source}, line {line}',
  nameInList: '{source}, name {number}',
  likeUtf16: '{source} looks like UTF-16. Save it as UTF-8, or with a byte order mark. Nothing was done.',
  listNotText: '{source}, line {line}: is not {encoding}. Save the list as UTF-8. Nothing was done.',
  noNulls: '{source} has no NUL characters, only lines. Leave out --null. Nothing was done.',
  nullInLine:
    '{place}: has a NUL character. Add --null if each name ends with one, as find -print0 writes them. Nothing was done.',
  emptyName: '{place}: is empty. If a variable was to fill it in, check that it is set. Nothing was done.',
  namesEverything:
    '{place}: “{name}” means everything there. If you mean that, name it on the command line, not in a list. Nothing was done.',
  outputOrTo: '--output and --to cannot be used together.',
  noFileMatches: '{pattern}: no file matches.',
  noSuchFolder: '{folder} is not a folder. Check the path, and that its disk is connected.',
  streamNeedsAs: '{path} is a stream, which has no name: give the identifier with --as.',
  wouldPut: '{identifier}: would be uploaded from {path}',
  wouldGet: '{identifier}: would be saved as {path}',
  wouldRemove: '{identifier}: would be deleted',
});
