import { randomUUID } from 'node:crypto';
import type { z } from 'zod';
import {
  procedures,
  schemasOf,
  type Handlers,
  type Input,
  type ProcedureName,
  type Reply,
} from '../../shared/contract.ts';
import { type AppError } from '../../shared/errors.ts';
import { toAppError, AppFailure } from '../../shared/app-failure.ts';
import type { Log } from '../ports.ts';

export type Router = (name: unknown, input: unknown) => Promise<Reply>;

/**
 * Calls from the window reach handlers only here: own-property names, validated input, and a reply that is either a
 * value or an AppError. Never rejects. Unexpected errors are logged under a reference, and only the reference is
 * sent: no path, token or stack. Calls made while the app starts wait for `current`, except those that `atOnce`
 * handles.
 */
export function createRouter(
  current: () => Promise<Partial<Handlers>>,
  log: Log,
  atOnce: Partial<Handlers> = {},
): Router {
  return async (name, input) => {
    if (!isProcedureName(name)) return refuse({ code: 'unknownProcedure' });
    const parsed = schemasOf(name).input.safeParse(input);
    if (!parsed.success) {
      const issue = parsed.error.issues[0];
      return refuse({
        code: 'invalidInput',
        // Reports only the place in our own schema, never keys that the caller made up.
        field: describePlace(issue?.path ?? []),
        ...describeProblem(issue),
      });
    }
    try {
      const handlers = Object.hasOwn(atOnce, name) ? atOnce : await current();
      return { ok: true, value: await run(handlers, name, parsed.data) };
    } catch (cause) {
      const error = toAppError(cause);
      if (error) return refuse(error);
      const reference = randomUUID().slice(0, 8);
      log.error('procedure failed', { procedure: name, reference, cause });
      return refuse({ code: 'unexpected', reference });
    }
  };
}

function run<N extends ProcedureName>(handlers: Partial<Handlers>, name: N, input: unknown): unknown {
  const handler = handlers[name];
  if (!handler) throw new AppFailure({ code: 'notReady' });
  // The input was validated by the schema of this name; the compiler cannot relate the two.
  return handler(input as Input<N>);
}

function isProcedureName(name: unknown): name is ProcedureName {
  return typeof name === 'string' && Object.hasOwn(procedures, name);
}

function describeProblem(issue: z.core.$ZodIssue | undefined): { problem: string; limit?: number } {
  const isList = issue?.code === 'too_big' && issue.origin === 'array';
  if (issue?.code === 'too_big' && (isList || issue.origin === 'string'))
    return { problem: isList ? 'tooMany' : 'tooLong', limit: Number(issue.maximum) };
  if (issue?.code === 'too_small' && (issue.origin === 'array' || issue.origin === 'string'))
    return { problem: 'empty' };
  if (issue?.code === 'invalid_format' && issue.format === 'regex') return { problem: 'characters' };
  if (issue?.code === 'too_big') return { problem: 'tooLarge', limit: Number(issue.maximum) };
  // Only whole numbers have a limit.
  if (issue?.code === 'too_small')
    return { problem: 'tooSmall', limit: Number(issue.minimum) + (issue.inclusive === true ? 0 : 1) };
  return { problem: issue?.code ?? 'invalid' };
}

function describePlace(path: readonly PropertyKey[]): string {
  const place = path.map(String).join('.');
  return /^[\w.]{1,100}$/.test(place) ? place : 'input';
}

function refuse(error: AppError): Reply {
  return { ok: false, error };
}
