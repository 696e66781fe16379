import { separatorLengthMax } from '../../shared/domain/service.ts';
import { templateLengthMax } from '../../shared/domain/template.ts';
import type { AppError, AppErrorCode, AppErrorOf } from '../../shared/errors.ts';
import { errorMessages } from '../../shared/i18n/error-messages.ts';
import { errorText } from '../../shared/i18n/error-text.ts';
import { errorTexts as texts } from './error-texts.ts';

/** Options of `coffer service add` and `set` by form field, with the limits of `serviceDraftSchema`. */
const options: Readonly<Record<string, { option: string; limit: () => string }>> = {
  name: { option: 'NAME', limit: () => texts.tooLong({ max: 80 }) },
  baseAddress: { option: 'ADDRESS', limit: () => texts.tooLong({ max: 2000 }) },
  'proxy.address': { option: '--proxy', limit: () => texts.tooLong({ max: 2000 }) },
  maxObjectBytes: {
    option: '--max-object',
    limit: () => texts.wrongNumber({ max: Number.MAX_SAFE_INTEGER }),
  },
  maxSecretBytes: {
    option: '--max-secret',
    limit: () => texts.wrongNumber({ max: Number.MAX_SAFE_INTEGER }),
  },
  'classificationSource.address': {
    option: '--classification-address',
    limit: () => texts.tooLong({ max: 2000 }),
  },
  'classificationSource.values': {
    option: '--classification',
    limit: () => texts.tooMany({ max: 500, length: 2000 }),
  },
  identifierTemplate: {
    option: '--identifier-template',
    limit: () => texts.tooLong({ max: templateLengthMax }),
  },
  separator: { option: '--separator', limit: () => texts.tooLong({ max: separatorLengthMax }) },
  versionMark: { option: '--version-mark', limit: () => texts.tooLong({ max: 40 }) },
  downloadFolder: { option: '--download-folder', limit: () => texts.notAFolder },
  host: { option: '--server', limit: () => texts.tooLong({ max: 255 }) },
  database: { option: '--database', limit: () => texts.tooLong({ max: 63 }) },
  user: { option: '--proxy-user', limit: () => texts.tooLong({ max: 256 }) },
  password: { option: '--proxy-password-file', limit: () => texts.tooLong({ max: 1024 }) },
  passphrase: { option: '--passphrase-file', limit: () => texts.tooLong({ max: 1024 }) },
};

/** An error in one line. Like the window's, but names options and commands instead of fields and pages. */
export function errorLine(error: AppError): string {
  if (error.code === 'invalidInput') return inputLine(error);
  const { title, what, next: windowsNext } = errorText(error);
  const next = nextOf(error) ?? windowsNext;
  const text = next === undefined ? what : `${what} ${next}`;
  const line = errorMessages.line({ title, text });
  return error.code === 'badProxyAddress' ? texts.option({ option: '--proxy', text: line }) : line;
}

function inputLine(error: AppErrorOf<'invalidInput'>): string {
  const { title, what } = errorText(error);
  const field = error.field.replace(/^draft\./, '').replace(/\.\d+$/, '');
  const known = options[field];
  if (!known) return errorMessages.line({ title, text: what });
  const isOwn =
    error.field === 'versionMark' || ['unknownPart', 'repeated', 'characters'].includes(error.problem);
  return isOwn
    ? texts.option({ option: known.option, text: what })
    : texts.optionTakes({ option: known.option, takes: known.limit() });
}

type Next<E> = (error: E) => string | undefined;

/** Advice for errors whose window text names a field or a page; undefined: use the window's text. */
const nexts: { readonly [C in AppErrorCode]?: Next<AppErrorOf<C>> } = {
  badAddress: ({ problem }) =>
    problem === 'insecure' ? texts.insecure : problem === 'credentials' ? texts.credentials : undefined,
  nameTaken: () => texts.otherName,
  serviceBusy: () => texts.busy,
  serviceUnfinished: () => texts.serviceUnfinished,
  tokenRefused: () => texts.token,
  tokenMissing: () => texts.tokenMissing,
  unexpectedAnswer({ encoding, notService }) {
    if (notService === 'page') return texts.signIn;
    return encoding === undefined ? texts.checkAddress : undefined;
  },
  badAuthorityFile: () => texts.authorityFile,
  certificateNotTrusted({ reason, fingerprint }) {
    if (reason === 'unknownAuthority') return texts.authority({ fingerprint });
    if (reason === 'selfSigned') return texts.selfSigned({ fingerprint });
    return reason === 'wrongHost' ? texts.checkAddress : undefined;
  },
  badProxyAddress: ({ problem }) => (problem === 'credentials' ? texts.proxyCredentials : undefined),
  proxyFailed: ({ reason }) => nextsOfProxy[reason]?.(),
  badClientCertificate({ problem }) {
    if (problem === 'passphrase') return texts.passphrase;
    return problem === 'unreadable' ? texts.clientFile : undefined;
  },
  clientCertificateRefused({ reason }) {
    if (reason === 'missing') return texts.clientCertificate;
    if (reason === 'closed') return texts.rightCertificate;
    return reason === 'refused' ? texts.otherCertificate : undefined;
  },
  exists: ({ isUnseen }) => (isUnseen ? texts.existsUnseen : undefined),
  tooLarge: ({ limitBytes }) => (limitBytes === undefined ? texts.maxObject : undefined),
  partsForbidden: () => texts.parts,
  folderGone: () => texts.downloadFolder,
  folderReadOnly: () => texts.downloadFolder,
  serviceInTeam: () => texts.leaveTeam,
  teamPasswordMissing: () => texts.teamPassword,
  teamInvite: ({ problem }) => (problem === 'yourself' ? texts.teamComputer : undefined),
  teamServer: ({ why }) => (why === 'login' ? texts.teamLogin : undefined),
  teamAddressDiffers: () => texts.teamAddress,
  teamDiffers: () => texts.otherTeam,
  teamUnshared: () => texts.teamUnshared,
  badImportFile: ({ problem }) => (problem === 'notText' ? texts.encoding : undefined),
  unexpected: () => texts.log,
  catalogueStopped: () => texts.log,
};

const nextsOfProxy: { readonly [R in AppErrorOf<'proxyFailed'>['reason']]?: () => string } = {
  dns: () => texts.proxy,
  timeout: () => texts.proxy,
  other: () => texts.proxy,
  tls: () => texts.proxy,
  notAProxy: () => texts.proxy,
  passwordScheme: () => texts.proxy,
  unsupported: () => texts.proxy,
  refused: () => texts.proxyPort,
  untrusted: () => texts.proxyAuthority,
  passwordMissing: () => texts.proxyPassword,
  passwordRefused: () => texts.proxyPassword,
};

function nextOf<C extends AppErrorCode>(error: AppErrorOf<C> & { code: C }): string | undefined {
  const next: Next<AppErrorOf<C>> | undefined = nexts[error.code];
  return next?.(error);
}
