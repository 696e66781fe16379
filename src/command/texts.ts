import { messages } from '../shared/i18n/messages.ts';

/** What the command says. */
export const commandTexts = messages('command', {
  about:
    'Objects and secrets of your services, from the command line. The running app does the work; without it the command does.',
  service: 'the service, by its name; without it the one that the app shows',
  json: 'answer one JSON object a line',
  quiet: 'say nothing but results and errors',
  noProgress: 'no progress bar, also on a terminal',
  userDataDir: 'the folder of user data, as the app takes it',
  services: 'list the services',
  ls: 'list objects: all, a folder, or what a search finds',
  lsExamples: `Examples:
  coffer ls reports/2026
  coffer ls 'class:Confidential size:>1mb'
  coffer ls --json | jq .identifier`,
  lsSecrets: 'list secrets',
  info: 'show what is known of objects',
  infoExamples: `Examples:
  coffer info reports/2026/q2.pdf
  coffer info --json a b c`,
  check: 'ask the service whether objects are there',
  rm: 'delete objects on the service',
  rmYes: 'do not ask',
  rmAsk:
    'Delete {count, plural, one {# object} other {# objects}} on {service}? This cannot be undone. [y/N] ',
  rmRefused: 'Nothing was deleted: without a terminal to ask on, --yes has to say so.',
  rmNotDeleted: 'Nothing was deleted.',
  known: 'add identifiers that are stored already to the list',
  transfers: 'list transfers and deferred requests',
  follow: 'go on telling what changes, until everything has ended',
  pause: 'pause all transfers',
  resume: 'let transfers go on',
  cancel: 'cancel transfers, by their numbers, or all',
  noService: 'There is no service yet. Add one in the app.',
  unknownService: 'There is no service named {name}. Known: {known}.',
  severalServices: 'There are several services. Say which with --service: {known}.',
  notListed: '{identifier}: not in the list of {service}. “coffer known” adds what is stored already.',
  refusedProtocol:
    'The running app is version {version}, and this command is {own}: end the app, or use the command that came with it.',
  refusedBusy: 'The running app serves too many commands. Try again in a moment.',
  appGone: 'The app ended in the middle of this. What it had begun goes on when it starts again.',
  inUse: 'Another Coffer holds {folder} and does not answer. End it, then try again.',
  error: 'Error: {text}',
  checked:
    '{present, plural, one {# is there} other {# are there}}, {missing, plural, one {# is missing} other {# are missing}}, {failed} not answered',
  deleted: '{count} deleted',
  known_: '{added} added, {listed} listed before, {missing} not found',
  progress: '{done} of {total}',
  put: 'upload files and folders',
  putExamples: `Examples:
  coffer put report.pdf --to reports/2026
  coffer put q2.pdf --as reports/2026/q2.pdf --class Confidential
  coffer put photos/ --if-exists version`,
  putAs: 'the identifier of the one file',
  putTo: 'the folder of identifiers that the files go below',
  putClass: 'the classification; without it the service’s default',
  deferred: 'as a deferred request',
  ifExists: 'what becomes of a file whose identifier exists: ask, fail, skip, keep-both, version, replace',
  asIsForOne: '--as names one file: give one file, and no --to.',
  stored: '{identifier}: stored',
  saved: '{identifier}: saved as {fileName}',
  failed: '{identifier}: {text}',
  notFinished: '{identifier}: not finished.',
  left: '{identifier}: not finished. It goes on in the app, or with the next command.',
  existsAlready: '{identifier}: exists already. Nothing was sent; --if-exists says what else to do.',
  askExisting: '{identifier} exists already. [v]ersion, [r]eplace, [k]eep both, [s]kip, Enter to give up: ',
  problem: {
    tooLarge: '{fileName}: larger than the service takes.',
    unreadable: '{fileName}: cannot be read.',
    unreadableName: '{fileName}: its name is not UTF-8.',
    unsized: '{fileName}: says it is empty and is not.',
    gone: '{fileName}: is gone.',
    special: '{fileName}: is no file.',
    symbolicLink: '{fileName}: is a link; give what it leads to.',
    sameIdentifier: '{fileName}: would get the identifier of another file.',
    badIdentifier: '{fileName}: its identifier cannot be used.',
  },
  get: 'download objects',
  getExamples: `Examples:
  coffer get reports/2026/q2.pdf
  coffer get a b c -o folder/
  coffer get config.json -o - | jq .`,
  getOutput: 'a file, a folder, or - for standard output; without it the service’s download folder',
  oneIntoFile: 'Several objects need a folder that is there: -o FOLDER/.',
  serviceCommands: 'add a service, test it, or give it a new token',
  serviceAdd: 'add a service; its token comes from standard input',
  serviceTest: 'ask whether the service is there and takes the token',
  serviceToken: 'a new token, from standard input',
  serviceAdded: '{name}: added',
  tokenSet: '{name}: the token was set',
  tokenPrompt: 'Token: ',
  noToken: 'No token came from standard input.',
  connection: {
    checking: 'checking',
    ready: 'ready',
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
    gone: 'gone',
    failed: 'failed',
  },
});
