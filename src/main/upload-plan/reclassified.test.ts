import { expect, it } from 'vitest';
import { serviceId, startBench } from '../../../test-support/main/transfers/bench.ts';
import { countReclassified } from './reclassified.ts';

it('counts stored objects of another classification, by theirs', async () => {
  const bench = await startBench();
  try {
    for (const name of ['a', 'b', 'c']) await bench.store(name, name, { classification: 'Secret' });
    await bench.store('d', 'd', { classification: null });
    await bench.store('e', 'e', { classification: 'Internal' });
    await bench.store('f', 'f', { classification: 'Secret', state: 'missing' });
    const count = (to: string | null) =>
      countReclassified(bench.catalogue, serviceId, ['a', 'b', 'c', 'd', 'e', 'f', 'new'], to);
    expect(await count('Internal')).toEqual([
      { from: 'Secret', count: 3 },
      { from: null, count: 1 },
    ]);
    expect(await count(null)).toEqual([
      { from: 'Secret', count: 3 },
      { from: 'Internal', count: 1 },
    ]);
  } finally {
    await bench.close();
  }
});
