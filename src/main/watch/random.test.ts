import { expect, test } from 'vitest';
import { runWatch } from '../../../test-support/main/watch/random-watch.ts';

const seeds = Array.from(
  { length: Number(process.env['SEEDS'] ?? 6) },
  (_, at) => at + Number(process.env['FROM'] ?? 1),
);

test.each(seeds)('a watched folder, from seed %i', async (seed) => {
  const lines: string[] = [];
  await runWatch(seed, (line) => lines.push(line)).catch((cause: unknown) => {
    throw new Error(`seed ${seed}: ${String(cause)}\n${lines.join('\n')}`, { cause });
  });
  expect(lines).toContain('end');
});
