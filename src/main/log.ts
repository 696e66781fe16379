import { join } from 'node:path';
import { pino } from 'pino';
import {
  closeSync,
  existsSync,
  fstatSync,
  mkdirSync,
  openSync,
  renameSync,
  statSync,
  writeSync,
} from './local-files/fs.ts';
import type { Log } from './ports.ts';

const rotateAboveBytes = 4 * 1024 * 1024;

/**
 * JSON lines in `<folder>/coffer.log`. A file over 4 MiB becomes `coffer.1.log`, and the previous one `coffer.2.log`;
 * older ones are deleted. Written synchronously, so that a crash loses no lines.
 */
export function createLog(folder: string): { log: Log; path: string; close: () => void } {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, 'coffer.log');
  if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) > rotateAboveBytes) rotate(folder);
  let file: number | null = openSync(path, 'a', 0o600);
  let sizeBytes = fstatSync(file).size;
  const logger = pino(
    {
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (level) => ({ level }) },
      serializers: { cause: describeCause },
      redact: { paths: secretKeys.flatMap((key) => [key, `*.${key}`, `*.*.${key}`]), censor: '[secret]' },
    },
    {
      write(line) {
        if (file === null) return;
        append(file, line.replace(/\bBearer\s+[^\s"\\]+/gi, 'Bearer [secret]'));
        sizeBytes += Buffer.byteLength(line);
        if (sizeBytes <= rotateAboveBytes) return;
        rotate(folder);
        file = reopen(path, file);
        sizeBytes = 0;
      },
    },
  );
  const write =
    (level: 'info' | 'warn' | 'error'): Log['info'] =>
    (message, details = {}) =>
      logger[level](details, message);
  const close = () => {
    if (file !== null) closeSync(file);
    file = null;
  };
  return { log: { info: write('info'), warn: write('warn'), error: write('error') }, path, close };
}

/** Renames `coffer.log` to `coffer.1.log`. If that fails, the file keeps growing. */
function rotate(folder: string): void {
  const newest = join(folder, 'coffer.log');
  const older = join(folder, 'coffer.1.log');
  try {
    if (existsSync(older)) renameSync(older, join(folder, 'coffer.2.log'));
    renameSync(newest, older);
  } catch {
    // On Windows another program may have one of them open.
  }
}

/** Opens the file now at this path; keeps the open one if that fails. */
function reopen(path: string, file: number): number {
  try {
    const next = openSync(path, 'a', 0o600);
    closeSync(file);
    return next;
  } catch {
    return file;
  }
}

function append(file: number, line: string): void {
  try {
    writeSync(file, line);
  } catch {
    // A full disk is reported by the failing operation; logging must not fail too.
  }
}

const secretKeys = ['token', 'accessToken', 'authorization', 'masterKey', 'password', 'value'];

/** Serialises an exception. The message and stack of a system error contain paths, so only its code is logged. */
function describeCause(cause: unknown): unknown {
  if (!(cause instanceof Error)) return cause;
  const { name, message, stack } = cause;
  const inner = cause.cause === undefined ? {} : { cause: describeCause(cause.cause) };
  if ('syscall' in cause && 'code' in cause) return { name, code: cause.code, syscall: cause.syscall };
  const error = 'error' in cause ? { error: cause.error } : {};
  return { name, message, stack, ...error, ...inner };
}
