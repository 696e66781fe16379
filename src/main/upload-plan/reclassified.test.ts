import { expect, it } from 'vitest';
import { factBits } from '../../shared/domain/unverified.ts';
import { serviceId, startBench } from '../../../test-support/main/transfers/bench.ts';
import { countReclassified } from './hand-over.ts';

it('counts stored objects of another classification, by theirs', async () => {
  const bench = await startBench();
  try {
    for (const name of ['a', 'b', 'c']) await bench.store(name, name, { classification: 'Secret' });
    await bench.store('d', 'd', { classification: null, storedAtMs: 1 });
    await bench.store('e', 'e', { classification: 'Internal' });
    await bench.store('f', 'f', { classification: 'Secret', state: 'missing' });
    const count = (to: string | null) =>
      countReclassified(bench.catalogue, serviceId, ['a', 'b', 'c', 'd', 'e', 'f', 'new'], to, 'replace');
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

it('compares a new version with the newest stored one, and a replacement with what it replaces', async () => {
  const bench = await startBench();
  try {
    await bench.store('a.txt', '1', { classification: 'Public' });
    await bench.store('a@2.txt', '2', { classification: 'Restricted' });
    await bench.store('a@3.txt', '3', { classification: 'Internal', state: 'missing' });
    await bench.store('a@4.txt', '4', { classification: 'Internal', unverified: factBits.presence });
    const count = (ifExists: 'replace' | 'newVersion') =>
      countReclassified(bench.catalogue, serviceId, ['a.txt', 'new.txt'], 'Public', ifExists);
    expect(await count('newVersion')).toEqual([{ from: 'Restricted', count: 1 }]);
    expect(await count('replace')).toEqual([]);
  } finally {
    await bench.close();
  }
});
