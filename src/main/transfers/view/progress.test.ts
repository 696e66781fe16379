import { beforeEach, describe, expect, test } from 'vitest';
import {
  createVirtualClock,
  type VirtualClock,
} from '../../../../test-support/main/transfers/virtual-clock.ts';
import { settingsDefault } from '../../../shared/domain/settings.ts';
import type { TransferProgress } from '../../../shared/domain/transfer-summary.ts';
import { newActiveTransfer, type ActiveTransfer } from '../model/active-transfer.ts';
import type { TransferRecord } from '../model/record.ts';
import type { TransferCounts } from '../model/store-queries.ts';
import { createLimits } from '../queue/limits/limits.ts';
import { createProgress, hasBytesToMove, type Progress } from './progress.ts';

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

const moment = { wallMs: 0, steadyMs: 0 };

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

/** Adds a running transfer. */
function run(change: Partial<TransferRecord> = {}): ActiveTransfer {
  const entry = newActiveTransfer({ ...upload, ...change }, false, 0);
  entry.run = { abort: new AbortController(), ended: Promise.resolve(), stop: null, hasTransferred: false };
  active.push(entry);
  return entry;
}

function move(entry: ActiveTransfer, doneBytes: number): void {
  entry.doneBytes = doneBytes;
  progress.transferred(entry);
}

test('reports a transfer that has moved all of its bytes until its run ends', async () => {
  const entry = run();
  move(entry, 1000);
  if (entry.run) entry.run.hasTransferred = true;
  await clock.advance(1000);
  expect(told).toHaveLength(4);
  expect(told.at(-1)).toMatchObject({ entries: [{ id: 1, doneBytes: 1000 }], bytesPerSecond: null });
  entry.run = null;
  await clock.advance(1000);
  expect(told.slice(4)).toMatchObject([{ entries: [] }]);
});

describe('overall progress', () => {
  const counts = (change: Partial<TransferCounts>): TransferCounts => ({
    serviceId: 'p',
    tab: 'transfers',
    direction: 'upload',
    state: 'sending',
    asksForWatched: false,
    isPaused: false,
    isAlone: true,
    count: 1,
    totalBytes: 1000,
    ...change,
  });
  const overall = (...all: Partial<TransferCounts>[]) =>
    progress.overall(all.map(counts).filter(hasBytesToMove)).fraction;
  const deferred = { token: 't', startedAt: moment, usedAt: moment, checks: 0, warned: 0 };
  const sent: TransferRecord['state'] = { name: 'processing', deferred, sent: null };

  test('counts a deferred upload on both sides, beside a direct one', () => {
    const [job, direct] = [run({ id: 2, route: 'deferred' }), run()];
    move(job, 500);
    expect(overall({ tab: 'jobs' })).toBe(0.5);
    expect(overall({ tab: 'jobs' }, {})).toBe(0.25);
    move(direct, 500);
    expect(overall({ tab: 'jobs' }, {})).toBe(0.5);
  });

  test('keeps the bytes of a sent deferred upload until nothing is left to move', () => {
    const job = run({ id: 2, route: 'deferred' });
    move(job, 1000);
    expect(overall({ tab: 'jobs' }, {})).toBe(0.5);
    job.record = { ...job.record, state: sent };
    progress.written(job);
    progress.written(job);
    expect(overall({ tab: 'jobs', state: 'processing' }, {})).toBe(0.5);
    expect(overall({ tab: 'jobs', state: 'processing' })).toBeNull();
    expect(overall({ tab: 'jobs', state: 'processing' }, {})).toBe(0);
  });

  test('leaves out results that the service is still preparing', () => {
    const waiting = { tab: 'jobs', direction: 'download', state: 'processing' } as const;
    expect(overall(waiting)).toBeNull();
    expect(overall({ ...waiting, state: 'receiving' })).toBe(0);
  });

  test('does not fall when one of several ends before the next count', async () => {
    const entry = run();
    move(entry, 900);
    expect(overall({ count: 2, totalBytes: 2000 })).toBe(0.45);
    move(entry, 1000);
    entry.record = { ...entry.record, state: { name: 'done', outcome: null, savedPath: null } };
    progress.written(entry);
    await clock.advance(250);
    expect(told.at(-1)?.fraction).toBe(0.5);
    active = [];
    expect(overall({})).toBe(0.5);
  });
});

test.each([500_000, 1_000_000, 2_000_000, 20_000_000])(
  'reports a speed that agrees with the limit of %i bytes a second',
  async (limit) => {
    const limits = createLimits(clock, () => ({ ...settingsDefault, uploadBytesPerSecond: limit }));
    const pieceBytes = 1024 * 1024;
    const totalBytes = limit * 20;
    const entry = run({ totalBytes });
    entry.totalBytes = totalBytes;
    const sending = (async () => {
      for (let sentBytes = 0; sentBytes < totalBytes; sentBytes += pieceBytes) {
        await limits.takeBytes('upload', pieceBytes, new AbortController().signal);
        move(entry, sentBytes + pieceBytes);
      }
    })();
    await clock.advance(19_000);
    const said = told.flatMap(({ entries, bytesPerSecond }) => [entries[0]?.bytesPerSecond, bytesPerSecond]);
    const speeds = said.filter((speed) => typeof speed === 'number');
    expect(speeds.length).toBeGreaterThan(100);
    for (const speed of speeds) expect(Math.abs(speed / limit - 1)).toBeLessThan(0.1);
    await clock.advance(60_000);
    await sending;
  },
);
