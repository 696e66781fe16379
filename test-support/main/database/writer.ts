import { openDatabase } from '../../../src/main/storage/open-database.ts';

/** Writes endlessly and prints what is durable, until the test kills it. */
const [folder = ''] = process.argv.slice(2);
const opened = await openDatabase({ folder, nowMs: Date.now });
if (opened.state !== 'ready') throw new Error('broken');
const { catalogue, documents } = opened.database;
for (let n = 0; ; n += 1) {
  const batch = Array.from({ length: 5 }, (_, i) => `f/${String(n)}-${String(i)}`);
  const results = await catalogue.add(
    'p1',
    batch.map((identifier) => ({ kind: 'data', identifier, patch: {}, history: { action: 'added' } })),
  );
  await catalogue.update(
    results.map(({ record }) => ({ id: record.id, patch: { state: 'stored', note: String(n) } })),
  );
  await documents.put('c', 'last', n);
  process.stdout.write(`${String(n)}\n`);
}
