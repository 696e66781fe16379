import type { DatabaseSync } from 'node:sqlite';
import { schema, watchedFiles } from './schema.ts';
import { teamCopy } from './team-copy.ts';

/**
 * Version 3: when objects were last used on this computer, and the identifiers they were moved to. Objects that are gone (code 5) are not
 * listed as recently used.
 */
const recentUse = `
  ALTER TABLE object ADD COLUMN used_at_ms INTEGER;
  ALTER TABLE object ADD COLUMN moved_to TEXT;
  CREATE INDEX object_by_use ON object (service, kind, used_at_ms) WHERE used_at_ms IS NOT NULL AND state <> 5;
`;

/**
 * Version 4: transfers that one action started (a batch), with counters, so that a batch of a million is drawn without reading its
 * transfers. In `grp` 0 and 1 are unfinished, 2 failed or asking, 3 over; in `state` 1 is asking and 10 done; in `turn` 2 is paused.
 */
const transferBatches = `
  ALTER TABLE transfer ADD COLUMN batch INTEGER;

  CREATE TABLE batch (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    service INTEGER NOT NULL REFERENCES service ON DELETE CASCADE,
    -- A position in the list of \`transfers/store/codes.ts\`.
    action INTEGER NOT NULL,
    -- The innermost folder of all identifiers; '': there is none.
    folder TEXT NOT NULL,
    created_at_ms INTEGER NOT NULL,
    -- From here on by the triggers. All of its transfers have ids from the first to the last.
    first_id INTEGER,
    last_id INTEGER,
    -- Paused ones are open, too.
    open INTEGER NOT NULL DEFAULT 0,
    paused INTEGER NOT NULL DEFAULT 0,
    asking INTEGER NOT NULL DEFAULT 0,
    failed INTEGER NOT NULL DEFAULT 0,
    done INTEGER NOT NULL DEFAULT 0,
    cancelled INTEGER NOT NULL DEFAULT 0,
    -- REAL, as in "tally".
    open_bytes REAL NOT NULL DEFAULT 0,
    done_bytes REAL NOT NULL DEFAULT 0,
    -- When the last one ended.
    finished_at_ms INTEGER
  ) STRICT;
  CREATE INDEX batch_open ON batch (id) WHERE open > 0;
  CREATE INDEX batch_over ON batch (ifnull(finished_at_ms, 0), id) WHERE open = 0 AND done + cancelled > 0;

  -- Transfers of the dock that stand alone, in its orders, and those of one batch.
  CREATE INDEX transfer_alone_in_order ON transfer (tab, priority, order_key) WHERE grp < 2 AND batch IS NULL;
  CREATE INDEX transfer_alone_newest ON transfer (tab, grp, ifnull(finished_at_ms, 9007199254740991))
    WHERE grp >= 2 AND batch IS NULL;
  CREATE INDEX transfer_of_batch_in_order ON transfer (batch, priority, order_key) WHERE grp < 2 AND batch IS NOT NULL;
  CREATE INDEX transfer_of_batch_newest ON transfer (batch, grp, ifnull(finished_at_ms, 9007199254740991))
    WHERE grp >= 2 AND batch IS NOT NULL;

  CREATE TRIGGER batch_grown AFTER INSERT ON transfer WHEN new.batch IS NOT NULL BEGIN
    UPDATE batch SET
      first_id = coalesce(first_id, new.id), last_id = new.id,
      open = open + (new.grp < 2), paused = paused + (new.turn IS 2),
      asking = asking + (new.state = 1), failed = failed + (new.grp = 2 AND new.state <> 1),
      done = done + (new.state = 10), cancelled = cancelled + (new.grp = 3 AND new.state <> 10),
      open_bytes = open_bytes + iif(new.grp < 2, coalesce(new.total_bytes, 0), 0),
      done_bytes = done_bytes + iif(new.state = 10, coalesce(new.total_bytes, 0), 0)
    WHERE id = new.batch;
  END;
  CREATE TRIGGER batch_changed AFTER UPDATE OF state, turn, total_bytes ON transfer
    WHEN new.batch IS NOT NULL
      AND (old.state <> new.state OR (old.turn IS 2) <> (new.turn IS 2) OR old.total_bytes IS NOT new.total_bytes) BEGIN
    UPDATE batch SET
      open = open + (new.grp < 2) - (old.grp < 2), paused = paused + (new.turn IS 2) - (old.turn IS 2),
      asking = asking + (new.state = 1) - (old.state = 1),
      failed = failed + (new.grp = 2 AND new.state <> 1) - (old.grp = 2 AND old.state <> 1),
      done = done + (new.state = 10) - (old.state = 10),
      cancelled = cancelled + (new.grp = 3 AND new.state <> 10) - (old.grp = 3 AND old.state <> 10),
      open_bytes = open_bytes + iif(new.grp < 2, coalesce(new.total_bytes, 0), 0)
        - iif(old.grp < 2, coalesce(old.total_bytes, 0), 0),
      done_bytes = done_bytes + iif(new.state = 10, coalesce(new.total_bytes, 0), 0)
        - iif(old.state = 10, coalesce(old.total_bytes, 0), 0),
      finished_at_ms = iif(new.finished_at_ms IS NULL, finished_at_ms,
        max(coalesce(finished_at_ms, 0), new.finished_at_ms))
    WHERE id = new.batch;
  END;
  CREATE TRIGGER batch_shrunk AFTER DELETE ON transfer WHEN old.batch IS NOT NULL BEGIN
    UPDATE batch SET
      open = open - (old.grp < 2), paused = paused - (old.turn IS 2),
      asking = asking - (old.state = 1), failed = failed - (old.grp = 2 AND old.state <> 1),
      done = done - (old.state = 10), cancelled = cancelled - (old.grp = 3 AND old.state <> 10),
      open_bytes = open_bytes - iif(old.grp < 2, coalesce(old.total_bytes, 0), 0),
      done_bytes = done_bytes - iif(old.state = 10, coalesce(old.total_bytes, 0), 0)
    WHERE id = old.batch;
    DELETE FROM batch WHERE id = old.batch AND open + asking + failed + done + cancelled = 0;
  END;
`;

