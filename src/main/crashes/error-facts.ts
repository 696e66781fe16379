import { z } from 'zod';

const codePattern = /^[A-Za-z][A-Za-z0-9_]{0,60}$/;

/** The facts of an error that a report may contain. */
export const errorFactsSchema = z.strictObject({
  name: z.string().regex(codePattern),
  code: z.string().regex(codePattern).exactOptional(),
  /** Function, file name, line and column of each call, the innermost first. */
  frames: z.array(z.string().regex(/^(?:[\w$.<>#[\] ]{1,80} )?(?:node:[\w/]{1,60}|[\w.-]{1,70}):\d+:\d+$/)),
  get cause() {
    return errorFactsSchema.exactOptional();
  },
});
export type ErrorFacts = z.infer<typeof errorFactsSchema>;

const maxFrames = 12;
const maxCauses = 4;

/**
 * The kind of an error and where in the code it was thrown. Its message is left out: it may contain a path, an identifier or anything
 * else that Coffer was working on.
 * @param cause an Error, or one that was written to the log
 */
export function errorFacts(cause: unknown, depth = 0): ErrorFacts {
  if (typeof cause !== 'object' || cause === null) return { name: typeof cause, frames: [] };
  const { name, message, stack, code, error, cause: inner } = cause as Record<string, unknown>;
  const ownCode = isCode(code) ? code : isCode(codeIn(error)) ? codeIn(error) : undefined;
  return {
    name: isCode(name) ? name : 'Error',
    ...(isCode(ownCode) && { code: ownCode }),
    frames: framesOf(stack, message),
    ...(inner !== undefined && depth < maxCauses && { cause: errorFacts(inner, depth + 1) }),
  };
}

/** Whether it is a code such as `ENOENT`, `serverError`, `TypeError`. */
export function isCode(value: unknown): value is string {
  return typeof value === 'string' && codePattern.test(value);
}

function codeIn(error: unknown): unknown {
  return typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
}

/** The stack begins with the message, which may have lines that look like calls. */
function framesOf(stack: unknown, message: unknown): string[] {
  if (typeof stack !== 'string') return [];
  const calls = typeof message === 'string' ? stack.replace(message, () => '') : stack;
  return calls
    .split('\n')
    .flatMap((line) => callOf(line) ?? [])
    .slice(0, maxFrames);
}

/**
 * `    at Engine.start (file:///home/max/app/out/main/index.js:12:3)` becomes `Engine.start index.js:12:3`. Drops the folder, because it
 * may contain the person's name.
 */
export function callOf(line: string): string | null {
  const call = /^\s*at (?:(?<name>[\w$.<>#[\] ]{1,80}) \()?(?<file>[^()]*):(?<at>\d+:\d+)\)?$/.exec(
    line,
  )?.groups;
  if (!call) return null;
  const file = /(?:^|[/\\])(?<own>[\w.-]{1,60}\.[cm]?[jt]sx?)(?:\?.*)?$/.exec(call['file'] ?? '')?.groups?.[
    'own'
  ];
  const builtIn = /^node:[\w/]{1,60}$/.exec(call['file'] ?? '')?.[0];
  const place = file ?? builtIn;
  if (place === undefined) return null;
  return `${call['name'] ? `${call['name']} ` : ''}${place}:${call['at']}`;
}
