import { beforeEach, expect, test } from 'vitest';
import {
  createVirtualClock,
  type VirtualClock,
} from '../../../../test-support/main/transfers/virtual-clock.ts';
import type { TransferProgress } from '../../../shared/domain/transfer.ts';
import { newActiveTransfer, type ActiveTransfer } from '../model/active-transfer.ts';
import type { TransferRecord } from '../model/record.ts';
import { createProgress, type Progress } from './progress.ts';

const upload: TransferRecord = {
  id: 1,
  serviceId: 'p',
  origin: 'https://one',
  kind: 'data',
  route: 'direct',
  direction: 'upload',
  identifier: 'a.bin',
  objectId: 1,
  totalBytes: 1000,
  priority: 'normal',
  orderKey: 1,
  isPaused: false,
  work: {
    kind: 'upload',
    path: '/a.bin',
    fileName: 'a.bin',
    modifiedAtMs: 0,
    classification: null,
    ifExists: 'ask',
    expected: null,
    addedRow: true,
    mayBeThere: false,
  },
  state: { name: 'sending' },
  tries: 0,
  trouble: null,
  nextAtMs: null,
  activityToken: null,
  createdAtMs: 0,
  finishedAtMs: null,
};

let clock: VirtualClock;
let active: ActiveTransfer[];
let progress: Progress;
let told: TransferProgress[];

beforeEach(() => {
  clock = createVirtualClock();
  [active, told] = [[], []];
  progress = createProgress({
    clock,
    closing: new AbortController().signal,
    running: () => active.filter(({ run }) => run !== null),
  });
  progress.onProgress((now) => told.push(now));
});

/** One that runs, with so many bytes moved. */
function run(change: Partial<TransferRecord> = {}): ActiveTransfer {
  const entry = newActiveTransfer({ ...upload, ...change }, false, 0);
  entry.run = { abort: new AbortController(), ended: Promise.resolve(), stop: null, hasMoved: false };
  active.push(entry);
  return entry;
}

function move(entry: ActiveTransfer, doneBytes: number): void {
  entry.doneBytes = doneBytes;
  progress.moved(entry);
}

test('what has moved all of its bytes is told of until its run ends', async () => {
  const entry = run();
  move(entry, 1000);
  if (entry.run) entry.run.hasMoved = true;
  await clock.advance(1000);
  expect(told).toHaveLength(4);
  expect(told.at(-1)).toMatchObject({ entries: [{ id: 1, doneBytes: 1000 }], bytesPerSecond: null });
  entry.run = null;
  await clock.advance(1000);
  expect(told.slice(4)).toMatchObject([{ entries: [] }]);
});
