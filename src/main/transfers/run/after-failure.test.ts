import { expect, test } from 'vitest';
import type { AppError } from '../../../shared/errors.ts';
import type { TransferRecord } from '../model/record.ts';
import { afterFailure, type Circumstances } from './after-failure.ts';

const now = { wallMs: 0, steadyMs: 0 };
const breaker: Circumstances['breaker'] = {
  isAlone: () => false,
  isClosed: () => false,
  state: () => 'ready',
};
const record = {
  id: 1,
  tries: 2,
  work: { kind: 'download', saveAsPath: null },
  state: { name: 'receiving', temporaryPath: null, deferred: null },
} as TransferRecord;
const deferred = { token: 't', startedAt: now, usedAt: now, checks: 0, warned: 0 };
const fetching: TransferRecord = { ...record, state: { name: 'completed', deferred } };

function verdictOn(error: AppError, of = record, change: Partial<Circumstances> = {}) {
  return afterFailure(of, error, { now, random: () => 1, breaker, ...change });
}

const cut = { code: 'connectionLost', doneBytes: 0, expectedBytes: null, outcomeUnknown: true } as const;
const busy = { code: 'tooManyRequests', status: 429, retryAfterMs: null } as const;

test('tries again after a lost connection, and counts that unless the service is to blame', () => {
  expect(verdictOn(cut)).toEqual({ kind: 'retry', tries: 3, delayMs: 4000 });
  const held: typeof breaker = { ...breaker, state: () => 'held' };
  expect(verdictOn(cut, record, { breaker: held })).toEqual({ kind: 'retry', tries: 2, delayMs: 4000 });
  expect(verdictOn(cut, { ...record, tries: 5 })).toEqual({ kind: 'fail' });
});

test('what a whole service refuses waits for the service, what it refuses to one waits alone', () => {
  expect(verdictOn(busy)).toEqual({ kind: 'hold' });
  const others = { breaker: { ...breaker, isClosed: () => true } };
  expect(verdictOn(busy, record, others)).toEqual({ kind: 'retry', tries: 2, delayMs: 1000, isUnsent: true });
  const alone = { breaker: { ...breaker, isAlone: () => true } };
  expect(verdictOn(busy, record, alone)).toEqual({ kind: 'retry', tries: 3, delayMs: 4000 });
  expect(verdictOn({ code: 'tokenMissing' }, record, others)).toEqual({ kind: 'hold' });
});

test('loses a deferred result after three refusals of its token, or half an hour of silence', () => {
  const gone = { code: 'missing', status: 404 } as const;
  expect(verdictOn(gone, fetching)).toEqual({ kind: 'lost', error: gone });
  expect(verdictOn(gone, { ...fetching, tries: 0 })).toMatchObject({ kind: 'retry', tries: 1 });
  const later = { now: { wallMs: 1_800_000, steadyMs: 1_800_000 } };
  expect(verdictOn(busy, fetching, later)).toEqual({ kind: 'lost', error: null });
});

test('a secret whose answer was lost fails, since its value is gone', () => {
  const secret = {
    ...record,
    work: { kind: 'storeSecret', classification: null, sourceName: null, addedRow: true },
    state: { name: 'unsure', goal: 'goOn', looks: 0, error: null },
  } as TransferRecord;
  expect(verdictOn(busy, secret)).toEqual({ kind: 'fail' });
});
