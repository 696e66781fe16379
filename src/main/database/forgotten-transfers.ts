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
