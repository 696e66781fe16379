import { expect, test } from 'vitest';
import { factBits } from '../../../shared/domain/unverified.ts';
import type { ObjectKind, ObjectRecord } from '../../../shared/domain/object.ts';
import { Families } from './families.ts';
import { ObjectIndex } from './object-index.ts';

const facts = {
  lengthBytes: 1,
  storedAtMs: null,
  checkedAtMs: null,
  classification: null,
  sourceName: null,
  note: '',
} as const;

function openFamilies() {
  const index = new ObjectIndex('/', 0);
  const ids = new Map<string, number>();
  const naming = { number: 1, separator: '/', versionMark: '@{number}' };
  const families = new Families(index, naming, (_kind, identifier) =>
    index.slotOf(ids.get(identifier) ?? -1),
  );
  return {
    families,
    add: (
      identifier: string,
      kind: ObjectKind = 'data',
      state: 'stored' | 'failed' = 'stored',
      marks: Pick<ObjectRecord, 'unverified' | 'isShared'> = {},
    ): number => {
      const id = ids.size + 1;
      ids.set(identifier, id);
      const slot = index.put({ ...facts, id, kind, identifier, state, ...marks }, true);
      families.add(slot, kind, identifier);
      return slot;
    },
    remove: (slot: number) => {
      index.remove(index.ids[slot] ?? 0);
      families.remove(slot);
    },
  };
}

test('versions are in order, whatever the order of additions and removals', () => {
  const { families, add, remove } = openFamilies();
  const third = add('a@3.txt');
  const first = add('a.txt');
  const ninth = add('a@9.txt');
  const second = add('a@2.txt');
  const secret = add('a@4.txt', 'secret');
  expect(families.membersOf(ninth)).toEqual([first, second, third, ninth]);
  expect(families.membersOf(secret)).toEqual([secret]);
  remove(third);
  expect(families.membersOf(first)).toEqual([first, second, ninth]);
  expect(families.familyOf(second)).toEqual({ base: 'a.txt', count: 3 });
  remove(first);
  remove(ninth);
  remove(second);
  expect(families.membersOf(add('a.txt'))).toHaveLength(1);
});

test('shows the newest stored version among those wanted, or else the newest', () => {
  const { families, add } = openFamilies();
  const [first, second, third] = [add('a.txt'), add('a@2.txt'), add('a@3.txt', 'data', 'failed')];
  for (const _ of families.join());
  const shown = (...slots: number[]) => {
    const mask = Uint8Array.from([first, second, third], (slot) => (slots.includes(slot) ? 1 : 0));
    return [families.fold(mask), ...mask];
  };
  expect(shown(first, second, third)).toEqual([2, 0, 1, 0]);
  expect(shown(first, third)).toEqual([1, 1, 0, 0]);
  expect(shown(third)).toEqual([0, 0, 0, 1]);
});

test('a version that is only said to exist hides none that was seen', () => {
  const { families, add } = openFamilies();
  const told = { unverified: factBits.presence };
  const team = { ...told, isShared: true } as const;
  const shown = [
    ['a', add('a'), add('a@9', 'data', 'stored', told)],
    ['b', add('b', 'data', 'stored', told), add('b@9', 'data', 'stored', told)],
    ['c', add('c'), add('c@9', 'data', 'stored', team)],
    ['s', add('s', 'secret'), add('s@9', 'secret', 'stored', team)],
  ] as const;
  for (const _ of families.join());
  const mask = new Uint8Array(8).fill(1);
  families.fold(mask);
  expect(shown.map(([name, first, last]) => [name, mask[first], mask[last]])).toEqual([
    ['a', 1, 0],
    ['b', 0, 1],
    ['c', 0, 1],
    ['s', 1, 0],
  ]);
});

test('finds versions of rows beyond the expected number', () => {
  const { families, add } = openFamilies();
  add('first@2.txt');
  for (let row = 0; row < 3000; row += 1) add(`${String(row)}.txt`);
  const slots = [add('last@2.txt'), add('last@3.txt')];
  expect(families.membersOf(slots[0] ?? 0)).toEqual(slots);
});
