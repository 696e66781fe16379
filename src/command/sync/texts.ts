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
deleted without --delete, which names what has no file any more, and asks. A folder that is missing or empty may be that of a disk that is not
connected: its objects stay.`,
  ifExists: 'what to do with a changed file',
  delete: 'delete objects that have no file any more and were stored from here',
  allVersions: 'with --delete: objects that have other versions, too, with all of them',
  maxDelete: 'how many objects --delete may delete without asking; without a terminal it deletes none then',
  notMaxDelete: 'It is neither a number nor a percentage such as 10%.',
  settleDeleted: 'how long a file must be missing before its object is deleted (5)',
  yes: 'do not ask before deleting',
  watch: 'keep storing new and changed files of a folder, as sync does',
  watchNote: `It synchronises, reads the folder again and again, and stores a file that has changed once it has not changed for a while. Ctrl+C
ends it.`,
  settle: 'how long a file must not have changed, or must be missing (5)',
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
  notRead: {
    empty:
      'Nothing was deleted: the folder has no file to store. Check that its disk is connected; “coffer rm” deletes a folder of identifiers.',
    unread: 'Nothing was deleted: the folder could not be read to its end. Run it again once it can be.',
    otherDisk:
      'Nothing was deleted: the folder is on another disk than when it was first read. Start again if that is meant.',
  },
  stays: {
    empty:
      '{path} is missing, or has no file to store any more: its {count, plural, one {object stays} other {# objects stay}}. If that is meant, “coffer rm {folder}” deletes {count, plural, one {it} other {them}}.',
    unread:
      '{path} could not be read to its end: {count, plural, one {an object without a file stays} other {# objects without files stay}}.',
    otherDisk:
      '{path} is on another disk than when it was first read: {count, plural, one {an object without a file stays} other {# objects without files stay}}. Start again if that is meant.',
  },
  moreFolders:
    '{count, plural, one {The objects of # more folder stay} other {The objects of # more folders stay}}.',
  versionsStay:
    '{count, plural, one {# object has no file and stays, because it has} other {# objects have no file and stay, because they have}} other versions. --all-versions deletes them, too.',
  notOwnStay:
    '{count, plural, one {# object has no file and stays, because it was} other {# objects have no file and stay, because they were}} not stored from here. “coffer check {folder} --against {directory}” names all without a file, and “coffer rm” deletes.',
  waitsToSettle:
    'Reading the folder again in {seconds, plural, one {# second} other {# seconds}}: files that are back by then keep their objects.',
  tooMany:
    'Without a file any more: {count} of the {total} objects below the folder, which is more than --max-delete allows ({max}).',
  refusedTooMany:
    'Nothing was deleted: {count} of the {total} objects below the folder have no file any more, which is more than --max-delete allows ({max}). “coffer sync --delete --dry-run” lists them; if they are to go, add --max-delete {count}.',
  changedMeanwhile:
    '{count, plural, one {# object was not deleted: it or its file has} other {# objects were not deleted: they or their files have}} changed meanwhile.',
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
