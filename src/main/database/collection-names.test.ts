import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { collectionNames, migrate, migrations } from './migrations.ts';
import { createDocuments } from './documents.ts';

it('the documents of the version before are in the collections that are named after them', async () => {
  const step = migrations.indexOf(collectionNames);
  const db = new DatabaseSync(':memory:');
  await migrate(db, migrations.slice(0, step), async () => undefined);
  const documents = createDocuments(db);
  await documents.put('undoManifests', 'a', 'origin');
  await documents.put('undoManifests', 'b', 'other origin');
  await documents.put('parts-kept', 'a', 'manifest');
  await documents.put('parts', '7', 'plan');
  await documents.put('parts-marks', '7/0', 'done');
  await documents.put('parts-orphaned', 'a', 'orphans');
  await documents.put('services', 'parts', 'parts-kept');
  await migrate(db, migrations.slice(0, step + 1), async () => undefined);
  expect(db.prepare('SELECT collection, key, value FROM document ORDER BY collection, key').all()).toEqual(
    [
      ['chunkMarks', '7/0', 'done'],
      ['chunkPlans', '7', 'plan'],
      ['orphans', 'a', 'orphans'],
      ['removedServices', 'a', 'origin'],
      ['removedServices', 'b', 'other origin'],
      ['services', 'parts', 'parts-kept'],
      ['undoManifests', 'a', 'manifest'],
    ].map(([collection, key, value]) => ({ collection, key, value: JSON.stringify(value) })),
  );
  db.close();
});
