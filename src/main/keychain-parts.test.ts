import fc from 'fast-check';
import { expect, test } from 'vitest';
import { takeLongValues } from './keychain-parts.ts';
import { createTestSecrets } from '../../test-support/main/test-ports.ts';

const maxBytes = 64;

/** Like that of Windows: rejects entries that are too long. */
function createSmallStore() {
  const inner = createTestSecrets();
  let writesLeft = Infinity;
  return {
    entries: inner.entries,
    breakAfter: (writes: number) => (writesLeft = writes),
    store: takeLongValues(
      {
        ...inner,
        set: async (account, value) => {
          if (Buffer.byteLength(value) > maxBytes) throw new Error('The stub received bad data');
          if ((writesLeft -= 1) < 0) throw new Error('broken off');
          await inner.set(account, value);
        },
      },
      maxBytes,
    ),
  };
}

test('stores values of any length and deletes them completely', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.string({ unit: 'grapheme', maxLength: 400 }), { minLength: 1 }),
      async (values) => {
        const { store, entries } = createSmallStore();
        for (const value of values) {
          await store.set('a', value);
          expect(await store.get('a')).toBe(value);
        }
        await store.delete('a');
        expect([await store.get('a'), entries.size]).toEqual([null, 0]);
      },
    ),
  );
});

test.each([0, 1, 2, 3])(
  'a write that breaks off after %i entries leaves the value before',
  async (writes) => {
    const { store, breakAfter } = createSmallStore();
    const before = 'old '.repeat(40);
    await store.set('a', before);
    breakAfter(writes);
    await expect(store.set('a', 'new '.repeat(40))).rejects.toThrow('broken off');
    expect(await store.get('a')).toBe(before);
  },
);

test('a value whose part is gone is none', async () => {
  const { store, entries } = createSmallStore();
  await store.set('a', 'long '.repeat(40));
  const [part] = [...entries.keys()].filter((account) => account !== 'a');
  entries.delete(part ?? '');
  expect(await store.get('a')).toBeNull();
});
