import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { sortColumnSchema, type ObjectQuery, type ObjectRecord } from '../../shared/domain/object.ts';
import { usualPace } from './index/service-index.ts';
import { createLocalStores, type LocalStores } from '../storage/local-stores.ts';
import { createSchema } from '../../../test-support/main/database/local-database.ts';
import { select } from '../../../test-support/main/objects/model.ts';

const serviceId = 'p1';
const orders = sortColumnSchema.options.flatMap((column) =>
  (['ascending', 'descending'] as const).map((direction) => ({ column, direction })),
);

/** A catalogue on this thread whose index loads step by step, under the test's control. */
async function makeCatalogue(onChanged = () => {}) {
  const db = new DatabaseSync(':memory:');
  db.exec('PRAGMA foreign_keys = ON');
  await createSchema(db);
  const waiting: (() => void)[] = [];
  let mayWait = true;
  const nextTurn = () =>
    mayWait ? new Promise<void>((resolve) => waiting.push(resolve)) : usualPace.nextTurn();
  // No list is awaited, not even an empty one: the index would wait for turns that only this test gives.
  const pace = { rows: 3, ids: 4, awaitedRows: -1, nextTurn };
  const { catalogue } = createLocalStores(db, () => 1_800_000_000_000, onChanged, 1, pace);
  return {
    catalogue,
    async takeTurns(count: number) {
      for (let turn = 0; turn < count; turn += 1) {
        for (const resolve of waiting.splice(0)) resolve();
        await usualPace.nextTurn();
      }
    },
    readOn() {
      mayWait = false;
      for (const resolve of waiting.splice(0)) resolve();
    },
    [Symbol.dispose]() {
      catalogue.close();
      db.close();
    },
  };
}

const number = fc.option(fc.constantFrom(0, 1, 2, 2 ** 40));
/** Changes one column at a time, so that only few of many rows are out of place. */
const patch = fc.oneof(
  fc.record({ state: fc.constantFrom('stored', 'uploading', 'unknown', 'gone', 'failed') }),
  fc.record({ lengthBytes: number }),
  fc.record({ classification: fc.constantFrom(null, 'a', 'B', '\u{ffee}', '\u{1f600}', 'a\0') }),
  fc.record({ storedAtMs: number }),
  fc.record({ checkedAtMs: number }),
);
const object = fc.record({ kind: fc.constantFrom('data', 'secret'), patch });
const step = fc.record({
  updates: fc.array(fc.tuple(fc.nat(), patch), { maxLength: 3 }),
  removals: fc.array(fc.nat(), { maxLength: 3 }),
  arrivals: fc.array(fc.tuple(fc.nat(99), object), { maxLength: 3 }),
  turns: fc.nat(8),
  /** Not every order is queried after every change, so that orders also catch up with several changes at once. */
  asked: fc.subarray(orders),
});
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;
const world = {
  objects: fc.array(object, { minLength: 9, maxLength: 60 }),
  steps: fc.array(step, { minLength: 1, maxLength: 8 }),
};
/** One row in five is a version of the same base. */
const identifierOf = (n: number) => {
  if (n % 5 === 4) return n === 4 ? 'A' : `A@${n}`;
  return ['b/', 'a\0', '\u{ffee}', '\u{10fffe}'][n % 5] + String(n) + ['', '.txt', '.TXT', '.png'][n % 4];
};

/** Applies the same changes to the catalogue and to a simple model. */
function createChanges(catalogue: LocalStores['catalogue']) {
  const model = new Map<number, ObjectRecord>();
  const add = async (arrivals: Step['arrivals']) => {
    const objects = arrivals.map(([n, given]) => ({ ...given, identifier: identifierOf(n) }));
    for (const { record } of await catalogue.add(serviceId, objects)) model.set(record.id, record);
  };
  return {
    add,
    async take({ updates, removals, arrivals }: Step) {
      const pick = (n: number) => [...model.keys()][n % Math.max(model.size, 1)] ?? 0;
      const changes = updates.map(([n, change]) => ({ id: pick(n), patch: change }));
      await catalogue.update(changes);
      for (const record of await catalogue.getMany([...model.keys()])) model.set(record.id, record);
      const leaving = removals.map(pick);
      await catalogue.remove(leaving);
      for (const id of leaving) model.delete(id);
      await add(arrivals);
    },
    /** Pages in these orders, with what the model expects. */
    async pages(asked: readonly ObjectQuery['sort'][], allVersions = false) {
      const found: object[] = [];
      const wanted: object[] = [];
      for (const [position, sort] of asked.entries()) {
        const kind = position % 3 === 0 ? 'secret' : 'data';
        const query: ObjectQuery = { serviceId, kind, place: { kind: 'all' }, search: '', allVersions, sort };
        const { total, totalBytes, rows } = await catalogue.page(query, 2, 50);
        found.push({ query, total, totalBytes, rows });
        const all = select([...model.values()], query, '/');
        wanted.push({
          query,
          total: all.length,
          totalBytes: all.reduce((sum, { lengthBytes }) => sum + (lengthBytes ?? 0), 0),
          rows: all.slice(2, 52),
        });
      }
      return { found, wanted };
    },
  };
}

