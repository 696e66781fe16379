import { expect, test } from 'vitest';
import { runEdits } from '../../../test-support/main/edits/random-edits.ts';

const seeds = Array.from(
  { length: Number(process.env['SEEDS'] ?? 6) },
  (_, at) => at + Number(process.env['FROM'] ?? 1),
);

test.each(seeds)('edits over a real folder, from seed %i', async (seed) => {
  const lines: string[] = [];
  await runEdits(seed, (line) => lines.push(line)).catch((cause: unknown) => {
    throw new Error(`seed ${seed}: ${String(cause)}\n${lines.join('\n')}`, { cause });
  });
  expect(lines).toContain('end');
});
