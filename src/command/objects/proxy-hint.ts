import { environmentProxy } from '../../main/connections/environment-proxy.ts';
import type { AppError } from '../../shared/errors.ts';
import type { Context } from '../context.ts';
import { errorLine } from '../errors/error-line.ts';
import { commandTexts as texts } from '../texts.ts';

/** Loopback hosts, never reached through a proxy. */
const loopback = /^(localhost|127\.[\d.]+|\[::1\])(:\d+)?$/;

/**
 * The text of an error. Without the app nothing reads the system's proxy settings and PAC files, so adds a hint if a service is
 * unreachable and the environment names no proxy for it.
 */
export function errorLineWithProxy(error: AppError, { doneBy, io }: Pick<Context, 'doneBy' | 'io'>): string {
  const line = errorLine(error);
  if (error.code !== 'unreachable' || doneBy !== 'thisCommand' || loopback.test(error.host)) return line;
  return environmentProxy(`https://${error.host}`, io.env) === null ? `${line} ${texts.noProxy}` : line;
}