const keepsEveryOrder = (numRuns: number) =>
  fc.assert(
    fc.asyncProperty(world.objects, world.steps, async (objects, steps) => {
      using made = await makeCatalogue();
      made.readOn();
      const changes = createChanges(made.catalogue);
      await changes.add(objects.map((given, at) => [(at * 37) % 100, given]));
      await made.catalogue.collections(serviceId);
      const first = await changes.pages(orders);
      expect(first.found).toEqual(first.wanted);
      for (const taken of steps) {
        await changes.take(taken);
        const pages = await changes.pages(taken.asked);
        expect(pages.found).toEqual(pages.wanted);
      }
      const last = await changes.pages(orders);
      expect(last.found).toEqual(last.wanted);
    }),
    { numRuns },
  );

it('keeps every order while rows are added, moved, removed and restored', async () => {
  await expect(keepsEveryOrder(15)).resolves.toBeUndefined();
});

it('keeps every order of more rows', { tags: 'all' }, async () => {
  await expect(keepsEveryOrder(40)).resolves.toBeUndefined();
});

// Until the index is ready the database answers, without hiding versions.
const answersTheSame = (numRuns: number) =>
  fc.assert(
    fc.asyncProperty(world.objects, world.steps, async (objects, steps) => {
      using made = await makeCatalogue();
      const changes = createChanges(made.catalogue);
      await changes.add(objects.map((given, at) => [(at * 37) % 100, given]));
      const first = await changes.pages(orders, true);
      expect(first.found).toEqual(first.wanted);
      for (const taken of steps) {
        await changes.take(taken);
        await made.takeTurns(taken.turns);
        const pages = await changes.pages(taken.asked, true);
        expect(pages.found).toEqual(pages.wanted);
      }
      made.readOn();
      await made.catalogue.collections(serviceId);
      const last = await changes.pages(orders);
      expect(last.found).toEqual(last.wanted);
    }),
    { numRuns },
  );

it('gives the same answers at any point of loading', async () => {
  await expect(answersTheSame(15)).resolves.toBeUndefined();
});

it('answers for a list that becomes empty while its index loads', async () => {
  using made = await makeCatalogue();
  const changes = createChanges(made.catalogue);
  await changes.add([1, 2, 3, 4].map((n) => [n, { kind: 'data', patch: { state: 'stored' } }]));
  await changes.pages(orders, true);
  await changes.take({ updates: [], removals: [0, 1, 2, 3], arrivals: [], turns: 0, asked: [] });
  const { found, wanted } = await changes.pages(orders, true);
  expect(found).toEqual(wanted);
});

it('gives the same answers at more points of loading', { tags: 'all' }, async () => {
  await expect(answersTheSame(40)).resolves.toBeUndefined();
});

it('announces a change when it begins to hide versions that the database had shown', async () => {
  let told = 0;
  using made = await makeCatalogue(() => (told += 1));
  const changes = createChanges(made.catalogue);
  const stored = { kind: 'data', patch: { state: 'stored' } } as const;
  await changes.add([4, 9, 14].map((n) => [n, stored]));
  const before = told;
  const query: ObjectQuery = {
    serviceId,
    kind: 'data',
    place: { kind: 'all' },
    search: '',
    sort: { column: 'identifier', direction: 'ascending' },
  };
  expect((await made.catalogue.page(query, 0, 9)).total).toBe(3);
  made.readOn();
  await made.catalogue.collections(serviceId);
  expect(told).toBe(before + 1);
  expect(await made.catalogue.page(query, 0, 9)).toMatchObject({ total: 1, folded: 2 });
});
