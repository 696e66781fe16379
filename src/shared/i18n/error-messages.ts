import { messages } from './messages.ts';

/** What happened; the situation and its cause; what to do next, if anything. */
export type ErrorText = { title: string; what: string; next?: string };

/** Failures here or at the service, by error code. `title`: what happened; `what`: why; `next`: what to do. */
export const errorMessages = messages('error', {
  line: '{title}. {text}',
  again: 'Coffer will try again.',
  againIn: 'Coffer will try again in {duration}.',
  invalidInput: {
    title: 'That isn’t valid',
    other: 'Something that was entered can’t be used. Check it, then try again.',
    uploading: 'This upload has already started. Wait until it finishes, or cancel it.',
    tokenCharacters: 'The token contains spaces or other invalid characters. Copy it again.',
    notAFolder: 'The download location isn’t a folder.',
    emptySecret: 'A secret needs a value.',
    loneSurrogate: 'The value contains an invalid character. Type or paste it again.',
    oneObjectOnly: 'Only one object at a time can be saved under another name.',
    tooManyFavourites: 'There are 50 favourites already. Remove one first.',
  },
  refused: {
    title: 'Coffer blocked this action',
    what: 'The window asked for something it isn’t allowed to have.',
    next: 'Restart Coffer. If it happens again, see the log in Settings.',
  },
  notFound: {
    object: 'This object is no longer in the list',
    service: 'This service has been removed',
    uploadPlan: 'This upload has been closed',
    transfer: 'This transfer is no longer in the list',
    job: 'This request is no longer in the list',
    task: 'This task has ended',
    grant: 'Choose this file again',
    activeService: 'No service selected',
    selection: 'This selection is out of date',
    savedFile: 'The downloaded file is gone',
    kept: 'This version isn’t kept any more',
    edit: 'This edit is over',
    removed: 'It may have just been removed.',
    movedFile: 'It was moved, renamed or deleted.',
    askAgain: 'Select the objects again.',
  },
  fileNotOpened: {
    title: 'The file wasn’t opened',
    program: 'Coffer doesn’t start programs.',
    unknownKind: 'Coffer doesn’t edit files of this kind in place.',
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
    title: 'Nothing was taken out',
    secret: { what: 'Secrets don’t leave Coffer this way.', next: 'Use Save as… in Secrets.' },
    state: { what: 'Not all of it is at the service now.', next: 'Choose only what is stored.' },
    many: { what: 'Up to 100 objects can be dragged out or copied at once.', next: 'Use Download.' },
    large: { what: 'During a drag, up to 2 MB are fetched from the service.', next: 'Use Download.' },
    unknownSize: { what: 'The size isn’t known yet.', next: 'Check it first.' },
    largeToCopy: { what: 'Up to 1 GB can be copied at once.', next: 'Use Download.' },
    unfocused: {
      what: 'On Wayland only the window in front can copy.',
      next: 'Bring Coffer to the front and copy again.',
    },
    system: { what: 'Coffer can’t copy files on this system.', next: 'Use Save as…' },
  },
  editForbidden: {
    title: 'This object can’t be edited here',
    what: 'Objects classified {classification} aren’t opened for editing on this service.',
    whatDefault:
      'Objects with the service’s default classification aren’t opened for editing on this service.',
    next: 'You can change that in Settings, under Services.',
  },
  notReady: {
    title: 'The list of objects isn’t open',
    what: 'Its file is damaged and was set aside.',
    next: 'Choose a copy to continue with, or start with an empty list.',
  },
  catalogueTooNew: {
    title: 'The list of objects is from a newer version of Coffer',
    what: 'This version can’t read it and leaves it unchanged.',
    next: 'Close this window and start the newer version.',
  },
  dataFolderInUse: {
    title: 'Coffer is already open',
    what: 'Another Coffer is using this data folder.',
    next: 'Quit the other one, or start Coffer with a different data folder.',
  },
  catalogueRestarted: {
    title: 'The list of objects was interrupted',
    what: 'It is being reopened. Your last action may not have been completed.',
    next: 'Check the list and try again.',
  },
  catalogueStopped: {
    title: 'The list of objects has stopped',
    what: 'It was reopened several times and stopped each time.',
    next: 'Restart Coffer. If it happens again, see the log in Settings.',
  },
  badIdentifier: {
    title: 'Invalid identifier',
    empty: 'It is empty.',
    dotSegment: '“.” and “..” would be read as folders.',
    loneSurrogate: 'It contains an invalid character.',
  },
  badAddress: {
    title: 'Invalid address',
    notUrl: { what: 'This isn’t a web address.', next: 'Use the form {example}' },
    scheme: 'It must start with https://',
    insecure: {
      what: 'Without https, others on the network could read the token and all data.',
      next: 'Use https, or allow it for this service under Optional.',
    },
    credentials: {
      what: 'It contains a user name or a password.',
      next: 'Remove them. The token has its own field.',
    },
    query: { what: 'It contains a question mark.', next: 'Remove it and everything after it.' },
    fragment: { what: 'It contains a # sign.', next: 'Remove it and everything after it.' },
  },
  badAuthorityFile: {
    title: 'Not a CA certificate file',
    what: '{fileName} contains no certificate that Coffer can read.',
    next: 'Choose a file in PEM format. It starts with “BEGIN CERTIFICATE”.',
  },
  nameTaken: { title: 'This name is already in use', what: 'Another service is called {name}.' },
  serviceBusy: {
    title: 'Some transfers aren’t finished',
    what: '{count, plural, one {# transfer of this service isn’t finished, so its address can’t change yet.} other {# transfers of this service aren’t finished, so its address can’t change yet.}}',
    next: 'Let them finish, or cancel them.',
  },
  stillThere: {
    title: 'Not deleted yet',
    what: 'The service accepted the deletion, but the object is still there after ten minutes.',
    next: 'Check it later, or delete it again.',
  },
  noRoomToKeep: {
    title: 'Not enough room to keep both versions',
    what: 'Before anything is replaced, Coffer keeps the old and the new version on this computer. That needs {needed}, and {free} are free.',
    next: 'Free up space, or keep the old version on the service instead. Nothing has been changed.',
  },
  keptUnreadable: {
    title: 'The kept version can’t be read',
    gone: 'Its file on this computer is gone.',
    damaged: 'Its file on this computer is damaged.',
    key: 'The keychain has a different key than the one it was encrypted with.',
    next: 'Coffer has left everything else as it is.',
  },
  lateDeletion: {
    title: 'The service keeps removing the new version',
    what: 'The old version is deleted, but what was stored in its place was removed again several times.',
    next: 'Both versions are kept. Try again later.',
  },
  replaceLeft: {
    title: 'Replacing was interrupted',
    what: 'The service’s address changed before it was finished.',
    next: 'Both versions are kept on this computer.',
    nextCopy: 'A copy of the object is at the former address, as {copy}.',
  },
  objectChanged: {
    title: 'The object has changed',
    what: 'What is stored there isn’t what the list says, or no longer exists. Coffer left it as it is.',
    whatCopy:
      'Somebody changed it while its classification was being changed. Coffer left it as it is, and stored the former data as {copy}.',
    next: 'Try again to give this classification to what is stored now.',
  },
  moveChanged: {
    title: 'The object has changed',
    what: 'What is stored as {identifier} isn’t what the list says, or no longer exists. Coffer left it as it is.',
    next: 'Check it, then rename or move it again.',
  },
  deletionUnknown: {
    title: 'Deletion not confirmed',
    what: 'The service’s answer was lost, and the object is still there. Coffer never sends a deletion twice on its own.',
    next: 'Check it, and delete it again if needed.',
  },
  badRequest: {
    title: 'The service rejected the request',
    what: 'It gave no reason. Usually the identifier or the classification isn’t allowed.',
    next: 'Change the identifier or the classification and try again.',
  },
  tokenRefused: {
    title: 'Access token refused',
    what: 'The service doesn’t accept this token.',
    next: 'Enter a new token. Everything that is waiting then continues.',
  },
  tokenMissing: {
    title: 'No access token',
    what: 'There is no token for this service on this computer.',
    next: 'Enter the token.',
  },
  forbidden: {
    title: 'Not allowed',
    what: 'The service accepts the token, but not for this object.',
    next: 'Ask the people who run the service for permission.',
  },
  missing: {
    title: 'Not found',
    what: 'The service has no object with this identifier.',
    next: 'It may have been deleted elsewhere. Check it, or remove it from the list.',
  },
  exists: {
    title: 'This identifier already exists',
    what: 'The service keeps the object it has. Nothing was replaced.',
    next: 'Choose another identifier, or skip this file.',
  },
  tooLarge: {
    title: 'Too large for the service',
    refused: 'The service refused it because of its size.',
    refusedNext:
      'Make it smaller, or enter the largest object in the service’s settings: larger files then go in parts.',
    limit: 'The service accepts up to {size}.',
  },
  tooManyRequests: { title: 'Too many requests', what: 'The service asked Coffer to slow down.' },
  serverError: {
    title: 'The service had an error',
    what: 'It answered {status}. Nothing is wrong on this computer.',
  },
  unexpectedAnswer: {
    title: 'This doesn’t look like the service',
    what: 'The answer ({status}) isn’t what was expected: {problem}.',
    next: 'Check the base address. A proxy or a sign-in page may have answered.',
  },
  unknownEncoding: {
    title: 'The answer is compressed in an unknown way',
    what: 'It came with the content encoding “{encoding}”, which Coffer doesn’t know. Coffer had asked for none.',
    next: 'Turn off compression at the service or at the proxy before it, then try again.',
  },
  storedLengthDiffers: {
    title: 'Not stored completely',
    unknown: '{sent} were sent, but the service doesn’t say how many it has.',
    known: 'Only {stored} of {sent} are stored.',
    next: 'Your file is unchanged. Upload it again with another identifier, or delete the object first.',
  },
  downloadLengthDiffers: {
    title: 'Not received completely',
    what: '{received} arrived of {expected} announced. Nothing was saved.',
    next: 'Download it again.',
  },
  downloadTooLong: {
    title: 'Longer than an object can be',
    what: 'The service did not announce a length, and more than {limit} arrived. Nothing was saved.',
    next: 'Check the address. If the service stores larger objects, set its limit in the service’s settings, then try again.',
  },
  digestDiffers: {
    title: 'Not the data that was stored',
    what: 'Its digest differs from the one recorded at the upload. Nothing was saved.',
    next: 'Download it again. If the result is the same, the object was changed at the service.',
  },
  claimedDigestDiffers: {
    title: 'Not what the imported list says',
    what: 'Its digest differs from the one in the list that you imported, which nobody here has compared. Nothing was saved.',
    next: 'Ask whoever gave you the list. If you want what the service has, try again: Coffer then takes it as it is.',
  },
  partDiffers: {
    title: 'A part was not stored as it was sent',
    what: 'At {identifier} the service has {stored}, where a part of this file has {expected}.',
    gone: 'The service answered success for {identifier} ({expected}), but doesn’t have it.',
    next: 'Upload it again. Coffer then sends all parts under new names.',
  },
  partsMissing: {
    title: 'Parts of the file are missing',
    what: '{count, plural, one {# of {total, number} parts can’t be fetched} other {# of {total, number} parts can’t be fetched}}, {missing} of {size}: bytes {ranges}.',
    range: '{first}–{last}',
    more: 'and more',
    next: 'Try again, or save the intact parts under another name.',
  },
  storedIncomplete: {
    title: 'Stored incompletely',
    what: 'While the file was being stored, {count, plural, one {# of {total, number} parts} other {# of {total, number} parts}} ({missing} of {size}) disappeared from the service.',
    next: 'Upload it again. Coffer sends only what is missing.',
  },
  partsTooNew: {
    title: 'Stored by a newer version of Coffer',
    what: 'The file is stored in parts, and this version of Coffer doesn’t know the format of their list (version {version}).',
    next: 'Update Coffer, or download the list of parts as it is.',
  },
  partsWrong: {
    title: 'Not a list that Coffer can read',
    what: 'It begins like a list of a file’s parts, but doesn’t add up or names parts of another object.',
    next: 'Download the file as it is.',
  },
  partsForbidden: {
    title: 'The file looks like a list of parts',
    what: 'The file begins like one of Coffer’s lists of parts. Stored as it is, it would be taken for one.',
    next: 'Allow files in parts for this service, or compress the file first.',
  },
  partsShared: {
    title: 'Its parts stay as they are',
    what: 'The parts are on the service already, under this identifier and with this classification.',
    next: 'Leave both as they are, or download the file and upload it with others.',
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
    notCsv: 'The file isn’t CSV.',
    noIdentifiers: 'The first line doesn’t name a column “identifier”.',
    notAList: 'The first line isn’t that of a Coffer list.',
    newer: 'The file was written by a newer version of Coffer. Update Coffer, then import it again.',
  },
  keychain: {
    unavailable: {
      title: 'No system keychain',
      what: 'Coffer found no keychain on this computer. The token is kept until you quit Coffer.',
      next: 'Start a keyring service to keep it.',
    },
    locked: {
      title: 'The keychain is locked',
      what: 'Coffer can’t use it.',
      next: 'Unlock it, then try again.',
    },
    timeout: {
      title: 'The keychain didn’t answer',
      what: 'Coffer waited for it and gave up.',
      next: 'If it asks for a password, enter it. Then try again.',
    },
    refused: {
      title: 'The keychain refused access',
      what: 'Coffer can’t use it.',
      next: 'Allow Coffer to use it, then try again.',
    },
  },
  localService: {
    title: 'The service on this computer didn’t start',
    portInUse: 'Another program is using the port.',
    notAllowed: 'You don’t have permission to use the port or the data folder.',
    diskFull: 'The disk is full.',
    readOnly: 'The data folder is on a read-only disk.',
    notAFolder: 'The data folder isn’t a folder.',
    unreadable: 'The list in the data folder can’t be read.',
    inUse: 'Another service is using the data folder.',
    newer: 'The data folder was written by a newer version of the service.',
    otherKey: 'The data folder was encrypted with a different key.',
    unknown: 'The service couldn’t start.',
    next: 'Try again. If it happens again, see the log in Settings.',
  },
  previewUnavailable: {
    title: 'No preview',
    type: 'Only text and pictures have a preview.',
    size: 'Previews are limited to 2 MB.',
    unknownSize: 'Its size isn’t known yet. Check it first.',
    state: 'The object isn’t stored at the service now.',
    storing: 'The object is being stored.',
  },
  secretNotText: {
    title: 'This value isn’t text',
    what: 'The clipboard can’t hold it unchanged, so nothing was copied.',
    next: 'Save it as a file.',
  },
  clipboardRefused: {
    title: 'The value wasn’t copied',
    unfocused: {
      what: 'On Wayland only the window in front can copy.',
      next: 'Copy it in Coffer’s window, or install wl-clipboard.',
    },
    noProgram: {
      what: 'Coffer isn’t running, and no program that copies was found.',
      next: 'Start Coffer, or install wl-clipboard (Wayland) or xclip (X11).',
    },
    notKept: {
      what: 'The clipboard didn’t take it.',
      next: 'Try again.',
    },
  },
  approvalRefused: {
    title: 'The program wasn’t given the secrets',
    refused: 'The request was refused.',
    unanswered: 'Nobody answered within a minute.',
    locked: 'The screen was locked.',
    noTerminal: 'There is no terminal to ask on.',
    unproven: 'Coffer couldn’t confirm which program is asking.',
  },
  cancelled: { title: 'Cancelled', what: 'You cancelled it.' },
  unexpected: {
    title: 'Something went wrong in Coffer',
    what: 'This error is unexpected. Its reference is {reference}.',
    next: 'The log in Settings may tell more.',
  },
});
