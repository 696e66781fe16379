import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { openLocalDatabase } from '../../../../test-support/main/database/local-database.ts';
import { openTestUndoCopies } from '../../../../test-support/main/transfers/undo-copies.ts';
import { createTestLog, makeTestFolder } from '../../../../test-support/main/test-ports.ts';
import { createVirtualClock } from '../../../../test-support/main/transfers/virtual-clock.ts';
import { settingsDefault } from '../../../shared/domain/settings.ts';
import { everyHour } from '../../lib/timers.ts';

const hourMs = 3_600_000;
const keptMs = settingsDefault.keepReplacedDays * 24 * hourMs;
const serviceId = 'p';

async function* bytes(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}

test('removes expired undo copies without a start, a Replace or a change of settings', async () => {
  const folder = await makeTestFolder();
  const clock = createVirtualClock();
  const database = await openLocalDatabase(new DatabaseSync(':memory:'), clock.nowMs);
  onTestFinished(() => database.close());
  await database.documents.put('services', serviceId, {});
  const log = createTestLog();
  const undoCopies = await openTestUndoCopies({ store: database.undoStore, folder, log });
  const of = { id: 1, serviceId, origin: 'o', identifier: 'a', classification: null, sourceName: null };
  await undoCopies.keep(of, 'old', bytes('old'));
  const mine = await undoCopies.keep(of, 'new', bytes('new'));
  await undoCopies.finish(1, mine, mine);
  const files = () => readdir(join(folder, 'kept'));

  const trimming = everyHour(
    clock,
    () => undoCopies.trim(),
    (cause) => log.error('not trimmed', { cause }),
  );
  onTestFinished(() => trimming.close());
  // A day longer than the setting, because a wrong clock may have counted a day.
  for (let hours = 0; hours < keptMs / hourMs + 23; hours += 1) await clock.advance(hourMs);
  expect(await files()).toHaveLength(1);
  await clock.advance(2 * hourMs);
  await expect.poll(files).toEqual([]);
  expect(await undoCopies.ofObject(serviceId, 'a')).toEqual([]);
  expect(log.lines).toEqual([]);
});
