import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  sortColumnSchema,
  type ObjectQuery,
  type ObjectRecord,
  type SortColumn,
} from '../../shared/domain/object.ts';
import { LocalCatalogue } from './local-catalogue.ts';
import { migrate, migrations } from './migrations.ts';
import { select } from './test/model.ts';

const profileId = 'p1';
const orders = sortColumnSchema.options.flatMap((column) =>
  (['ascending', 'descending'] as const).map((direction) => ({ column, direction })),
);

async function makeCatalogue() {
  const db = new DatabaseSync(':memory:');
  db.exec('PRAGMA foreign_keys = ON');
  await migrate(db, migrations, async () => undefined);
  const catalogue = new LocalCatalogue(
    db,
    () => 1_800_000_000_000,
    () => undefined,
  );
  return {
    catalogue,
    [Symbol.dispose]() {
      catalogue.close();
      db.close();
    },
  };
}

const number = fc.option(fc.constantFrom(0, 1, 2, 2 ** 40));
/** One column moves at a time, so that few of many rows are out of place. */
const patch = fc.oneof(
  fc.record({ state: fc.constantFrom('stored', 'uploading', 'unknown', 'gone', 'failed') }),
  fc.record({ lengthBytes: number }),
  fc.record({ classification: fc.constantFrom(null, 'a', 'B', '\u{ffee}', '\u{1f600}', 'a\0') }),
  fc.record({ storedAtMs: number }),
  fc.record({ checkedAtMs: number }),
);
const which = fc.array(fc.nat(), { maxLength: 3 });
const step = fc.record({
  updates: fc.array(fc.tuple(fc.nat(), patch), { maxLength: 3 }),
  removals: which,
  arrivals: fc.array(fc.integer({ min: 0, max: 99 }), { maxLength: 3 }),
  /** Not every order is asked after every change: an order follows several at once too. */
  asked: fc.subarray(orders),
});
const identifier = (n: number) => ['b/', 'a\0', '\u{ffee}', '\u{10fffe}', 'A'][n % 5] + String(n);

function query(sort: ObjectQuery['sort']): ObjectQuery {
  return { profileId, kind: 'data', place: { kind: 'all' }, search: '', sort };
}

it('keeps every order while rows come, move, leave and return', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(patch, { minLength: 9, maxLength: 60 }),
      fc.array(step, { minLength: 1, maxLength: 8 }),
      async (patches, steps) => {
        using world = await makeCatalogue();
        const { catalogue } = world;
        const model = new Map<number, ObjectRecord>();
        const add = async (numbers: readonly number[], patchOf: (at: number) => object) => {
          const objects = numbers.map((n, at) => ({
            kind: 'data' as const,
            identifier: identifier(n),
            patch: patchOf(at),
          }));
          for (const { record } of await catalogue.add(profileId, objects)) model.set(record.id, record);
        };
        const expectOrders = async (asked: readonly { column: SortColumn; direction: string }[]) => {
          for (const sort of asked as readonly ObjectQuery['sort'][]) {
            const wanted = select([...model.values()], query(sort), '/').map(({ id }) => id);
            const found = await catalogue.idsOf({ kind: 'query', query: query(sort), exceptIds: [] });
            expect([...found], JSON.stringify(sort)).toEqual(wanted);
          }
        };
        await add(
          patches.map((_, at) => (at * 37) % 100),
          (at) => patches[at] ?? {},
        );
        await expectOrders(orders);
        for (const { updates, removals, arrivals, asked } of steps) {
          const pick = (n: number) => [...model.keys()][n % Math.max(model.size, 1)] ?? 0;
          const changes = updates.map(([n, change]) => ({ id: pick(n), patch: change }));
          await catalogue.update(changes);
          for (const { id, patch: change } of changes) {
            const before = model.get(id);
            if (before !== undefined) model.set(id, { ...before, ...change });
          }
          const leaving = removals.map(pick);
          await catalogue.remove(leaving);
          for (const id of leaving) model.delete(id);
          await add(arrivals, () => ({}));
          await expectOrders(asked);
        }
        await expectOrders(orders);
      },
    ),
    { numRuns: 200 },
  );
}, 40_000);
