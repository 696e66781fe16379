/** "Coff", so that another program's database is not mistaken for a catalogue. */
export const applicationId = 0x43_6f_66_66;

/** Times are in milliseconds. `kind` and `state` are positions in the lists of `objects/rows.ts`. */
const objects = `
  CREATE TABLE service (
    id INTEGER PRIMARY KEY,
    service_id TEXT NOT NULL UNIQUE,
    separator TEXT NOT NULL,
    -- What the names of versions have before their extension.
    version_mark TEXT NOT NULL DEFAULT '@{number}'
  ) STRICT;

  CREATE TABLE object (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    service INTEGER NOT NULL REFERENCES service ON DELETE CASCADE,
    kind INTEGER NOT NULL,
    identifier TEXT NOT NULL,
    state INTEGER NOT NULL,
    length_bytes INTEGER,
    sha256 TEXT,
    -- The digest is that of an imported list, and was not compared with what is stored.
    digest_claimed INTEGER NOT NULL DEFAULT 0,
    classification TEXT,
    source_name TEXT,
    stored_at_ms INTEGER,
    checked_at_ms INTEGER,
    activity_token TEXT,
    note TEXT NOT NULL,
    -- The transfer that is writing the object, or deleting it.
    writer INTEGER,
    -- Moves on with every change of state, length, digest or writer.
    epoch INTEGER NOT NULL DEFAULT 0,
    -- JSON of an object that lies in parts.
    parts TEXT,
    -- The day by which a secret is to have a new value, YYYY-MM-DD.
    renew_by TEXT,
    UNIQUE (service, kind, identifier)
  ) STRICT;
  -- Totals and "which are not finished" without reading the rows.
  CREATE INDEX object_by_state ON object (service, kind, state, length_bytes);
  -- The order that the list begins with: the newest first, and what is on its way (state 1) before all that is stored; of one
  -- moment in the order in which they came, which is the order of ids.
  CREATE INDEX object_by_stored ON object (
    service, kind, coalesce(stored_at_ms, iif(state = 1, 281474976710656, -1)) DESC
  );
  CREATE INDEX object_by_renewal ON object (renew_by) WHERE renew_by IS NOT NULL;

  CREATE TABLE history (
    id INTEGER PRIMARY KEY,
    object INTEGER NOT NULL REFERENCES object ON DELETE CASCADE,
    at_ms INTEGER NOT NULL,
    action TEXT NOT NULL,
    detail TEXT,
    activity_token TEXT
  ) STRICT;
  CREATE INDEX history_by_object ON history (object);

  -- The list of parts as it lies under its object's identifier.
  CREATE TABLE manifest (
    object INTEGER PRIMARY KEY REFERENCES object ON DELETE CASCADE,
    text TEXT NOT NULL,
    -- JSON: the numbers of the parts that the last check did not find, from 0.
    missing TEXT NOT NULL DEFAULT '[]'
  ) STRICT;

  -- Totals without counting: REAL, since a sum of lengths may pass what JavaScript reads as an integer.
  CREATE TABLE tally (
    service INTEGER NOT NULL REFERENCES service ON DELETE CASCADE,
    kind INTEGER NOT NULL,
    state INTEGER NOT NULL,
    objects INTEGER NOT NULL,
    bytes REAL NOT NULL,
    PRIMARY KEY (service, kind, state)
  ) STRICT, WITHOUT ROWID;
  CREATE TRIGGER object_added AFTER INSERT ON object BEGIN
    INSERT INTO tally VALUES (new.service, new.kind, new.state, 1, coalesce(new.length_bytes, 0))
      ON CONFLICT DO UPDATE SET objects = objects + 1, bytes = bytes + excluded.bytes;
  END;
  CREATE TRIGGER object_removed AFTER DELETE ON object BEGIN
    UPDATE tally SET objects = objects - 1, bytes = bytes - coalesce(old.length_bytes, 0)
      WHERE service = old.service AND kind = old.kind AND state = old.state;
  END;
  CREATE TRIGGER object_changed AFTER UPDATE OF state, length_bytes ON object
    WHEN old.state <> new.state OR old.length_bytes IS NOT new.length_bytes BEGIN
    UPDATE tally SET objects = objects - 1, bytes = bytes - coalesce(old.length_bytes, 0)
      WHERE service = old.service AND kind = old.kind AND state = old.state;
    INSERT INTO tally VALUES (new.service, new.kind, new.state, 1, coalesce(new.length_bytes, 0))
      ON CONFLICT DO UPDATE SET objects = objects + 1, bytes = bytes + excluded.bytes;
  END;
`;

/** JSON by collection and key. */
const documents = `
  CREATE TABLE document (
    collection TEXT NOT NULL,
    key TEXT NOT NULL,
    value TEXT NOT NULL,
    PRIMARY KEY (collection, key)
  ) STRICT, WITHOUT ROWID;
`;

