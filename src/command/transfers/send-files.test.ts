import { expect, test } from 'vitest';
import { createGathering } from '../../../test-support/command/in-process.ts';
import { systemClock } from '../../main/clock.ts';
import type { Context } from '../context.ts';
import { exitCodes } from '../errors/exit-code.ts';
import { atOnce } from '../objects/find-objects.ts';
import { createOutput } from '../terminal/output.ts';
import { sendFiles } from './send-files.ts';

test('uploads more files than one call accepts in several calls, and reports the results of each', async () => {
  const [stdout, stderr] = [createGathering(), createGathering()];
  const paths = Array.from({ length: 2 * atOnce + 1 }, (_, index) => `/files/${index}`);
  const given: (readonly string[])[] = [];
  const coffer = {
    async call(_name: string, { grants }: { grants: readonly string[] }) {
      given.push(grants);
      const problems = [{ fileName: grants[0], problem: { code: 'gone' } }];
      return { ids: [], problems, problemCount: 1, refused: [] };
    },
    grant: async (some: readonly string[]) => some,
    follow: async () => undefined,
  };
  const context = {
    io: { clock: systemClock },
    coffer,
    output: createOutput({ json: false, quiet: false, progress: false, stdout, stderr }),
    interrupted: new AbortController().signal,
    makeWay: new AbortController().signal,
    service: async () => ({ id: 's' }),
  } as unknown as Context;
  expect(await sendFiles(context, { paths }, { ifExists: 'ask' })).toBe(exitCodes.notFound);
  expect(given.map(({ length }) => length)).toEqual([atOnce, atOnce, 1]);
  expect(given.flat()).toEqual(paths);
  const named = stderr.text().trim().split('\n');
  expect(named.map((line) => line.split(':')[0])).toEqual(['/files/0', '/files/1000', '/files/2000']);
});
