import { expect, test } from 'vitest';
import { runWatch } from '../../../test-support/main/watch/random-watch.ts';

const seeds = Array.from(
  { length: Number(process.env['SEEDS'] ?? 6) },
  (_, at) => at + Number(process.env['FROM'] ?? 1),
);

test.each(seeds.slice(0, 1))('a watched folder, from seed %i', keepsPromises);

test.each(seeds.slice(1))('a watched folder, from seed %i', { tags: 'all' }, keepsPromises);

async function keepsPromises(seed: number): Promise<void> {
  const lines: string[] = [];
  await runWatch(seed, (line) => lines.push(line)).catch((cause: unknown) => {
    throw new Error(`seed ${seed}: ${String(cause)}\n${lines.join('\n')}`, { cause });
  });
  expect(lines).toContain('end');
}
