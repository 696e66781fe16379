import type { AppError, AppErrorCode, AppErrorOf } from '../../shared/errors.ts';

/** Documented in the manual page (`manual.ts`). */
export const exitCodes = {
  done: 0,
  error: 1,
  usage: 2,
  notFound: 3,
  /** The token is missing or refused. */
  token: 4,
  tryLater: 5,
  exists: 6,
  forbidden: 7,
  someFailed: 8,
  /** `runCommand` replaces it by that of the signal. */
  interrupted: 130,
} as const;
/** The signals that end a command in order, with its exit code: 128 and the signal's number, as shells show it. */
export const endingSignals = { SIGHUP: 129, SIGINT: 130, SIGQUIT: 131, SIGTERM: 143 } as const;
export type EndingSignal = keyof typeof endingSignals;

export function isInterrupted(code: number): boolean {
  return Object.values<number>(endingSignals).includes(code);
}

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

const { usage, notFound, token, tryLater, exists, forbidden } = exitCodes;

const codes: Readonly<Partial<Record<AppErrorCode, ExitCode>>> = {
  invalidInput: usage,
  badIdentifier: usage,
  badAddress: usage,
  badProxyAddress: usage,
  nameTaken: usage,
  notFound,
  missing: notFound,
  fileGone: notFound,
  folderGone: notFound,
  tokenRefused: token,
  tokenMissing: token,
  unreachable: tryLater,
  proxyFailed: tryLater,
  answerTimeout: tryLater,
  connectionLost: tryLater,
  tooManyRequests: tryLater,
  serverError: tryLater,
  stillThere: tryLater,
  dataFolderInUse: tryLater,
  notReady: tryLater,
  exists,
  forbidden,
  tooLarge: forbidden,
  approvalRefused: forbidden,
  badInvitation: usage,
  teamPasswordMissing: token,
  serviceInTeam: exists,
  teamInvite: forbidden,
  teamCurate: forbidden,
  teamCreate: forbidden,
};

/** Exit codes for errors of a team's server; the others need a change by a person. */
const codesOfTeam: Readonly<Partial<Record<AppErrorOf<'teamServer'>['why'], ExitCode>>> = {
  unreachable: tryLater,
  closed: tryLater,
  silent: tryLater,
  busy: tryLater,
  full: tryLater,
  locked: tryLater,
  readOnly: tryLater,
  fault: tryLater,
  oldSchema: tryLater,
  login: token,
  // Also the case while a backup is restored, so Coffer retries.
  noTeam: tryLater,
  noAccess: tryLater,
  unsafeLogin: token,
  ended: token,
};

export function exitCodeOf(error: AppError): ExitCode {
  const code = codeOf(error) ?? exitCodes.error;
  return code === tryLater && !passesByItself(error) ? exitCodes.error : code;
}

function codeOf(error: AppError): ExitCode | undefined {
  if (error.code === 'teamServer') return codesOfTeam[error.why];
  // Once somebody has signed in to the network, the service answers again.
  if (error.code === 'unexpectedAnswer' && error.notService === 'page') return tryLater;
  return codes[error.code];
}

const settings = new Set<AppErrorCode>([
  'certificateNotTrusted',
  'clientCertificateRefused',
  'badClientCertificate',
  'badAuthorityFile',
  'badProxyAddress',
]);
const settingsOfProxy = new Set<AppErrorOf<'proxyFailed'>['reason']>([
  'untrusted',
  'passwordMissing',
  'passwordRefused',
  'passwordScheme',
  'denied',
  'notAProxy',
  'unsupported',
]);

/** false: a setting has to change first, such as a certificate that is not trusted, so waiting is no use. */
export function passesByItself(error: AppError): boolean {
  if (error.code === 'unexpectedAnswer') return error.notService !== 'everything';
  return error.code === 'proxyFailed' ? !settingsOfProxy.has(error.reason) : !settings.has(error.code);
}

/** After a keychain timeout the next try may succeed, so that is `tryLater`. */
export function exitCodeWithoutToken(trouble: AppError | null): ExitCode {
  return trouble?.code === 'keychain' && trouble.problem === 'timeout' ? tryLater : token;
}

/** Combines the exit codes of several objects into one. */
export function exitCodeOfAll(codes: readonly ExitCode[]): ExitCode {
  const failed = codes.filter((code) => code !== exitCodes.done);
  const [first] = failed;
  if (first === undefined) return exitCodes.done;
  if (failed.includes(exitCodes.interrupted)) return exitCodes.interrupted;
  // No permanent failure: the rest continues by itself or succeeds on a retry.
  if (failed.every((code) => code === exitCodes.tryLater)) return exitCodes.tryLater;
  if (failed.length < codes.length) return exitCodes.someFailed;
  return failed.every((code) => code === first) ? first : exitCodes.error;
}
