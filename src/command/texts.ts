import { messages } from '../shared/i18n/messages.ts';

/** Messages of running commands. */
export const commandTexts = messages('command', {
  noService: 'There is no service yet. Add one with “coffer service add NAME ADDRESS”.',
  unknownService: 'There is no service named {name}. Known: {known}.',
  noTokenBesideAddress:
    'COFFER_ADDRESS is set, but COFFER_TOKEN is not. Set both, or neither to use a service of “coffer services”.',
  noAddressBesideToken:
    'COFFER_TOKEN is set, but COFFER_ADDRESS is not. Set both, or neither to use a service of “coffer services”.',
  noTemporaryFolder: 'No folder can be made in {folder} ({reason}). Set TMPDIR to a writable folder.',
  moreThan: 'more than {size}',
  noSpace:
    'There is not enough space in {folder} for the working files of this command: {needed} are needed, and {free} are free. Free some space, or choose a folder on another disk: with TMPDIR beside COFFER_ADDRESS, else with --user-data-dir.',
  severalServices: 'There are several services. Choose one with --service: {known}.',
  notListed:
    '{identifier}: not in the list of {service}. Add objects that are already stored with “coffer known”.',
  isSecret:
    '{identifier}: is a secret. The service neither checks nor deletes secrets. “coffer secret get” reads it, “coffer secret ls” lists it.',
  refusedProtocol:
    'The running app is version {version}, and this command is {own}: quit the app, or use the command that came with it.',
  refusedBusy:
    'The running app is serving {max, number} commands, the most that it can. Try again in a moment.',
  appSilent:
    'The running app, or the command that does the work, does not answer. It may be stopped or busy: continue or end it, then try again.',
  appGone: 'The app quit before this had finished. What it had begun continues when it starts again.',
  otherGone:
    'The command that was doing the work ended before this had finished. What it had begun continues with the next command, or when the app starts.',
  appStarts: 'The app is starting, and continues with what is left.',
  otherCommandHolds:
    'Another command uses Coffer, and only the app hands out secrets to others, because it asks in its window. Try again when that command has ended, or open the app.',
  inUse: 'Another Coffer is using {folder} and does not answer. Quit it, then try again.',
  noProxy:
    'If a proxy is needed, name it in HTTPS_PROXY: the system’s settings and PAC files are read by the app alone.',
  error: 'Error: {text}',
  system: {
    refused:
      '{what} cannot be used ({code}): it belongs to another user, or is read-only. Change its permissions, or choose a folder of your own with --user-data-dir.',
    notPrivate:
      '{path} belongs to another user, or another user can write to it: Coffer would trust what is there. Choose a folder of your own with --user-data-dir, or take the permission away: chmod go-w FOLDER',
    full: '{what} cannot be written ({code}): the disk is full. Free some space, then try again.',
    other: '{what} failed ({code}). “coffer doctor” checks what commands need.',
  },
  output: {
    full: 'Standard output cannot be written ({code}): the disk is full. What was written is incomplete. Free some space, or write elsewhere, then try again.',
    tooLarge:
      'Standard output cannot be written ({code}): the file is as large as “ulimit -f” or its disk allows. What was written is incomplete. Raise the limit, or write elsewhere, then try again.',
    closed:
      'Standard output cannot be written ({code}): it is not open for writing. Send it to a file or to a program.',
    other:
      'Standard output cannot be written ({code}): its disk or device reports an error. What was written is incomplete. Check it, or write elsewhere, then try again.',
  },
  misreadArgument:
    'Argument {number} (“{word}”) is not UTF-8, and would be taken for another. Rename the file, or store it with: coffer put - --as IDENTIFIER < FILE',
  oldNode: 'Error: coffer needs Node 24 or newer, and this is {version}.',
  renewBy: '(renew by {date})',
  storedBy: '(stored by {name})',
  listEmpty: 'The list is empty.',
  noTransfers: 'No transfers.',
  nothingFound: 'Nothing found.',
  filterEmpty:
    '“{filter}” has no value, and would find everything. If a variable was to fill it in, check that it is set.',
  filterUnknown: 'Nothing found, and “{filter}” is not a filter. Filters are {filters}.',
  filterExcluded: '“{filter}”: a minus excludes only words, class:, folder:, kind: and state:.',
  filterSize: '“{filter}” is not a size. Write size:>1mb or size:<=10kb, for example.',
  filterDate: '“{filter}” is not a date. Write before:2026-01-31 or after:2025, for example.',
  filterValue: '“{filter}” is not possible. Possible are {allowed}.',
  rmAsk:
    'Delete {count, plural, one {# object} other {# objects}} on {service}? This cannot be undone. [y/N] ',
  rmUnseenOne: 'It was never checked and may not exist.',
  rmUnseen:
    '{count, plural, one {# of these was never checked and may not exist.} other {# of these were never checked and may not exist.}}',
  rmRefused: 'Nothing was deleted. Without a terminal to ask on, add --yes.',
  rmNotDeleted: 'Nothing was deleted.',
  checked:
    '{present, plural, one {# is there} other {# are there}}, {missing, plural, one {# is missing} other {# are missing}}, {failed} not answered',
  checkedUnlisted: '{checked}, {count} not in the list',
  stateOf: '{state}  {identifier}',
  deleted: '{count} deleted',
  deletedRequested: '{deleted}, {count} requested and still there',
  deletedLeftOut:
    '{deleted}, {count} left out: Coffer is storing or deleting {count, plural, one {it} other {them}}',
  known_: '{added} added, {listed} already listed, {missing} not found',
  notThere: '{identifier}: not found at {service}. Check the identifier.',
  notThereOfSeveral:
    '{identifier}: not found at {service}. Check the identifier, or name another service with --service.',
  progress: '{done} of {total}',
  asIsForOne: '--as takes one file, and cannot be used with --to.',
  oneFileOnly:
    '--as needs exactly one file that can be uploaded, and {name} has none or several. Leave out --as, or give a folder of identifiers with --to.',
  stdinNeedsAs: 'Standard input has no name: give the identifier with --as.',
  stdinIsTerminal: 'Reading from the terminal. End with Ctrl+D.',
  stored: '{identifier}: stored',
  same: '{identifier}: already stored',
  skipped: '{identifier}: skipped, it exists already',
  saved: '{identifier}: saved as {fileName}',
  failed: '{identifier}: {text}',
  newestUnknown:
    '{identifier}: {text} So its newest version is not known. With --exact, exactly this identifier is taken.',
  failedMore: '{count, plural, one {And # more failed.} other {And # more failed.}}',
  cancelled: '{identifier}: cancelled',
  notBegun:
    '{count, plural, one {# object was} other {# objects were}} cancelled, or taken out of the list, before the download began.',
  left: '{identifier}: {why} {goesOn}',
  leftMore: '{count, plural, one {And # more.} other {And # more.}} {goesOn}',
  leftToken: 'It needs a token that the service accepts: set one with “coffer service token”.',
  leftKeychain: 'Its token can’t be read from the keychain: “coffer doctor” says why.',
  leftKeychainLate: 'The keychain didn’t answer in time: try again later.',
  leftRefused: 'The service refuses the token.',
  leftAnswer: 'It already exists, and is waiting for an answer.',
  leftPaused: 'Transfers are paused.',
  leftUnfinished: 'Not finished.',
  goesOn: {
    app: 'It continues in the app.',
    otherCommand:
      'It continues with the command that is doing the work, then with the next one, or when the app starts.',
    thisCommand: 'It continues with the next command, or when the app starts.',
  },
  goesOnNot: 'It was given up.',
  replaceLeft:
    '{identifier}: {why} Its old and new contents are in {folder}. Finish with: coffer recover {folder}',
  replaceLeftBeside:
    '{identifier}: {why} Its old and new contents are in {folder}, the new ones also at the service as {beside}. Finish with: coffer recover {folder}',
  copyLeft:
    '{identifier}: is stored, but its copy {beside} is still at the service. Delete it with: coffer rm {beside}',
  objectLeft: '{identifier}: is still at {address}. Delete it with: coffer rm {identifier}',
  partsLeft:
    '{identifier}: {count, plural, one {# part that no file needs is} other {# parts that no file needs are}} still at {address}. Delete {count, plural, one {it} other {them}} with: coffer doctor --remove-parts {lastPart}',
  moreLeft: '{count, number} more are still at {address}.',
  abandoned:
    'An earlier command has left an unfinished Replace in {folder}. Finish it with: coffer recover {folder}',
  nothingToRecover: '{folder}: is not the folder of an unfinished Replace.',
  recoversAnother: '{folder}: belongs to {address}. Set COFFER_ADDRESS and COFFER_TOKEN to that service.',
  recoverNeedsAccount:
    'COFFER_ADDRESS and COFFER_TOKEN are not set. Set both to the service of the command that was interrupted.',
  recovered: '{folder}: nothing is left to do',
  heldUp: '{service}: {why}',
  waitsFor: 'Waiting for {service}: {why}',
  stopped: {
    check: '{done} of {total} checked, the rest were not.',
    addKnown: '{done} of {total} looked up, the rest were not.',
    delete: '{done} of {total} deleted, the rest were not started.',
    deleteUnsure: '{done} of {total} deleted, {failed} failed or not answered, the rest were not started.',
    deleteRequested:
      '{done} of {total} deleted, {requested} requested and not confirmed, {failed} failed or not answered, the rest were not started.',
  },
  notStopped: 'It could not be stopped. {goesOn}',
  existsAlready: '{identifier}: exists already. Nothing was stored; --if-exists says what else to do.',
  askExisting:
    '{identifier} exists already. [v]ersion, [r]eplace, [k]eep both, [s]kip; a capital letter for all; Enter to give up: ',
  problem: {
    tooLarge: '{fileName}: larger than {limit}, the most that the service takes.',
    unreadable: '{fileName}: cannot be read. Check its permissions, and that its disk is connected.',
    unreadableName: '{fileName}: its name is not UTF-8.',
    unsized: '{fileName}: reports that it is empty, but is not.',
    gone: '{fileName}: there is no such file.',
    special: '{fileName}: is not a regular file.',
    symbolicLink: '{fileName}: is a symbolic link; give its target instead.',
    sameIdentifier: '{fileName}: would get the same identifier as another file.',
    badIdentifier: '{fileName}: its identifier cannot be used. {why} Give another with --as.',
  },
  problemsMore: '{count, plural, one {And # more file.} other {And # more files.}}',
  exists: '{path} exists. --force replaces it.',
  savedBeside:
    '{path} was made by something else meanwhile, and stays as it is. What was to go there is in {beside}. Move it, or repeat the command with --force.',
  noInput:
    'This reads from the terminal, and --no-input forbids it. Give it in a file or a pipe, or leave out --no-input.',
  stdinClosed:
    'Standard input is closed, or connected to nothing. Send the bytes, or name a file instead of “-”. “< /dev/null” sends none.',
  stdinIsFolder: 'Standard input is a folder. Give its path instead of “-”.',
  stdinCutOff:
    'Standard input ended after {read, number} of {expected, number} bytes, and nothing was stored. Check the disk it comes from; if that is all of it, pipe it: cat FILE | coffer put -',
  currentFolderGone:
    'The current folder has been deleted, and “{path}” is relative to it. Change to a folder that exists, or give an absolute path.',
  isFolder: '{path} is a folder. Name a file in it.',
  noFolder: 'The folder {folder} does not exist. Create it, or choose another one.',
  readOnlyFolder: 'The folder {folder} cannot be written to. Change its permissions, or choose another one.',
  oneIntoFile: 'Several objects need a folder that exists: --to FOLDER',
  jsonOrBytes: '-o - writes the object itself: leave out --json.',
  copy: {
    opened: { done: '{identifier}: opened', doneAs: '{identifier}: opened as {path}' },
    shown: {
      done: '{identifier}: shown in its folder. Coffer opens documents, pictures, sound and film.',
      doneAs:
        '{identifier}: shown in its folder, as {path}. Coffer opens documents, pictures, sound and film.',
    },
  },
  editing: '{identifier}: opened for editing. The app stores each save.',
  editNeedsTerminal: 'Without the app, editing needs a terminal.',
  editOtherCommand: 'Another command is doing the work. Edit when it has finished.',
  editKept: '{identifier}: the service has not confirmed your changes. {why} They are kept in {path}',
  editorKept: '{identifier}: nothing was stored. {why} Your changes are kept in {path}',
  editUnchanged: '{identifier}: the copy has no changes that are not stored. {why}',
  editStill: 'The service did not take it within {seconds} s.',
  editorFailed: 'The editor ended with exit code {code}.',
  editorKilled: 'The editor was ended by {signal}.',
  editorNotFound: 'The editor “{editor}” was not found. Set VISUAL or EDITOR to one that is installed.',
  interrupted: 'The command was interrupted.',
  editUntilEnter: 'Editing {identifier}. Each save is stored. Press Enter when you have finished: ',
  editOver: '{identifier}: finished, everything is stored',
  editLeft: '{identifier}: not stored yet. {why} Your copy is kept; answer in the app.',
  editConflict: 'It has changed at the service.',
  editDeleted: 'It was deleted at the service.',
  whichFormat: 'The file name does not tell the format: add --format jsonl or --format csv.',
  exported: '{count, plural, one {# object} other {# objects}} written to {fileName}',
  importing: '{lines, plural, one {# line} other {# lines}}',
  imported:
    '{added} added, {merged} completed, {unchanged} unchanged, {skipped, plural, one {# line} other {# lines}} skipped',
  importSemicolons: 'Its columns are separated by semicolons.',
  importTabs: 'Its columns are separated by tabs.',
  unknownEncoding:
    '“{encoding}” is not an encoding. Possible are utf-8, utf-16le, cp1252, iso-8859-2, shift_jis, and others that browsers know.',
  importStopped: 'Stopped: what had been read is in the list, the rest was not read.',
  importLine: 'Line {line, number}: {why}',
  importMore: '{count, plural, one {And # more line.} other {And # more lines.}}',
  importProblem: {
    tooLong: 'too long',
    otherColumns: 'wrong number of columns',
    newer: 'written by a newer version of Coffer',
    notJson: 'not JSON',
    openQuote: 'a quotation mark is not closed',
    field: 'the value of {field} is not valid',
    history: '{count, plural, one {# entry of its history} other {# entries of its history}} left out',
  },
  noSuchTransfer: '{id}: no such transfer',
  connection: {
    checking: 'checking',
    ready: 'ready',
    unstable: 'connection lost',
    tokenMissing: 'token missing',
    tokenRefused: 'token refused',
    unreachable: 'not reached',
  },
  state: {
    stored: 'stored',
    uploading: 'uploading',
    unknown: 'not checked',
    missing: 'missing',
    deleting: 'deleting',
    gone: 'deleted',
    failed: 'failed',
  },
});
