import { openDatabase } from '../../../../src/main/storage/open-database.ts';
import { newUpload, origin, serviceId } from './record-factory.ts';

/** A process that enqueues, claims and ends transfers until the test kills it. Reports after each round. */
const [folder = ''] = process.argv.slice(2);
const opened = await openDatabase({ folder, nowMs: Date.now });
if (opened.state !== 'ready') throw new Error('broken');
const { transfers, documents } = opened.database;
await documents.put('services', serviceId, {});
for (let round = 0; ; round += 1) {
  await transfers.enqueue(
    serviceId,
    Array.from({ length: 8 }, (_, n) => newUpload(`r${String(round)}/${String(n)}`)),
  );
  const claimed = await transfers.claim({ serviceId, queue: 'small', limit: 4, includesIdle: true, origin });
  await transfers.apply(
    claimed.map(({ id }) => ({
      id,
      change: { state: { name: 'done' as const, outcome: null, savedPath: null } },
      row: { kind: 'stored' as const, patch: {}, history: { action: 'uploaded' as const } },
    })),
  );
  process.stdout.write('round\n');
}