/**
 * Codes are positions in the lists of `transfers/store/codes.ts`. `grp`, `tab`, `queue`, `turn` and `error` are
 * derived from the record, and stored for the indexes.
 */
const transfers = `
  CREATE TABLE origin (
    id INTEGER PRIMARY KEY,
    address TEXT NOT NULL UNIQUE
  ) STRICT;

  CREATE TABLE transfer (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    service INTEGER NOT NULL REFERENCES service ON DELETE CASCADE,
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
    queue INTEGER NOT NULL,
    turn INTEGER,
    state INTEGER NOT NULL,
    grp INTEGER NOT NULL,
    tab INTEGER NOT NULL,
    next_at_ms INTEGER,
    error TEXT,
    total_bytes INTEGER,
    created_at_ms INTEGER NOT NULL,
    finished_at_ms INTEGER,
    -- The undo copy whose bytes it stores ("kept.file").
    restores TEXT,
    -- Of the table "sweep": those up to this one do not mean it any more.
    sweep INTEGER NOT NULL,
    body TEXT NOT NULL
  ) STRICT;
  CREATE INDEX transfer_turn ON transfer (service, queue, turn, priority, order_key) WHERE turn IS NOT NULL;
  CREATE INDEX transfer_due ON transfer (service, next_at_ms) WHERE turn = 1;
  CREATE INDEX transfer_asking ON transfer (service) WHERE turn = 3;
  CREATE INDEX transfer_claimed ON transfer (service, identifier) WHERE claimed = 1;
  CREATE INDEX transfer_deletion ON transfer (service, identifier) WHERE direction = 2 AND finished_at_ms IS NULL;
  CREATE INDEX transfer_of_object ON transfer (object) WHERE finished_at_ms IS NULL AND object IS NOT NULL;
  CREATE INDEX transfer_restoring ON transfer (restores) WHERE restores IS NOT NULL;
  CREATE INDEX transfer_in_order ON transfer (tab, grp, priority, order_key) WHERE grp < 2;
  CREATE INDEX transfer_newest ON transfer (tab, grp, ifnull(finished_at_ms, 9007199254740991)) WHERE grp >= 2;
  CREATE INDEX transfer_cause ON transfer (service, grp, error) WHERE error IS NOT NULL;

  -- What is still to be done to every record of a service that was not in work: a million cannot be changed at once.
  CREATE TABLE sweep (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    service INTEGER NOT NULL REFERENCES service ON DELETE CASCADE,
    tab INTEGER,
    action INTEGER NOT NULL,
    at_ms INTEGER NOT NULL
  ) STRICT;
`;

/**
 * Undo copies. The row is written before its file is begun. While `transfer` is set, that transfer works with the
 * bytes; when it leaves the list, they stay as a version.
 */
const kept = `
  CREATE TABLE kept (
    file TEXT PRIMARY KEY,
    service INTEGER NOT NULL REFERENCES service ON DELETE CASCADE,
    identifier TEXT NOT NULL,
    classification TEXT,
    source_name TEXT,
    -- NULL: its file is not whole yet.
    length_bytes INTEGER,
    sha256 TEXT,
    kept_at_ms INTEGER NOT NULL,
    until_ms INTEGER NOT NULL,
    transfer INTEGER,
    -- 0: what was replaced, 1: what replaces it.
    role INTEGER NOT NULL,
    -- Where the service was.
    origin TEXT NOT NULL,
    replaced_by TEXT,
    replaced_by_bytes INTEGER
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX kept_of_object ON kept (service, identifier);
  CREATE INDEX kept_of_transfer ON kept (transfer) WHERE transfer IS NOT NULL;
  CREATE TRIGGER transfer_removed AFTER DELETE ON transfer BEGIN
    UPDATE kept SET transfer = NULL WHERE transfer = old.id;
  END;
`;

/** Version 1: the schema of the first release. Once it is released, never edit it: add migrations. */
export const schema = `${objects}${documents}${transfers}${kept}
  PRAGMA application_id = ${String(applicationId)};
`;

/** Version 2: the states of files in watched folders that were sent, or existed before; and the file that an object was made from. */
export const watchedFiles = `
  CREATE TABLE watched_file (
    -- The key of its document in "watchedFolders".
    folder TEXT NOT NULL,
    -- Below the folder, with "/".
    path TEXT NOT NULL,
    size_bytes INTEGER NOT NULL,
    mtime_ms REAL NOT NULL,
    -- The upload of that state, which may have left the list; NULL: it was there before.
    transfer INTEGER,
    PRIMARY KEY (folder, path)
  ) STRICT, WITHOUT ROWID;
  -- Some builds of version 1 have it.
  CREATE INDEX IF NOT EXISTS transfer_done_of_object ON transfer (object) WHERE grp >= 2 AND object IS NOT NULL;
`;
