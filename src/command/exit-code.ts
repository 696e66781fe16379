import type { AppError } from '../shared/errors.ts';

/** What a command answers to the one who started it. */
export const exitCodes = {
  done: 0,
  error: 1,
  usage: 2,
  notFound: 3,
  /** Missing or refused. */
  token: 4,
  tryLater: 5,
  exists: 6,
  forbidden: 7,
  /** Of several, some failed and others did not. */
  someFailed: 8,
  interrupted: 130,
} as const;
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** By the one error that ended a command. */
export function exitCodeOf(error: AppError): ExitCode {
  switch (error.code) {
    case 'invalidInput':
    case 'badIdentifier':
    case 'badAddress':
      return exitCodes.usage;
    case 'notFound':
    case 'missing':
    case 'fileGone':
    case 'folderGone':
      return exitCodes.notFound;
    case 'tokenRefused':
    case 'tokenMissing':
      return exitCodes.token;
    case 'unreachable':
    case 'proxyFailed':
    case 'answerTimeout':
    case 'connectionLost':
    case 'tooManyRequests':
    case 'serverError':
    case 'dataFolderInUse':
    case 'notReady':
      return exitCodes.tryLater;
    case 'exists':
      return exitCodes.exists;
    case 'forbidden':
    case 'tooLarge':
    case 'approvalRefused':
      return exitCodes.forbidden;
    default:
      return exitCodes.error;
  }
}

/** Of several, each with its own end. */
export function exitCodeOfAll(codes: readonly ExitCode[]): ExitCode {
  const failed = codes.filter((code) => code !== exitCodes.done);
  const [first] = failed;
  if (first === undefined) return exitCodes.done;
  if (failed.length < codes.length) return exitCodes.someFailed;
  return failed.every((code) => code === first) ? first : exitCodes.error;
}
