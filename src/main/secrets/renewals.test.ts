import { expect, it, onTestFinished } from 'vitest';
import { factBits } from '../../shared/domain/unverified.ts';
import type { ObjectRecord } from '../../shared/domain/object.ts';
import { daysUntil, dueReminder } from '../../shared/domain/secret.ts';
import {
  createTestDocuments,
  createTestLog,
  openTestDatabase,
} from '../../../test-support/main/test-ports.ts';
import { createRenewals } from './renewals.ts';

const at = (day: string) => new Date(`${day}T10:00:00`).getTime();

it('counts local calendar days, whatever the time', () => {
  expect(daysUntil('2026-10-01', new Date('2026-09-30T23:59:00').getTime())).toBe(1);
  expect(daysUntil('2026-10-01', new Date('2026-10-01T00:01:00').getTime())).toBe(0);
  expect(
    [31, 30, 8, 7, 1, 0, -400].map((days) => dueReminder('2026-10-01', at('2026-10-01') - days * 86_400_000)),
  ).toEqual([null, 30, 30, 7, 7, 0, 0]);
});

it('reminds once at each day, of the newest version alone, and again when the day changes', async () => {
  const { catalogue } = await openTestDatabase();
  const naming = { separator: '/', versionMark: '@{number}' };
  await catalogue.setNaming('p', naming);
  await catalogue.setNaming('removed', naming);
  const secret = (identifier: string, renewBy: string) =>
    ({ kind: 'secret', identifier, patch: { state: 'stored', renewBy } }) as const;
  const [key] = await catalogue.add('p', [secret('key', '2026-10-01'), secret('later', '2027-01-01')]);
  await catalogue.add('removed', [secret('key', '2026-10-01')]);
  let nowMs = at('2026-08-01');
  let said: string[] = [];
  const documents = createTestDocuments();
  const start = () =>
    createRenewals({
      catalogue,
      documents,
      clock: { nowMs: () => nowMs, monotonicMs: () => nowMs, delay: (_ms, signal) => untilAborted(signal) },
      log: createTestLog(),
      isSetUp: (serviceId) => serviceId === 'p',
      onDue: (due: readonly ObjectRecord[]) => (said = due.map(({ identifier }) => identifier)),
    });
  let renewals = start();
  onTestFinished(() => renewals.close());
  const lookOn = async (day: string) => {
    [nowMs, said] = [at(day), []];
    await renewals.look();
    return said;
  };
  expect(await lookOn('2026-08-31')).toEqual([]);
  expect(await lookOn('2026-09-01')).toEqual(['key']);
  expect(await lookOn('2026-09-10')).toEqual([]);
  await renewals.close();
  renewals = start();
  expect(await lookOn('2026-09-10')).toEqual([]);
  expect(await lookOn('2026-09-24')).toEqual(['key']);
  expect(await lookOn('2026-10-05')).toEqual(['key']);
  expect(await lookOn('2026-11-05')).toEqual([]);
  // The clock was ahead and is corrected: reminders are repeated when they are due.
  await catalogue.update([{ id: key?.record.id ?? 0, patch: { renewBy: '2027-01-20' } }]);
  expect(await lookOn('2027-11-05')).toEqual(['later', 'key']);
  expect(await lookOn('2026-12-21')).toEqual(['later', 'key']);
  expect(await lookOn('2026-12-22')).toEqual([]);
  await catalogue.update([{ id: key?.record.id ?? 0, patch: { renewBy: '2026-11-10' } }]);
  expect(await lookOn('2026-11-05')).toEqual(['key']);
  const next = { kind: 'secret', identifier: 'key@2' } as const;
  const [told] = await catalogue.add('p', [
    { ...next, patch: { state: 'stored', unverified: factBits.presence } },
  ]);
  expect(await lookOn('2026-11-10')).toEqual(['key']);
  await catalogue.update([{ id: key?.record.id ?? 0, patch: { renewBy: '2026-11-11' } }]);
  await catalogue.update([{ id: told?.record.id ?? 0, patch: { checkedAtMs: 1 } }]);
  expect(await lookOn('2026-11-10')).toEqual([]);
  await catalogue.update([{ id: key?.record.id ?? 0, patch: { renewBy: null } }]);
  expect((await catalogue.getMany([key?.record.id ?? 0]))[0]).not.toHaveProperty('renewBy');
});

function untilAborted(signal?: AbortSignal): Promise<void> {
  return new Promise((_resolve, reject) =>
    signal?.addEventListener('abort', () => reject(new Error('aborted'))),
  );
}
