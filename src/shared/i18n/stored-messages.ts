import { messages } from './messages.ts';

/** Failures of `errors/stored.ts`: what the service has is not what it should be, or what arrived. */
export const storedMessages = messages('storedError', {
  namesRefused: {
    title: 'The service refuses every name',
    what: 'It says that {count} new names in a row already exist. It may have stored the data under some of them.',
    next: 'Check the identifiers that begin with the same name, then try again.',
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
  claimedLengthDiffers: {
    title: 'Not what others say it is',
    what: 'An imported list or the team says {expected}, and the service has {received}. Nothing was saved.',
    next: 'Ask whoever stored it, or take what the service has.',
  },
  claimedDigestDiffers: {
    title: 'Not what others say it is',
    what: 'Its digest differs from the one that an imported list or the team gives, which nobody here has compared. Nothing was saved.',
    next: 'Ask whoever stored it, or take what the service has.',
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
});
