import { messages } from '../../shared/i18n/messages.ts';

/** Confirmations before several objects change, and their progress. */
export const objectChangeTexts = messages('objectChanges', {
  removeAll: {
    button: 'Remove all…',
    title: '{count, plural, one {Remove # object from the list?} other {Remove # objects from the list?}}',
    text: 'They no longer exist at the service. Only this list still has their details, notes and history.',
  },
  downloadQuestion: {
    title: '{count, plural, one {Download # object?} other {Download # objects?}}',
    size: 'Total size: {size}.',
    sizeAndFree: 'Total size: {size}. Free on the disk: {free}.',
    unknown:
      '{count, plural, one {The size of # object isn’t known.} other {The sizes of # objects aren’t known.}}',
    tooLittle: 'The disk doesn’t have enough space for this download.',
  },
  delete: {
    title: '{count, plural, one {Delete # object?} other {Delete # objects?}}',
    forever: 'This can’t be undone.',
    nobody:
      '{count, plural, one {Nobody will be able to download it again.} other {Nobody will be able to download them again.}}',
    files: 'Files on this computer stay as they are.',
    neverStored:
      '{count, plural, one {It was never stored, so nothing is deleted at the service.} other {None of them was ever stored, so nothing is deleted at the service.}}',
    unseenOne: 'Nobody here has checked it: only an imported list or the team says that it is there.',
    unseen:
      '{count, plural, one {Nobody here has checked # of these: only an imported list or the team says that it is there.} other {Nobody here has checked # of these: only an imported list or the team says that they are there.}}',
    othersUnstored:
      '{count, plural, one {# more was never stored and is only removed from the list.} other {# more were never stored and are only removed from the list.}}',
    confirm: 'Type {count, number} to confirm',
    olderOfOne: '{count, plural, one {And its older version} other {And its # older versions}}',
    olderOfMany: '{count, plural, one {And # older version of them} other {And their # older versions}}',
    unknownSize: '{count, plural, other {# of unknown size}}',
  },
  reclassify: {
    title:
      '{count, plural, one {Change classification of # object} other {Change classification of # objects}}',
    each: 'Each one',
    isStoredAgain: 'Stored again, verified',
    howStoredAgain:
      'The service can’t change a classification. Coffer stores a verified copy with the new classification, then replaces the object with it. An object that fails stays as it is and is listed in Transfers.',
    takes: 'Takes',
    atLeast: 'At least {duration}',
    moves: '{size}, read several times and stored twice. You can continue working.',
    stays: 'Stays',
    whatStays: 'Identifiers, content, notes and history',
    choose: 'Choose the new classification.',
    isSame: 'That is the current classification.',
    change: '{count, plural, one {Change # object} other {Change # objects}}',
    started:
      '{count, plural, =0 {Nothing to change} one {Changing the classification of # object} other {Changing the classification of # objects}}',
    leftOut:
      '{started}. {count, plural, one {# is left out: it already has this classification, isn’t stored, or is in parts} other {# are left out: they already have this classification, aren’t stored, or are in parts}}',
  },
  move: {
    rename: 'Rename or move',
    title: '{count, plural, one {Move # object} other {Move # objects}}',
    into: 'Into',
    top: 'The top, without a folder',
    now: 'Now',
    afterwards: 'Then',
    more: '{count, plural, one {and # more} other {and # more}}',
    how: '{count, plural, one {Copied and verified before the old identifier is deleted. Nothing is missing at any moment.} other {Each is copied and verified before its old identifier is deleted. Nothing is missing at any moment.}}',
    stays:
      '{count, plural, one {Classification and note move along. It is read several times and stored once.} other {Classifications and notes move along. Each is read several times and stored once.}}',
    free: '{count, plural, one {The new identifier isn’t taken.} other {None of the new identifiers is taken.}}',
    isTaken: 'This identifier is already in the list. Choose another one.',
    taken:
      '{count, plural, one {# new identifier is taken, and its object stays where it is.} other {# new identifiers are taken, and their objects stay where they are.}}',
    leftOut:
      '{count, plural, one {# stays where it is: it is there already, isn’t stored, is in parts, or its classification isn’t known.} other {# stay where they are: they are there already, aren’t stored, are in parts, or their classification isn’t known.}}',
    renameNow: 'Rename',
    started: '{count, plural, =0 {Nothing to move} one {Moving # object} other {Moving # objects}}',
  },
  addKnown: {
    title: 'Add known identifiers',
    count: '{count, plural, one {# identifier} other {# identifiers}}',
    dataHint: 'One per line. Coffer asks the service for each and adds those that exist.',
    secretHint: 'One per line. The service can’t be asked whether a secret exists, so each one is added.',
    tooMany: 'Up to {count, number} at a time.',
    addSecrets: '{count, plural, one {Add # secret} other {Add # secrets}}',
    checkObjects: '{count, plural, one {Check and add # object} other {Check and add # objects}}',
    show: 'Show result',
    goOn: 'Continue in background',
    stop: 'Stop',
    done: 'Done',
    added: '{count, plural, =0 {No identifiers added} one {# identifier added} other {# identifiers added}}',
    listed: '{count, plural, one {# already on the list} other {# already on the list}}',
    notFound: '{count, plural, one {# not found at the service} other {# not found at the service}}',
    failed: '{count, plural, one {# couldn’t be checked} other {# couldn’t be checked}}',
    failedWhy: '{failed}. {error}',
    unasked: '{count, plural, one {# not checked} other {# not checked}}',
    notFoundLabel: 'Not found',
    more: '{count, plural, one {and # more} other {and # more}}',
  },
  task: {
    checking: 'Checking {done, number} of {total, number}',
    adding: 'Adding {done, number} of {total, number}',
    deleting: 'Deleting {done, number} of {total, number}',
    waiting: '{progress}, waiting {duration}',
    checked: '{count, plural, one {Checked # object} other {Checked # objects}}',
    added: '{count, plural, one {Added # identifier} other {Added # identifiers}}',
    lookedFor: '{count, plural, one {Looked for # identifier} other {Looked for # identifiers}}',
    deleted: '{count, plural, one {Deleted # object} other {Deleted # objects}}',
    stoppedChecking: 'Stopped checking after {done, number} of {total, number}',
    stoppedAdding: 'Stopped adding after {done, number} of {total, number}',
    stoppedDeleting: 'Stopped deleting after {done, number} of {total, number}',
    result: '{task}: {counts}',
    countPresent: '{count, plural, other {# present}}',
    countMissing: '{count, plural, other {# missing}}',
    countAdded: '{count, plural, other {# added}}',
    countListed: '{count, plural, other {# already listed}}',
    countAbsent: '{count, plural, other {# not at the service}}',
    countGone: '{count, plural, other {# deleted}}',
    countLeftOut: '{count, plural, other {# left out, which Coffer is storing or deleting}}',
    countThere: '{count, plural, other {# requested and still there}}',
    countFailed: '{count, plural, other {# failed}}',
  },
});
