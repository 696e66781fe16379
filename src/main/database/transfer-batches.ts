/**
 * Version 4: transfers that one action started (a batch), with counters, so that a batch of a million is drawn without reading its
 * transfers. In `grp` 0 and 1 are unfinished, 2 failed or asking, 3 over; in `state` 1 is asking and 10 done; in `turn` 2 is paused.
 */
export const transferBatches = `
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
