import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';

import { StartProblem } from './answers.ts';
import { explainStartFailure } from './service.ts';
import type { LocalServiceOptions } from './service.ts';

export const usage = `Usage: npm run service -- --data DIR [options]
  --data DIR           where everything is stored; made when it is not there
  --port N             0 or omitted: any free port
  --token-file FILE    holds the access token; omitted: COFFER_TOKEN of the environment, else a random one, shown once
  --processing-ms N    how long a deferred request is processed (500)
  --token-ttl-s N      how long a deferred token can be used (1800)
  --window WHAT        fixed: from the start of the request; sliding: from the last use (fixed)
  --rate-per-s N       more requests than that are answered 429 (no limit)
  --help`;

type Arguments = Omit<LocalServiceOptions, 'masterKey'> & { isTokenNew: boolean };

/** undefined: the person asked for the usage text. Throws what `explainFailure` explains. */
export async function readArguments(
  args: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<Arguments | undefined> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      data: { type: 'string' },
      port: { type: 'string', default: '0' },
      'token-file': { type: 'string' },
      'processing-ms': { type: 'string', default: '500' },
      'token-ttl-s': { type: 'string', default: '1800' },
      window: { type: 'string', default: 'fixed' },
      'rate-per-s': { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return undefined;
  // parseArgs' own message would repeat the value, which may be a token.
  if (positionals.length > 0) throw new StartProblem('There is a value that belongs to no option.');
  if (!values.data) throw new StartProblem('--data DIR is missing.');
  const { window } = values;
  if (window !== 'fixed' && window !== 'sliding')
    throw new StartProblem('--window must be fixed or sliding.');
  const rate = values['rate-per-s'];
  return {
    dataFolder: values.data,
    port: readNumber('--port', values.port, { min: 0, max: 65_535 }),
    ...(await readToken(values['token-file'], env['COFFER_TOKEN'])),
    processingMs: readNumber('--processing-ms', values['processing-ms'], { min: 0, max: 3_600_000 }),
    tokenTtlMs: 1000 * readNumber('--token-ttl-s', values['token-ttl-s'], { min: 1, max: 86_400 }),
    window,
    ratePerSecond: rate === undefined ? null : readNumber('--rate-per-s', rate, { min: 1, max: 1_000_000 }),
  };
}

/** The token must not be on the command line, which other users of the computer can read. */
async function readToken(
  file: string | undefined,
  given: string | undefined,
): Promise<{ token: string; isTokenNew: boolean }> {
  if (file !== undefined && given !== undefined) {
    throw new StartProblem('The token is given twice: by --token-file and by COFFER_TOKEN.');
  }
  if (file === undefined) {
    return { token: given ?? randomBytes(24).toString('hex'), isTokenNew: given === undefined };
  }
  const text = await readFile(file, 'utf8').catch((cause: unknown) => {
    throw new StartProblem('The token file cannot be read.', { cause });
  });
  return { token: text.replace(/\r?\n$/, ''), isTokenNew: false };
}

function readNumber(name: string, text: string, { min, max }: { min: number; max: number }): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value < min || value > max) {
    throw new StartProblem(`${name} must be a whole number from ${min} to ${max}.`);
  }
  return value;
}

/** Why the arguments were refused or the service did not start, without paths or tokens. */
export function explainFailure(cause: unknown): string {
  const isUsageError =
    cause instanceof TypeError && 'code' in cause && String(cause.code).startsWith('ERR_PARSE_ARGS');
  return isUsageError ? `${cause.message}\n\n${usage}` : explainStartFailure(cause).words;
}