/** Version 5: which facts of an object are unverified, as bits (`shared/domain/unverified.ts`); before, only the digest could be. */
export const unverified = `ALTER TABLE object RENAME COLUMN digest_claimed TO claimed`;

/**
 * Version 6: a batch stores counters only for transfers that have left the history; the others are counted in memory
 * (`transfers/store/counts.ts`), without a trigger for each change. And an action on a batch is stored as one row, like one on a
 * service.
 */
export const forgottenTransfers = `
  DROP TRIGGER batch_grown;
  DROP TRIGGER batch_changed;
  DROP TRIGGER batch_shrunk;
  DROP INDEX batch_open;
  DROP INDEX batch_over;
  ALTER TABLE batch DROP COLUMN open;
  ALTER TABLE batch DROP COLUMN paused;
  ALTER TABLE batch DROP COLUMN asking;
  ALTER TABLE batch DROP COLUMN failed;
  ALTER TABLE batch DROP COLUMN done;
  ALTER TABLE batch DROP COLUMN cancelled;
  ALTER TABLE batch DROP COLUMN open_bytes;
  ALTER TABLE batch DROP COLUMN done_bytes;
  ALTER TABLE batch ADD COLUMN forgotten_done INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE batch ADD COLUMN forgotten_cancelled INTEGER NOT NULL DEFAULT 0;
  -- Of those that were done. REAL, as in "tally".
  ALTER TABLE batch ADD COLUMN forgotten_bytes REAL NOT NULL DEFAULT 0;

  ALTER TABLE sweep ADD COLUMN batch INTEGER;
  -- JSON: how failed transfers begin again.
  ALTER TABLE sweep ADD COLUMN retry TEXT;
`;

