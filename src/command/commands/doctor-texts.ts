import { messages } from '../../shared/i18n/messages.ts';

export const doctorTexts = messages('commandDoctor', {
  ok: 'ok     ',
  problem: 'problem',
  check: {
    node: 'Node',
    dataFolder: 'Data folder',
    disk: 'Disk',
    app: 'App',
    keychain: 'Keychain',
    proxy: 'Proxy',
    service: 'Service',
    leftParts: 'Leftovers',
    unknownFiles: 'Unknown files',
  },
  node: 'version {version}',
  folder: '{folder}',
  folderNew: '{folder}, not there yet',
  folderNone: '{folder} is not a folder',
  folderRefused: '{folder} cannot be read or written',
  folderHeld: 'another Coffer is using the data folder and does not answer; quit it',
  disk: '{free} free',
  appRuns: 'running',
  otherRuns: 'not running; another command is doing the work',
  appNotRunning: 'not running; commands do the work themselves',
  appPassing: 'running, but quitting or serving too many commands',
  appRefuses: 'version {version} is running and does not understand this command, which is version {own}',
  keychain: 'works',
  proxy: 'from {names}; the system’s settings and PAC files are read by the app alone',
  proxyNone: 'none in HTTPS_PROXY; the system’s settings and PAC files are read by the app alone',
  unknownFiles:
    '{folder}, {count, plural, one {# file} other {# files}}, {size}, since {when}; Coffer does not know {count, plural, one {it} other {them}}, see Settings, Replaced versions',
  noService: 'none yet',
  leftParts:
    '{count, plural, one {# part} other {# parts}} of {identifier} at {name}, upload {upload}: {why}; “coffer doctor --remove-parts {upload}” deletes them',
  leftPartsRemoved:
    '{count, plural, one {# part} other {# parts}} of {identifier} at {name}, upload {upload}: deleted, or kept where a file needs them',
  leftPartsGoing:
    '{count, plural, one {# part} other {# parts}} of {identifier} at {name}, upload {upload}: being deleted; that goes on with the app, or with the next command',
  leftPartsUnknown: 'nothing is left of upload {upload}',
  reportAsk: 'Save this to {path}? [y/N] ',
  reportSaved: '{path}: saved; read it before you send it to somebody',
  reportNotSaved: 'Nothing was saved.',
  why: {
    refused: 'the service refused to delete them',
    stillThere: 'deleted, and still there ten minutes later',
    unknown: 'a file, or a replaced version on another computer, may still need them',
  },
  service: '{name}, {address}: {state}',
  connection: {
    checking: 'no answer yet',
    ready: 'reached, token accepted',
    tokenMissing: 'reached, no token',
    tokenRefused: 'reached, token refused',
    unreachable: 'not reached',
  },
});
