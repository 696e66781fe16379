/**
 * The second step of the file: transfers beside the list of objects. Codes are positions in the lists of `codes.ts`.
 * `grp`, `tab`, `lane`, `turn` and `error` follow from the rest of the record, and are written down for the indexes.
 */
export const transferSchema = `
  ALTER TABLE object ADD COLUMN writer INTEGER;
  ALTER TABLE object ADD COLUMN epoch INTEGER NOT NULL DEFAULT 0;

  CREATE TABLE origin (
    id INTEGER PRIMARY KEY,
    address TEXT NOT NULL UNIQUE
  ) STRICT;

  CREATE TABLE transfer (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    profile INTEGER NOT NULL REFERENCES profile ON DELETE CASCADE,
    origin INTEGER NOT NULL,
    kind INTEGER NOT NULL,
    route INTEGER NOT NULL,
    direction INTEGER NOT NULL,
    identifier TEXT NOT NULL,
    -- No foreign key: the row may be taken off the list.
    object INTEGER,
    priority INTEGER NOT NULL,
    order_key REAL NOT NULL,
    paused INTEGER NOT NULL,
    -- In work: no action on the file touches it.
    claimed INTEGER NOT NULL,
    lane INTEGER NOT NULL,
    turn INTEGER,
    state INTEGER NOT NULL,
    grp INTEGER NOT NULL,
    tab INTEGER NOT NULL,
    next_at_ms INTEGER,
    error TEXT,
    total_bytes INTEGER,
    created_at_ms INTEGER NOT NULL,
    finished_at_ms INTEGER,
    -- Of the table "sweep": those up to this one do not mean it any more.
    sweep INTEGER NOT NULL,
    body TEXT NOT NULL
  ) STRICT;
  CREATE INDEX transfer_turn ON transfer (profile, lane, turn, priority, order_key) WHERE turn IS NOT NULL;
  CREATE INDEX transfer_due ON transfer (profile, next_at_ms) WHERE turn = 1;
  CREATE INDEX transfer_asking ON transfer (profile) WHERE turn = 3;
  CREATE INDEX transfer_claimed ON transfer (profile, identifier) WHERE claimed = 1;
  CREATE INDEX transfer_deletion ON transfer (profile, identifier) WHERE direction = 2 AND finished_at_ms IS NULL;
  CREATE INDEX transfer_of_object ON transfer (object) WHERE finished_at_ms IS NULL AND object IS NOT NULL;
  CREATE INDEX transfer_in_order ON transfer (tab, grp, priority, order_key) WHERE grp < 2;
  CREATE INDEX transfer_newest ON transfer (tab, grp, ifnull(finished_at_ms, 9007199254740991)) WHERE grp >= 2;
  CREATE INDEX transfer_cause ON transfer (profile, grp, error) WHERE error IS NOT NULL;

  -- What is still to be done to every record of a profile that was not in work: a million cannot be changed at once.
  CREATE TABLE sweep (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    profile INTEGER NOT NULL REFERENCES profile ON DELETE CASCADE,
    tab INTEGER,
    action INTEGER NOT NULL,
    at_ms INTEGER NOT NULL
  ) STRICT;
`;
