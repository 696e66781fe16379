import type { DatabaseSync } from 'node:sqlite';
import { keptSchema } from '../kept/local-kept-store.ts';
import { moveJobs } from '../transfers/store/move-jobs.ts';
import { transferSchema } from '../transfers/store/schema.ts';

/** "Coff", so that another program's database is not taken for a catalogue. */
export const applicationId = 0x43_6f_66_66;

/** SQL, or what SQL alone cannot do. */
export type MigrationStep = string | ((db: DatabaseSync, nowMs: number) => void);

/**
 * Step n leads from `user_version` n to n + 1. A step that was released is never edited. `kind` and `state` are
 * positions in the lists of `rows.ts`; times are milliseconds.
 */
export const migrations: readonly MigrationStep[] = [
  `
  CREATE TABLE profile (
    id INTEGER PRIMARY KEY,
    profile_id TEXT NOT NULL UNIQUE,
    separator TEXT NOT NULL
  ) STRICT;

  CREATE TABLE object (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    profile INTEGER NOT NULL REFERENCES profile ON DELETE CASCADE,
    kind INTEGER NOT NULL,
    identifier TEXT NOT NULL,
    state INTEGER NOT NULL,
    length_bytes INTEGER,
    sha256 TEXT,
    classification TEXT,
    source_name TEXT,
    stored_at_ms INTEGER,
    checked_at_ms INTEGER,
    activity_token TEXT,
    note TEXT NOT NULL,
    UNIQUE (profile, kind, identifier)
  ) STRICT;
  -- Totals and "which are not finished" without reading the rows.
  CREATE INDEX object_by_state ON object (profile, kind, state, length_bytes);

  CREATE TABLE history (
    id INTEGER PRIMARY KEY,
    object INTEGER NOT NULL REFERENCES object ON DELETE CASCADE,
    at_ms INTEGER NOT NULL,
    action TEXT NOT NULL,
    detail TEXT,
    activity_token TEXT
  ) STRICT;
  CREATE INDEX history_by_object ON history (object);

  CREATE TABLE document (
    collection TEXT NOT NULL,
    key TEXT NOT NULL,
    value TEXT NOT NULL,
    PRIMARY KEY (collection, key)
  ) STRICT, WITHOUT ROWID;

  PRAGMA application_id = ${String(applicationId)};
  `,
  `
  -- The order that the list begins with: by time, and what is on its way (state 1) after all that is stored.
  CREATE INDEX object_by_stored ON object (
    profile, kind, coalesce(stored_at_ms, iif(state = 1, 281474976710656, -1)), identifier
  );

  -- Totals without counting: REAL, since a sum of lengths may pass what JavaScript reads as an integer.
  CREATE TABLE tally (
    profile INTEGER NOT NULL REFERENCES profile ON DELETE CASCADE,
    kind INTEGER NOT NULL,
    state INTEGER NOT NULL,
    objects INTEGER NOT NULL,
    bytes REAL NOT NULL,
    PRIMARY KEY (profile, kind, state)
  ) STRICT, WITHOUT ROWID;
  INSERT INTO tally SELECT profile, kind, state, count(*), total(length_bytes) FROM object GROUP BY 1, 2, 3;
  CREATE TRIGGER object_added AFTER INSERT ON object BEGIN
    INSERT INTO tally VALUES (new.profile, new.kind, new.state, 1, coalesce(new.length_bytes, 0))
      ON CONFLICT DO UPDATE SET objects = objects + 1, bytes = bytes + excluded.bytes;
  END;
  CREATE TRIGGER object_removed AFTER DELETE ON object BEGIN
    UPDATE tally SET objects = objects - 1, bytes = bytes - coalesce(old.length_bytes, 0)
      WHERE profile = old.profile AND kind = old.kind AND state = old.state;
  END;
  CREATE TRIGGER object_changed AFTER UPDATE OF state, length_bytes ON object
    WHEN old.state <> new.state OR old.length_bytes IS NOT new.length_bytes BEGIN
    UPDATE tally SET objects = objects - 1, bytes = bytes - coalesce(old.length_bytes, 0)
      WHERE profile = old.profile AND kind = old.kind AND state = old.state;
    INSERT INTO tally VALUES (new.profile, new.kind, new.state, 1, coalesce(new.length_bytes, 0))
      ON CONFLICT DO UPDATE SET objects = objects + 1, bytes = bytes + excluded.bytes;
  END;
  `,
  (db, nowMs) => {
    db.exec(transferSchema);
    moveJobs(db, nowMs);
  },
  `
  -- The newest first; of one moment in the order in which they came, which is the order of ids.
  DROP INDEX object_by_stored;
  CREATE INDEX object_by_stored ON object (
    profile, kind, coalesce(stored_at_ms, iif(state = 1, 281474976710656, -1)) DESC
  );
  `,
  `
  -- What the names of versions have before their extension.
  ALTER TABLE profile ADD COLUMN version_mark TEXT NOT NULL DEFAULT '@{number}';
  `,
  keptSchema,
  `
  -- JSON of an object that lies in parts; its list as it lies under its identifier.
  ALTER TABLE object ADD COLUMN parts TEXT;
  CREATE TABLE manifest (
    object INTEGER PRIMARY KEY REFERENCES object ON DELETE CASCADE,
    text TEXT NOT NULL,
    -- JSON: the numbers of the parts that the last check did not find, from 0.
    missing TEXT NOT NULL DEFAULT '[]'
  ) STRICT;
  `,
  `
  -- The day by which a secret is to have a new value, YYYY-MM-DD.
  ALTER TABLE object ADD COLUMN renew_by TEXT;
  CREATE INDEX object_by_renewal ON object (renew_by) WHERE renew_by IS NOT NULL;
  `,
];

export function schemaVersion(db: DatabaseSync): number {
  return Number(db.prepare('PRAGMA user_version').get()?.['user_version']);
}

/** One transaction per step: a step is there as a whole or not at all. */
export async function migrate(
  db: DatabaseSync,
  steps: readonly MigrationStep[],
  beforeStep: () => Promise<void>,
  nowMs = Date.now(),
): Promise<void> {
  for (let version = schemaVersion(db); version < steps.length; version += 1) {
    if (version > 0) await beforeStep();
    runTransaction(db, () => {
      const step = steps[version] ?? '';
      if (typeof step === 'string') db.exec(step);
      else step(db, nowMs);
      db.exec(`PRAGMA user_version = ${String(version + 1)}`);
    });
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
