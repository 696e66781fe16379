import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  groupOf,
  isFinished,
  transferGroupSchema,
  transferStateSchema,
  transferTransitions,
  type TransferState,
} from '../../shared/domain/transfer.ts';
import type { Entry } from './entry.ts';
import { createTransferList } from './transfer-list.ts';

function entryOf(id: number, totalBytes: number | null = 10): Entry {
  return {
    transfer: {
      id,
      profileId: 'p',
      direction: 'download',
      identifier: `i${id}`,
      objectId: id,
      state: 'waiting',
      waitingFor: 'turn',
      retryAtMs: null,
      doneBytes: 0,
      totalBytes,
      bytesPerSecond: null,
      leftMs: null,
      error: null,
      activityToken: null,
      outcome: null,
      finishedAtMs: null,
    },
    job: { kind: 'download', saveAsPath: null, savedPath: null },
    tries: 0,
    pace: null,
    run: null,
  };
}

function resultOf(work: () => string): string {
  try {
    return work();
  } catch (cause) {
    return cause instanceof Error ? cause.message : '';
  }
}

test('no transition beside the table', () => {
  for (const from of transferStateSchema.options) {
    for (const to of transferStateSchema.options) {
      const list = createTransferList(() => undefined);
      const entry = entryOf(1);
      entry.transfer.state = from;
      list.add([entry]);
      const move = () => {
        list.move(entry, to);
        return 'moved';
      };
      const refusal = `no transition from ${from} to ${to}`;
      expect(resultOf(move)).toBe(transferTransitions[from].includes(to) ? 'moved' : refusal);
    }
  }
});

test('whatever happens, the pages hold each transfer once, in order, and the sums are right', () => {
  const step = fc.record({
    id: fc.integer({ min: 1, max: 30 }),
    to: fc.constantFrom(...transferStateSchema.options),
    doneBytes: fc.nat(10),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), fc.integer({ min: 1, max: 40 }), (steps, limit) => {
      const list = createTransferList(() => undefined);
      const entries = Array.from({ length: 30 }, (_, index) => entryOf(index + 1));
      list.add(entries);
      const finishedOrder: number[] = [];
      for (const { id, to, doneBytes } of steps) {
        const entry = list.get(id);
        if (!entry) continue;
        if (transferTransitions[entry.transfer.state].includes(to)) {
          list.move(entry, to, to === 'waiting' && doneBytes > 5 ? { waitingFor: 'answer' } : {});
          finishedOrder.push(id);
        }
        list.change(entry, { doneBytes });
      }
      const rows: Entry[] = [];
      for (let offset = 0; offset < 30; offset += limit) rows.push(...list.slice(offset, limit));
      expect(rows).toHaveLength(30);
      expect(new Set(rows).size).toBe(30);
      const places = rows.map(({ transfer }) => transferGroupSchema.options.indexOf(groupOf(transfer)));
      expect(places).toEqual(places.toSorted((a, b) => a - b));
      for (const group of transferGroupSchema.options) {
        const ids = rows
          .filter(({ transfer }) => groupOf(transfer) === group)
          .map(({ transfer }) => transfer.id);
        expect(list.group(group).size).toBe(ids.length);
        const newestFirst = ids.toSorted(
          (a, b) => finishedOrder.lastIndexOf(b) - finishedOrder.lastIndexOf(a),
        );
        expect(ids).toEqual(group === 'done' ? newestFirst : ids.toSorted((a, b) => a - b));
      }
      const states = entries.map(({ transfer }): TransferState => transfer.state);
      expect(list.failed()).toBe(states.filter((state) => state === 'failed').length);
      const unfinished = states.filter((state) => !isFinished(state)).length;
      const totals = list.totals();
      expect(totals.unfinished).toBe(unfinished);
      expect(totals.totalBytes).toBeGreaterThanOrEqual(unfinished * 10);
      expect(totals.totalBytes).toBeLessThanOrEqual(300);
      for (const { transfer } of entries) {
        expect(list.ofObject(transfer.objectId ?? 0) !== undefined).toBe(!isFinished(transfer.state));
      }
    }),
  );
});

test('a bar over all does not go back when a file is done', () => {
  const list = createTransferList(() => undefined);
  const [one, two] = [entryOf(1, 10), entryOf(2, 30)];
  list.add([one, two]);
  list.move(one, 'downloading');
  list.change(one, { doneBytes: 10 });
  expect(list.totals()).toEqual({ doneBytes: 10, totalBytes: 40, unfinished: 2 });
  list.move(one, 'verifying');
  list.move(one, 'done');
  expect(list.totals()).toEqual({ doneBytes: 10, totalBytes: 40, unfinished: 1 });
  list.move(two, 'cancelled');
  expect(list.totals()).toEqual({ doneBytes: 0, totalBytes: 0, unfinished: 0 });
});
