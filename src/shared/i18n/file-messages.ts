import { messages } from './messages.ts';

/** Failures of `errors/files.ts`: files and folders of this computer, and objects that become files for other programs. */
export const fileMessages = messages('fileError', {
  fileNotOpened: {
    title: 'The file wasn’t opened',
    kind: 'Coffer opens documents, pictures, sound and film. Other files may run something when they are opened.',
    editKind:
      'Coffer opens documents, pictures, sound and film to be edited. Other files may run something when they are opened.',
    noApp: 'No app on this computer opened it.',
    next: 'Show it in its folder to open it from there.',
    nextObject: 'Download it, and open it from its folder.',
  },
  editNotFinished: {
    title: 'The edit isn’t finished',
    filesBeside: 'Everything is stored, but other files are beside the copy: {fileNames}.',
    nextBeside:
      'Close the program that has it open, then finish again. Delete the files that it leaves behind.',
    inUse: 'Everything is stored, but {fileNames} is in use.',
    nextInUse: 'Close the program that has it open, then finish again.',
  },
  notTakenOut: {
    title: 'Nothing was copied',
    secret: { what: 'Secrets don’t leave Coffer this way.', next: 'Use Save as… in Secrets.' },
    state: { what: 'Not all of it is at the service now.', next: 'Choose only what is stored.' },
    storing: { what: 'Not all of it is stored yet.', next: 'Try again when the upload is done.' },
    many: { what: 'Up to 100 objects can be dragged out or copied at once.', next: 'Use Download.' },
    largeToDrag: {
      title: 'Too large to drag out',
      what: 'Up to 2 MB can be fetched while you drag.',
      next: 'Right-click, choose Copy file, and paste; or use Download.',
    },
    unknownSize: { what: 'The size isn’t known yet.', next: 'Check it first.' },
    largeToCopy: { what: 'Up to 1 GB can be copied at once.', next: 'Use Download.' },
    token: {
      what: 'Nothing can be fetched without a valid token.',
      next: 'Enter the token and try again.',
    },
    paused: {
      what: 'Transfers are paused, so nothing is fetched.',
      next: 'Resume them and try again.',
    },
    unfocused: {
      what: 'On Wayland only the window in front can copy.',
      next: 'Bring Coffer to the front and copy again.',
    },
  },
  editForbidden: {
    title: 'This object can’t be edited here',
    what: 'Objects classified {classification} aren’t opened for editing on this service.',
    whatDefault: 'Objects with the default classification aren’t opened for editing on this service.',
    next: 'You can change that in Settings, under Services.',
  },
  fileChanged: {
    title: 'The file changed during the upload',
    what: '{fileName} is no longer what it was when the upload started, so it doesn’t count as stored.',
    next: 'Upload it again when no other program is writing to it.',
  },
  fileGone: { title: 'File not found', what: '{fileName} is no longer where it was.' },
  fileUnreadable: {
    title: 'Can’t read the file',
    what: 'Coffer has no permission to read {fileName}.',
    next: 'Check its permissions.',
  },
  fileSpecial: {
    title: 'Not a regular file',
    what: '{fileName} is a device, a pipe or a link and has no content of its own.',
  },
  notAFile: {
    title: 'Not a file on this computer',
    what: 'The item you dropped isn’t stored on a disk.',
    next: 'Save it as a file first.',
  },
  diskFull: {
    title: 'The disk is full',
    what: 'There isn’t enough space in {folderName}. Existing files are unchanged.',
    whatSpace:
      'The file needs {needed}, but only {free} is free in {folderName}. Existing files are unchanged.',
    next: 'Free up some space, then try again.',
  },
  folderGone: {
    title: 'Download folder not found',
    what: '{folderName} no longer exists.',
    next: 'Choose another download folder in Settings, or use Save as.',
  },
  folderReadOnly: {
    title: 'Can’t write to the folder',
    what: 'Coffer has no permission to write to {folderName}.',
    next: 'Choose another download folder in Settings, or use Save as.',
  },
  folderNotWatched: {
    title: 'This folder can’t be watched',
    gone: '{folderName} isn’t there any more.',
    notAFolder: '{folderName} is a file.',
    unreadable: 'Coffer has no permission to read {folderName}.',
    holdsCoffer: 'Coffer keeps its own files there, which change all the time.',
    downloads: 'Coffer saves the downloads of this service there, and would upload each of them again.',
    same: '{folderName} is watched already.',
    inside: 'It is inside {beside}, which is watched already.',
    around: 'It contains {beside}, which is watched already.',
    next: 'Choose another folder.',
    nextBeside: 'Choose another folder, or stop watching that one first.',
  },
  partGone: {
    title: 'The unfinished download is gone',
    what: 'The part of {fileName} that had arrived was moved, replaced or deleted.',
    next: 'Download it again.',
  },
  badImportFile: {
    title: 'Can’t import this list',
    what: '{fileName}: {problem}',
    unreadable: 'The file can’t be read.',
    empty: 'The file is empty.',
    notText: 'Line {line, number} isn’t text in {encoding}.',
    notTextNext: 'Save the file as UTF-8, then import it again. Nothing was imported.',
    notCsv: 'The file isn’t CSV.',
    noIdentifiers:
      'The first line doesn’t name a column “identifier”. Columns are separated by commas, semicolons or tabs.',
    notAList: 'The first line isn’t that of a Coffer list.',
    newer: 'The file was written by a newer version of Coffer. Update Coffer, then import it again.',
  },
});
