import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Fault, FaultyRequest } from '../../../e2e/faults/fault-server.ts';
import { isFinished } from '../../shared/domain/transfer.ts';
import { profileId, sha256Of, startBench, type Bench } from './testing.ts';

let bench: Bench;
beforeAll(async () => {
  bench = await startBench({ timeouts: { headersMs: 700, idleBodyMs: 700 }, times: 500 });
});
afterAll(() => bench.close());

// Lies are about small lengths, and files are larger: no lie is true by chance.
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
    drip: fc.record({ pieceBytes: fc.integer({ min: 1, max: 5000 }), pauseMs: fc.constant(1) }),
    cutAnswerAtBytes: atByte,
  }),
  fc.record({ framing: fc.constantFrom('chunked' as const, 'close' as const) }),
);
/** What goes wrong with the first requests about one object; afterwards all is well. */
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

let runs = 0;

test(
  'whatever goes wrong on the way: Done means whole, nothing half is left, the others go on',
  { timeout: 180_000 },
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(subject, { minLength: 1, maxLength: 6 }), async (subjects) => {
        runs += 1;
        const run = runs;
        const contents = new Map<string, Buffer>();
        const plans = new Map<string, Record<string, Fault[]>>();
        const downloads: number[] = [];
        const uploads = [];
        // Beside each that is in trouble one that is not.
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
        await Promise.all([
          bench.transfers.enqueueUploads(profileId, uploads),
          bench.transfers.enqueueDownloads(profileId, downloads, { saveAsPath: null }),
        ]);
        const transfers = await bench.settled();

        const saved: string[] = [];
        for (const { identifier, direction, state, waitingFor, error, outcome } of transfers) {
          const bytes = contents.get(identifier) ?? Buffer.alloc(0);
          if (!plans.has(identifier))
            expect({ identifier, state, error }).toEqual({ identifier, state: 'done', error: null });
          if (state !== 'done') {
            expect(isFinished(state) ? error : waitingFor).toBeTruthy();
          } else if (direction === 'upload') {
            expect(bench.server.objects.get(identifier)?.bytes.equals(bytes)).toBe(true);
            expect(await bench.rowOf(identifier)).toMatchObject({ state: 'stored', sha256: sha256Of(bytes) });
          } else {
            expect(outcome).toMatchObject({ kind: 'saved', fileName: identifier, verifiedBy: 'digest' });
            expect((await readFile(join(bench.downloads, identifier))).equals(bytes)).toBe(true);
            saved.push(identifier);
          }
        }
        const files = (await readdir(bench.downloads)).filter((name) => name.startsWith(`${run}-`));
        expect(files.toSorted()).toEqual(saved.toSorted());

        await bench.transfers.cancel('all');
        bench.transfers.clear('done');
        bench.transfers.clear('needsYou');
        expect(bench.all()).toEqual([]);
      }),
      { numRuns: 40, endOnFailure: true },
    );
  },
);
