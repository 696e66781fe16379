import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Fault, FaultyRequest } from '../../../../e2e/faults/fault-server.ts';
import { isFinished, type Transfer } from '../../../shared/domain/transfer.ts';
import { sha256Of } from '../../../../test-support/main/local-files/testing.ts';
import { startBench, type Bench } from '../../../../test-support/main/transfers/bench.ts';

let bench: Bench;
beforeAll(async () => {
  bench = await startBench({ timeouts: { headersMs: 700, idleBodyMs: 700 }, times: 500 });
});
afterAll(() => bench.close());

// False lengths are smaller than any file, so none is right by chance.
const lengthBytes = fc.integer({ min: 0, max: 50 });
const sizeBytes = fc.oneof(fc.integer({ min: 100, max: 2000 }), fc.integer({ min: 60_000, max: 400_000 }));
const atByte = fc.oneof(fc.integer({ min: 0, max: 400 }), fc.integer({ min: 0, max: 300_000 }));
const cutBy = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom('end' as const, 'reset' as const) },
  { weight: 1, arbitrary: fc.constant('stall' as const) },
);
const fault: fc.Arbitrary<Fault> = fc.oneof(
  fc.record({
    status: fc.constantFrom(302, 400, 403, 404, 409, 413, 418, 429, 500, 503),
    body: fc.constantFrom('', '<html>'),
  }),
  fc.record({ cutRequestAtBytes: atByte, cutBy }),
  fc.record({
    cutAnswerAtBytes: atByte,
    cutBy,
    framing: fc.constantFrom('length' as const, 'chunked' as const, 'close' as const),
  }),
  fc.record({ contentLengthBytes: lengthBytes }),
  fc.record({ contentLengthBytes: fc.constant(1_000_000) }),
  fc.record({ originalLengthBytes: fc.option(lengthBytes), originalLengthOnGet: fc.boolean() }),
  fc.record({ corruptAtByte: atByte }),
  fc.record({ storeOnlyBytes: lengthBytes }),
  fc.record({
    drip: fc.record({ pieceBytes: fc.integer({ min: 2000, max: 9000 }), pauseMs: fc.constant(1) }),
  }),
  fc.record({
    drip: fc.constant({ pieceBytes: 1, pauseMs: 1 }),
    cutAnswerAtBytes: fc.integer({ min: 0, max: 200 }),
  }),
  fc.record({ framing: fc.constantFrom('chunked' as const, 'close' as const) }),
);
/** The faults of the first requests about one object; later requests have none. */
const troubles = fc.record({
  POST: fc.array(fault, { maxLength: 3 }),
  HEAD: fc.array(fault, { maxLength: 2 }),
  GET: fc.array(fault, { maxLength: 3 }),
});
const subject = fc.record({
  direction: fc.constantFrom('upload' as const, 'download' as const),
  sizeBytes,
  troubles,
});

/** Whether a transfer is done and whole, or not done and with a reason. */
async function tellsTheTruth(transfer: Transfer, bytes: Buffer): Promise<boolean> {
  const { identifier, direction, state, waitingFor, error, outcome } = transfer;
  if (state !== 'done') return isFinished(state) ? error !== null : waitingFor === 'answer';
  if (direction === 'download') {
    const isSaved =
      outcome?.kind === 'saved' && outcome.fileName === identifier && outcome.verifiedBy === 'digest';
    return isSaved && (await readFile(join(bench.downloads, identifier))).equals(bytes);
  }
  const row = await bench.rowOf(identifier);
  const isKnown = row?.state === 'stored' && row.sha256 === sha256Of(bytes);
  return isKnown && (bench.server.objects.get(identifier)?.bytes.equals(bytes) ?? false);
}

let runs = 0;

async function tryWhateverFails(numRuns: number): Promise<void> {
  await fc.assert(
    fc.asyncProperty(fc.array(subject, { minLength: 1, maxLength: 6 }), async (subjects) => {
      runs += 1;
      const run = runs;
      const contents = new Map<string, Buffer>();
      const plans = new Map<string, Record<string, Fault[]>>();
      const downloads: number[] = [];
      const uploads = [];
      // Each object in trouble has a neighbour without.
      for (const [index, { direction, sizeBytes: size, troubles: given }] of subjects.entries()) {
        for (const kind of ['bad', 'good']) {
          const name = `${run}-${index}-${kind}`;
          const bytes = Buffer.alloc(size, `${name} `);
          contents.set(name, bytes);
          if (kind === 'bad') plans.set(name, given);
          if (direction === 'upload') uploads.push(await bench.makeFile(name, bytes, { identifier: name }));
          else downloads.push(await bench.store(name, bytes));
        }
      }
      bench.server.plan = ({ method, identifier, number }: FaultyRequest) =>
        plans.get(identifier)?.[method]?.[number - 1] ?? null;
      await Promise.all([bench.upload(uploads), bench.download(downloads)]);
      const transfers = await bench.settled();

      const isTrue = await Promise.all(
        transfers.map((transfer) =>
          tellsTheTruth(transfer, contents.get(transfer.identifier) ?? Buffer.alloc(0)),
        ),
      );
      expect(transfers.filter((_, index) => !isTrue[index])).toEqual([]);
      const inTrouble = transfers.filter(({ state }) => state !== 'done');
      expect(inTrouble.filter(({ identifier }) => !plans.has(identifier))).toEqual([]);
      const saved = transfers
        .filter(({ direction, state }) => direction === 'download' && state === 'done')
        .map(({ identifier }) => identifier);
      const files = (await readdir(bench.downloads)).filter((name) => name.startsWith(`${run}-`));
      expect(files.toSorted()).toEqual(saved.toSorted());

      await bench.engine.actions.cancel({ kind: 'all' });
      expect(await bench.settled()).toHaveLength(transfers.length);
      await bench.engine.actions.clear('transfers', 'done');
      await bench.engine.actions.clear('transfers', 'needsYou');
      expect(await bench.all()).toEqual([]);
    }),
    { numRuns, endOnFailure: true },
  );
}

test('whatever fails: done means whole, nothing half is left, and the others continue', async () => {
  await expect(tryWhateverFails(5)).resolves.toBeUndefined();
});

test('whatever fails: more runs', { tags: 'all' }, async () => {
  await expect(tryWhateverFails(15)).resolves.toBeUndefined();
});
