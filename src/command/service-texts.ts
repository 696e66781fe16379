import { messages } from '../shared/i18n/messages.ts';

/** Help and messages of `coffer service`. */
export const serviceTexts = messages('commandService', {
  help: {
    service: 'add, change and remove services',
    add: 'add a service, and check that it takes the token, which is asked for or comes from standard input',
    test: 'ask whether the service is there and takes the token',
    token: 'set a new token, which is asked for or comes from standard input',
    set: 'change the settings of a service',
    rename: 'give a service another name',
    default: 'choose the service that commands use without --service, and that the app shows',
    rm: 'remove a service from this computer; nothing is deleted at the service',
    named: 'its name',
    newName: 'its new name',
    address: 'its base address',
    newAddress: 'another base address; the token has to be given again if the host or the port is another',
    cancel: 'end unfinished transfers that keep the address from being changed',
    noCheck: 'do not ask the service whether these settings work',
    proxy: 'system, none, or the address of a proxy',
    proxyUser: 'the name for the proxy; its password is asked for',
    proxyPasswordFile: 'a file that holds the password for the proxy',
    ca: 'a file with CA certificates to trust for this service (PEM), or none',
    clientCertificate: 'a file with your certificate and its key (PFX), or none',
    passphraseFile: 'a file that holds the passphrase of the certificate',
    downloadFolder: 'a folder for downloads, or default',
    classificationAddress: 'where the service lists its classifications, or none',
    classification: 'a classification that the app offers; may be given several times',
    maxObject: 'the largest object in bytes, or default (50 MB)',
    maxSecret: 'the largest secret in bytes, or default (10 KB)',
    parts: 'store larger files in parts (the default)',
    noParts: 'refuse larger files',
    identifierTemplate: 'what the identifiers of uploads are made from',
    separator: 'what separates the folders of identifiers',
    versionMark: 'what comes before the extension of a version',
    allowHttp: 'allow an address without encryption',
    noAllowHttp: 'require https (the default)',
    forgetList: 'remove its list of objects, too',
  },
  notABytes: 'It is not a number of bytes, from 1 to {max, number}, or default.',
  oneClassificationSource: '--classification and --classification-address cannot be used together.',
  nothingToSet: 'Name what to change: “coffer service set --help” lists the options.',
  notStored:
    'COFFER_ADDRESS and COFFER_TOKEN are set, so there is only the service that they name. Unset both to change your services.',
  proxyUserNeedsProxy:
    '--proxy-user needs a proxy, and this service uses none. Give its address with --proxy.',
  passphraseOf: 'Passphrase of {fileName}: ',
  passwordOf: 'Password of {user} for {proxy}: ',
  noPassword:
    'No password for the proxy was typed. Without a terminal to ask on, give a file with --proxy-password-file.',
  proxyRefused: 'The proxy {proxy} refuses this name and password. Nothing else was changed.',
  unreadableFile: '{option}: {path} cannot be read ({code}). Check its name and its permissions.',
  largeFile: '{option}: {path} is larger than {max, number} bytes.',

  notAdded: 'Nothing was added: {why} To add it without this check, use --no-check.',
  notChanged: 'Nothing was changed: {why} To change it without this check, use --no-check.',
  tokenNotTaken:
    'The service does not take this token. Copy it again, and check that it is for this service.',
  added: '{name}: added',
  addedUnchecked: '{name}: added, not checked',
  changed: '{name}: changed',
  found: '{host} answers and accepts the token{how}.',
  foundUnproven:
    '{host} answers and accepts the token{how}. Whether the path of its address is right, the first object shows.',
  how: { certificate: ', its certificate is trusted', proxy: ', through the proxy {proxy}' },
  renamed: '{before}: is now {name}',
  isDefault: '{name}: is the default',
  rmTells:
    '{name}, {address}: nothing is deleted at the service. Its token is removed from this computer, its unfinished transfers end, and replaced versions that are kept here are deleted. {list}',
  rmAsk: 'Remove {name} from this computer? [y/N] ',
  listKept:
    '{count, plural, =0 {Its list of objects is empty.} one {Its list of # object is kept, and is there again when you add the same address.} other {Its list of # objects is kept, and is there again when you add the same address.}}',
  listForgotten:
    '{count, plural, =0 {Its list of objects is empty.} one {Its list of # object goes too: without the identifier, the object can’t be found again.} other {Its list of # objects goes too: without the identifiers, they can’t be found again.}}',
  rmTellsLocal: '{name}: the service that runs on this computer is stopped. {list}',
  localKept: 'What is stored in it is kept.',
  localErased: 'Everything that is stored in it is erased, and cannot be brought back.',
  rmRefused: 'Nothing was removed. Without a terminal to ask on, add --yes.',
  rmNot: 'Nothing was removed.',
  removed: '{name}: removed. {list}',
  tokenSet: '{name}: the token was set',
  tokenTaken: '{name}: the token was set, and the service accepts it',
  tokenUnchecked: '{name}: the token was set, but could not be checked. {why}',
  tokenRefused:
    '{name}: the token was set, but the service refuses it. Copy it again, and set it with “coffer service token”.',
  tokenNotKept:
    '{name}: there is no keychain to keep the token in, so it is gone when this command ends. “coffer doctor” says more; on build machines set COFFER_ADDRESS and COFFER_TOKEN.',
  tokenPrompt: 'Token: ',
  noToken:
    'No token came from standard input, or nothing was typed. Type it when it is asked for, or send it: < token.txt',
  longToken: 'The token is longer than {max, number} characters, the most that a token can have.',
});
