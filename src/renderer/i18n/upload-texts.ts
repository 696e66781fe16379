import { messages } from '../../shared/i18n/messages.ts';

/** The upload sheet, and dropping files into the window. */
export const uploadTexts = messages('upload', {
  title: 'Upload',
  discardTitle: 'Discard this upload?',
  facts: '{count, plural, one {# file} other {# files}}, {size}',
  factsInto: '{count, plural, one {# file} other {# files}}, {size}, into {folder}',
  start: '{count, plural, one {Upload # object} other {Upload # objects}}',
  add: 'Add',
  addFiles: 'Add files…',
  files: 'Files…',
  folders: 'Folders…',
  removeProblems: '{count, plural, one {Remove # with a problem} other {Remove all # with a problem}}',
  numberDuplicates: '{count, plural, one {Rename # duplicate} other {Rename all # duplicates}}',
  options: {
    label: 'Options:',
    asFiles: 'names as files',
    named: 'names as {template}',
    ask: 'ask if it exists',
    skip: 'skip if it exists',
    keepBoth: 'keep both if it exists',
    newVersion: 'new version if it exists',
    replace: 'replace if it exists',
  },
  request: 'Request',
  ifExists: 'If it exists',
  classKept:
    'A replacement or new version keeps the classification of the stored object, unless you choose one.',
  classForAll: 'Replacements and new versions get this classification too.',
  team: {
    shared: 'Colleagues with access see uploads on the team’s list “{list}”, as far as you may add to it.',
    later:
      'Once you have signed in to the team, colleagues with access see uploads on its list “{list}”, as far as you may add to it.',
    reader: 'You may not add to the team’s list “{list}”: uploads do not appear on it.',
  },
  ifExistsDeferredAsk: 'The upload stops and tells you in Jobs. Nothing is replaced.',
  exists: {
    ask: 'Ask',
    askText: 'Compare, then decide',
    skip: 'Skip',
    skipText: 'The stored object stays, yours is not sent',
    keepBoth: 'Keep both',
    keepBothText: 'Yours gets a number after its name',
    newVersion: 'New version',
    newVersionText: 'Yours is stored beside it as the newest version',
    replace: 'Replace',
    replaceText: 'The stored object is kept until yours is verified',
  },
  kind: {
    direct: 'Direct',
    directText: 'Each object is stored and its size verified before it counts as done.',
    deferred: 'Deferred',
    deferredText:
      'The service accepts the objects and processes them in its own time. Coffer follows each one in Jobs and verifies it at the end.',
  },
  table: {
    label: 'Files to upload',
    file: 'File',
    none: 'Nothing to upload',
    noneText: 'Add files, or drop them here.',
    identifierOf: 'Identifier of {fileName}',
    backToTemplate: 'Use the name from the template for {fileName}',
    removeOne: 'Remove {fileName}',
    use: 'Use {name}',
    fixed: 'Fixed.',
    stored: 'Stored',
    storedHint: 'Your list already has an object under this identifier.',
    storedAs: 'Your list already has an object under this identifier. It is {classification}.',
    inParts: '{count, plural, one {in # part} other {in # parts}}',
  },
  template: {
    reset: 'Reset all',
    resetHint: 'Restores the template and discards your changes to identifiers',
  },
  reclassify: {
    title:
      '{count, plural, one {Change the classification of # stored object?} other {Change the classification of # stored objects?}}',
    change:
      '{count, plural, one {# object is {from} and becomes {to}.} other {# objects are {from} and become {to}.}}',
    agree: 'Change and upload',
  },
  forecast: {
    cancelled:
      '{count, plural, one {Cancelled, but # object is on its way.} other {Cancelled, but # objects are on their way.}}',
    failed:
      '{error} {count, plural, one {# object is on its way. The rest is still here.} other {# objects are on their way. The rest is still here.}}',
    waits: 'Waiting. {naming}',
    starting:
      '{count, plural, =0 {Starting…} one {Starting, # object is on its way…} other {Starting, # objects are on their way…}}',
    reading: '{count, plural, one {Adding files, # so far…} other {Adding files, # so far…}}',
    left: '{count, plural, one {# object is on its way. What is left has a problem.} other {# objects are on their way. What is left has a problem.}}',
    mayBeRefused: 'The service may refuse files close to the limit.',
    badTemplate: 'Correct the template, or reset it.',
    noneReady: 'None of these files can be uploaded as they are.',
    someReady:
      '{ready, plural, one {# of {total, number} files is ready, {size}. Files with problems are left out.} other {# of {total, number} files are ready, {size}. Files with problems are left out.}}',
    naming: 'Naming files…',
    digests: 'Computing digests, {done, number} of {total, number}',
  },
  problem: {
    tooLarge: 'Too large. The service accepts up to {size}.',
    fiftyMegabytes: '50 MB',
    unreadable: 'Coffer has no permission to read this file.',
    unreadableName: 'Its name can’t be read. Rename it, then add it again.',
    unsized: 'It reports no size but isn’t empty. Copy it to a regular file first.',
    gone: 'The file is no longer where it was. Add it again, or remove it.',
    special: 'Not a regular file: it has no content of its own.',
    symbolicLink: 'A link to another place. Coffer doesn’t follow links.',
    sameIdentifier: 'Same identifier as {fileName}.',
    empty: 'Enter an identifier.',
    dotSegment: '“.” and “..” would be read as folders.',
    loneSurrogate: 'The identifier contains an invalid character.',
    mayBeRefused: 'Close to the limit: the service may refuse it.',
    changed: 'It has changed since you added it, and will be sent as it is now.',
  },
  drop: {
    into: 'Drop files into {target}',
    countInto: '{count, plural, one {Drop # file into {target}} other {Drop # files into {target}}}',
    intoSheet: 'Drop files into this upload',
    countIntoSheet:
      '{count, plural, one {Drop # file into this upload} other {Drop # files into this upload}}',
    sheetText: 'They are added to the list.',
    text: 'You choose classification and identifiers next.',
  },
});
