import type { DatabaseSync } from 'node:sqlite';
import { claims } from './claims.ts';
import { collectionNames } from './collection-names.ts';
import { forgottenTransfers } from './forgotten-transfers.ts';
import { recentUse } from './recent-use.ts';
import { schema, watchedFiles } from './schema.ts';
import { teamClearing } from './team-clearing.ts';
import { teamCopy } from './team-copy.ts';
import { teamRead } from './team-read.ts';
import { teamSecrets } from './team-secrets.ts';
import { transferBatches } from './transfer-batches.ts';
import { watchedDigests } from './watched-digests.ts';

/** SQL, or a function for what SQL cannot do. */
export type MigrationStep = string | ((db: DatabaseSync) => void);

/**
 * Step n upgrades `user_version` n to n + 1. Never edit a released step. Nor are those before 1.0 folded into one: people run Coffer from
 * a checkout, and their lists are the only ones they have.
 */
export const migrations: readonly MigrationStep[] = [
  schema,
  watchedFiles,
  recentUse,
  transferBatches,
  claims,
  forgottenTransfers,
  teamCopy,
  teamSecrets,
  teamClearing,
  collectionNames,
  teamRead,
  watchedDigests,
];

export function schemaVersion(db: DatabaseSync): number {
  return Number(db.prepare('PRAGMA user_version').get()?.['user_version']);
}

/**
 * Runs each step in a transaction of its own, and those of a new file in one: each would wait for the disk.
 * @param beforeStep makes a copy of the file; not called for a new file
 */
export async function migrate(
  db: DatabaseSync,
  steps: readonly MigrationStep[],
  beforeStep: () => Promise<void>,
): Promise<void> {
  const foundVersion = schemaVersion(db);
  const upgrade = (version: number) => {
    const step = steps[version] ?? '';
    if (typeof step === 'string') db.exec(step);
    else step(db);
    db.exec(`PRAGMA user_version = ${String(version + 1)}`);
  };
  if (foundVersion === 0) return runTransaction(db, () => [...steps.keys()].forEach(upgrade));
  for (let version = foundVersion; version < steps.length; version += 1) {
    await beforeStep();
    runTransaction(db, () => upgrade(version));
  }
}

export function runTransaction<T>(db: DatabaseSync, work: () => T): T {
  db.exec('BEGIN IMMEDIATE');
  try {
    const result = work();
    db.exec('COMMIT');
    return result;
  } catch (error) {
    // A full disk may have ended the transaction already.
    if (db.isTransaction) db.exec('ROLLBACK');
    throw error;
  }
}
