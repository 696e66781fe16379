import { messages } from '../../shared/i18n/messages.ts';

export const syncTexts = messages('commandSync', {
  against:
    'compare the digests of the files in a directory with the list of one folder, without asking the service',
  oneAgainst:
    '--against takes one folder of identifiers, such as photos/ (or / for the top), and no pattern.',
  againstNeedsList: 'With COFFER_ADDRESS there is no list to compare with.',
  result: {
    absent: 'not stored  {identifier}',
    differs: 'differs     {identifier}',
    unknown: 'not known   {identifier}',
    noFile: 'no file     {identifier}',
  },
  compared: '{same} the same, {different} different, {absent} not stored, {noFile} without a file',
  sync: 'store new and changed files of a folder below a folder of identifiers',
  directory: 'the folder on this computer',
  folder: 'the folder of identifiers; / for the top',
  syncNote: `Files are compared with the list by their digest. A changed file is stored as a new version, or replaces the stored one. Nothing is
deleted without --delete, which names what has no file any more, and asks.`,
  ifExists: 'what to do with a changed file',
  delete: 'delete objects that have no file any more, with all their versions',
  yes: 'do not ask before deleting',
  watch: 'keep storing new and changed files of a folder, as sync does',
  watchNote: `It synchronises, reads the folder again and again, and stores a file that has changed once it has not changed for a while. Ctrl+C
ends it.`,
  settle: 'how long a file must not have changed (5)',
  every: 'how long until everything is compared again (600)',
  watchList: 'list the folders that the window watches, and end',
  listsAll: '--list takes no folder: it lists all that the window watches.',
  watchNeedsBoth:
    'Say which folder of this computer to watch, and the folder of identifiers. --list shows those of the window.',
  noWindow: 'With COFFER_ADDRESS nothing is known of the window’s folders.',
  noneWatched: 'The window watches no folder.',
  onlyInApp: 'Coffer isn’t running, so nothing is uploaded from them now.',
  watchedInto: 'into {folder}',
  watchState: {
    starting: 'not read yet',
    watching: 'watching',
    away: 'not connected',
    unreadable: 'not readable',
    another: 'another folder',
    moved: 'other address',
    off: 'off',
  },
  watchNeedsYes: 'Nobody can be asked again and again: add --yes to --delete.',
  watching: 'Waiting for changes in {folder}.',
  needsList:
    'With COFFER_ADDRESS there is no list, so nothing is known that could be deleted. Leave out --delete.',
  needsYes: 'Nothing was done. --delete asks first: without a terminal to ask on, add --yes.',
  notRead:
    'Nothing was deleted: the folder is empty, or could not be read to its end. Check that its disk is connected; “coffer rm” deletes a folder.',
  unseenStay:
    '{count, plural, one {# object has no file and stays: it is} other {# objects have no file and stay: they are}} from an imported list or the team, and not checked here. “coffer check” checks.',
  notAllStored: 'Nothing was deleted, because not everything was stored.',
  deletes: '{identifier}: has no file any more',
  wouldDelete: '{identifier}: would be deleted, it has no file any more',
  versionName:
    '{fileName}: its name is that of a version of {base}, which is in the folder as well. Rename it, or use --if-exists replace.',
  summary: '{stored} stored, {unchanged} unchanged, {deleted} deleted',
  summaryRequested: '{summary}, {requested} requested to be deleted and still there',
  summaryFailed: '{summary}, {failed} not stored',
  wouldStore: '{changed} to store, {unchanged} unchanged',
});
