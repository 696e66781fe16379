import { DatabaseSync } from 'node:sqlite';
import { openLocalDatabase } from './local-database.ts';

/** Creates a database file of the current version at `path`, with an object and a secret of the service `p1`. */
export async function makeDatabaseFile(path: string): Promise<void> {
  const database = await openLocalDatabase(new DatabaseSync(path), () => 1_700_000_000_000);
  const stored = { state: 'stored', lengthBytes: 42, classification: 'Public' } as const;
  await database.catalogue.add('p1', [
    {
      kind: 'data',
      identifier: 'reports/2026/Prüfung 😀.pdf',
      patch: { ...stored, note: 'first\nsecond' },
      history: { action: 'added' },
    },
    { kind: 'secret', identifier: '=key', patch: {} },
  ]);
  await database.documents.put('services', 'p1', { name: 'Archive' });
  await database.close();
}
