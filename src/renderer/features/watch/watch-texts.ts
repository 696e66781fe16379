import { messages } from '../../../shared/i18n/messages.ts';

/** Folders of this computer whose new and changed files are uploaded automatically. */
export const watchTexts = messages('watch', {
  add: 'Watch a folder…',
  addHint:
    'New and changed files are uploaded while Coffer runs. Those that come while it is closed are uploaded at its next start.',
  none: 'No folder is watched',
  noneText: 'Choose a folder of this computer. New and changed files in it are uploaded by themselves.',
  label: 'Watch {name}',
  moreOf: 'More for {name}',
  locate: 'Locate…',
  locateOf: 'Locate {name}',
  stop: 'Stop watching…',
  state: {
    starting: 'Reading the folder…',
    watching: 'Watching',
    away: 'Not connected',
    unreadable: 'Can’t be read',
    another: 'Needs your answer',
    moved: 'Needs your answer',
    off: 'Off',
  },
  settling: '{count, plural, one {# file not finished yet} other {# files not finished yet}}',
  uploads: '{count, plural, =0 {nothing uploaded yet} one {# upload, {when}} other {# uploads, last {when}}}',
  notes: {
    away: 'The folder isn’t there. Watching goes on by itself when it is back. If it was moved, locate it.',
    unreadable: 'Coffer has no permission to read the folder. It tries again by itself.',
    another:
      'Another folder is in its place now, perhaps on another disk. Switch it on again to upload from there.',
    moved: 'The service has another address now. Switch it on again to upload there.',
    failed: 'Coffer tries again by itself.',
  },
  top: 'The top of the list',
  named: 'Named as',
  skipped: '{count, plural, one {# file can’t be uploaded} other {# files can’t be uploaded}}',
  skippedMore: 'and {count, number} more',
  unreadableFolder: 'Coffer has no permission to read this folder.',
  dialog: {
    add: 'Watch a folder',
    edit: 'Watched folder',
    choose: 'Choose…',
    example: 'For example {example}',
    classificationHint:
      'For new objects. A replacement or new version keeps the classification of the stored object. If the list doesn’t know it, a replacement asks first, and a new version gets this one.',
    ifExistsHint: 'This also decides what happens to a file that changes after its upload.',
    existing:
      '{count, plural, =0 {No files are there yet.} one {Upload the file that is already there} other {Upload the # files that are already there}}',
    existingMore: 'Upload the more than {count, number} files that are already there',
    counting: 'Counting the files…',
    options: 'Options',
    ignoreHint: 'One pattern a line: *.tmp for names, build/ for folders, drafts/** for a path.',
    ignoreBad:
      'This can’t be used as a pattern: {pattern}. Begin with a name, without / or !, and write folders with /.',
    templateEmpty: 'Enter how the files are named.',
    settleHint: 'A file is uploaded once it has not changed for this long.',
    seconds: 'seconds',
    stays: 'What is removed in the folder stays at the service.',
    watch: 'Watch folder',
    added: '{name} is watched',
  },
  remove: {
    title: 'Stop watching {name}?',
    text: 'Files in the folder stay, and so do the objects that came from it. Uploads that have begun go on.',
    forgets: 'Coffer forgets which files it has uploaded.',
    button: 'Stop watching',
    done: '{name} is no longer watched',
  },
});
