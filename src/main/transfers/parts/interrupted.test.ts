import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { isPartId } from '../../../shared/domain/made-names.ts';
import { distinctBytes } from '../../../../test-support/main/local-files/testing.ts';
import { startBench, until, type Bench } from '../../../../test-support/main/transfers/bench.ts';
import type { Fault } from '../../../../e2e/faults/fault-server.ts';

/**
 * An upload in parts meets trouble at any part and continues: nothing is stored twice, and the file comes back whole.
 */

let bench: Bench;
/** POSTs that the service has accepted, in order. */
let taken: string[];
beforeEach(async () => {
  bench = await startBench({ maxObjectBytes: 8_000 });
  taken = [];
});
afterEach(() => bench.close());

const bytes = distinctBytes(18_000);
const partIds = () => [...bench.server.objects.keys()].filter(isPartId);

/** @param meets the fault of a part's POST after this many were accepted; null: it is accepted */
function answer(meets: (before: number) => Fault | null): void {
  bench.server.plan = ({ method, identifier }) => {
    if (method !== 'POST') return null;
    const fault = isPartId(identifier) ? meets(taken.length) : null;
    if (fault === null) taken.push(identifier);
    return fault;
  };
}

const begin = async () => bench.upload([await bench.makeFile('a', bytes)]);

/** Coffer ends while the part after these is on its way. */
async function endAfter(count: number): Promise<void> {
  answer((before) => (before >= count ? { holdRequest: () => false } : null));
  await begin();
  await until(() => partIds().length).toBe(count);
  await bench.closeEngine();
}

async function comesBackWhole(): Promise<void> {
  const stored = { state: 'done', outcome: { kind: 'stored' } };
  expect(await bench.settled()).toMatchObject([stored]);
  await bench.download([(await bench.rowOf('up/a'))?.id ?? 0]);
  await bench.settled();
  expect((await readFile(join(bench.downloads, 'a'))).equals(bytes)).toBe(true);
}

const eachOnce = () => expect(taken.toSorted()).toEqual([...bench.server.objects.keys()].toSorted());

for (const count of [0, 1, 2, 3, 4])
  test(
    `the token is refused after ${String(count)} parts, and a new one continues`,
    { tags: count === 4 ? [] : 'all' },
    async () => {
      answer((before) => (before >= count ? { status: 401 } : null));
      await begin();
      await bench.settled();
      expect(await bench.all()).toMatchObject([{ waitingFor: 'token' }]);
      expect(partIds()).toHaveLength(count);
      answer(() => null);
      bench.setToken(bench.server.token);
      await comesBackWhole();
      eachOnce();
    },
  );

for (const count of [0, 1, 2, 3, 4])
  test(
    `too many requests after ${String(count)} parts, again and again`,
    { tags: count === 4 ? [] : 'all' },
    async () => {
      let refusals = 0;
      answer((before) => {
        if (before < count || refusals === 8) return null;
        refusals += 1;
        return { status: 429, headers: { 'retry-after': '2' } };
      });
      await begin();
      await comesBackWhole();
      expect(refusals).toBe(8);
      eachOnce();
    },
  );

for (const count of [1, 2, 3, 4])
  test(
    `the limit is lowered after ${String(count)} parts, which still fit it`,
    { tags: count === 4 ? [] : 'all' },
    async () => {
      await endAfter(count);
      bench.facts.maxObjectBytes = 5_000;
      answer(() => null);
      await bench.restart();
      await comesBackWhole();
      expect(partIds()).toHaveLength(5);
      eachOnce();
    },
  );

for (const count of [1, 2, 3, 4])
  test(
    `the limit is lowered after ${String(count)} parts, which are then over it`,
    { tags: count === 4 ? [] : 'all' },
    async () => {
      await endAfter(count);
      bench.facts.maxObjectBytes = 3_500;
      taken = [];
      answer(() => null);
      await bench.restart();
      await comesBackWhole();
      // The parts of the earlier plan are removed.
      await bench.tidied();
      expect(partIds()).toHaveLength(11);
      eachOnce();
    },
  );