/** Version 8: the server's tag from which on the team's list shares secrets; NULL: it shares none, or the server has not reported it. */
const teamSecrets = 'ALTER TABLE team ADD COLUMN secrets_since TEXT';

/**
 * Version 9: objects still to be removed from a list, or to become private in it, after its team was left or an area was closed to this
 * person. A million objects cannot be changed at once: it is done in the background, by the ids of the objects.
 */
const teamClearing = `
  CREATE TABLE team_clearing (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    service INTEGER NOT NULL REFERENCES service ON DELETE CASCADE,
    -- The person's number in that team.
    me INTEGER NOT NULL,
    -- 0 what this person stored, saw or wrote stays, 1 everything, 2 nothing that the team had.
    keep INTEGER NOT NULL,
    -- JSON: the areas; NULL: the team was left.
    areas TEXT,
    -- It is done for objects up to the first; those after the second are none of the team's.
    after_id INTEGER NOT NULL DEFAULT 0,
    last_id INTEGER NOT NULL
  ) STRICT;
`;

/** Version 10: collections named after what is in them. The order matters: "undoManifests" held the removed services until now. */
export const collectionNames = `
  UPDATE document SET collection = 'removedServices' WHERE collection = 'undoManifests';
  UPDATE document SET collection = 'undoManifests' WHERE collection = 'parts-kept';
  UPDATE document SET collection = 'chunkPlans' WHERE collection = 'parts';
  UPDATE document SET collection = 'chunkMarks' WHERE collection = 'parts-marks';
  UPDATE document SET collection = 'orphans' WHERE collection = 'parts-orphaned';
`;

/** Version 11: when the team's list was last read to its end, by this computer's clock, in ms; NULL: not since this version. */
const teamRead = 'ALTER TABLE team ADD COLUMN read_ms INTEGER';

/** Version 12: what tells a file of a watched folder from another of the same length and time. */
export const watchedDigests = `
  -- As reading the folder showed them; NULL: not known. REAL, because the file numbers of some drives pass what JavaScript reads as
  -- an integer; they are only compared.
  ALTER TABLE watched_file ADD COLUMN ino REAL;
  ALTER TABLE watched_file ADD COLUMN ctime_ms REAL;
  -- Of the bytes that the transfer stored, or found stored; NULL: not known.
  ALTER TABLE watched_file ADD COLUMN sha256 TEXT;
  CREATE INDEX watched_file_of_transfer ON watched_file (transfer) WHERE transfer IS NOT NULL;
`;

/** Version 13: objects under way to another identifier, and when those that were renamed were first stored. */
export const renamedObjects = `
  -- One row for each unfinished transfer of a move: the copy, then the deletion of the object.
  CREATE TABLE moving (
    transfer INTEGER PRIMARY KEY,
    -- The object under its former identifier.
    object INTEGER NOT NULL REFERENCES object ON DELETE CASCADE,
    -- Its row under the new identifier; NULL: the copy is stored.
    target INTEGER
  ) STRICT;
  CREATE INDEX moving_object ON moving (object);
  CREATE INDEX moving_target ON moving (target) WHERE target IS NOT NULL;

  CREATE TABLE first_stored (
    object INTEGER PRIMARY KEY REFERENCES object ON DELETE CASCADE,
    first_ms INTEGER NOT NULL,
    -- The object's "stored_at_ms" that it stands for: other bytes have another.
    stored_ms INTEGER NOT NULL
  ) STRICT;
`;

/** Version 14: secrets that are revealed, copied or saved are in no list of transfers. */
export const secretReads = `UPDATE transfer SET tab = 2 WHERE json_extract(body, '$.work.kind') = 'readSecret'`;

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
  unverified,
  forgottenTransfers,
  teamCopy,
  teamSecrets,
  teamClearing,
  collectionNames,
  teamRead,
  watchedDigests,
  renamedObjects,
  secretReads,
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
