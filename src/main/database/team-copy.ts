/**
 * Version 7: which transfer's bytes an object has (`incarnation`), and this computer's copy of a team's list. A service with a row in
 * `team` shares its list; all of a copy goes with the service.
 */
export const teamCopy = `
  ALTER TABLE object ADD COLUMN incarnation TEXT;
  -- The number of its last change on the server; NULL: not shared.
  ALTER TABLE object ADD COLUMN team_rev INTEGER;
  ALTER TABLE object ADD COLUMN team_area INTEGER;
  -- Of the team's people; 0: somebody of a team that was left.
  ALTER TABLE object ADD COLUMN stored_by INTEGER;
  ALTER TABLE object ADD COLUMN seen_by INTEGER;
  ALTER TABLE object ADD COLUMN seen_at_ms INTEGER;
  -- It was seen on this computer before somebody else found it otherwise.
  ALTER TABLE object ADD COLUMN seen_here INTEGER NOT NULL DEFAULT 0;
  -- JSON: the note and "renew by" as the server had them last, [note, renewBy]; NULL: neither.
  ALTER TABLE object ADD COLUMN team_words TEXT;
  -- What this computer has told the server, as bits of team_due, and the number it got.
  ALTER TABLE object ADD COLUMN pushed_bits INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE object ADD COLUMN pushed_rev INTEGER;

  CREATE TABLE team (
    service INTEGER PRIMARY KEY REFERENCES service ON DELETE CASCADE,
    -- JSON: server, database, role, list; never a password.
    place TEXT NOT NULL,
    list INTEGER NOT NULL,
    me INTEGER NOT NULL,
    -- This copy, and its last push that was answered.
    client TEXT NOT NULL,
    seq INTEGER NOT NULL DEFAULT 0,
    client_tag TEXT,
    -- How many changes a push has: fewer after the server refused one.
    push_max INTEGER NOT NULL,
    -- How far it has read; NULL: it has to be filled.
    epoch TEXT,
    rev INTEGER NOT NULL DEFAULT 0,
    tag TEXT,
    -- JSON: a first fill that is not done.
    fill TEXT,
    -- JSON: what the person may see, and of which areas all is here, by the grants of that time.
    access TEXT NOT NULL DEFAULT '[]',
    filled TEXT NOT NULL DEFAULT '[]',
    access_rev INTEGER,
    -- What was stored before joining is shared from the object after this one on; NULL: it is done, or not to be shared.
    earlier_after INTEGER
  ) STRICT;

  CREATE TABLE team_person (
    service INTEGER NOT NULL REFERENCES service ON DELETE CASCADE,
    id INTEGER NOT NULL,
    shown TEXT NOT NULL,
    is_ended INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (service, id)
  ) STRICT, WITHOUT ROWID;

  -- What the server is to be told, by name: an object may leave the list before. A row that changes gets a new id.
  CREATE TABLE team_due (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    service INTEGER NOT NULL REFERENCES service ON DELETE CASCADE,
    kind INTEGER NOT NULL,
    identifier TEXT NOT NULL,
    -- 1 bytes, 2 presence, 4 note, 8 renew by, 16 off the list.
    bits INTEGER NOT NULL,
    -- The server's note when the other one was typed.
    note_base TEXT,
    -- JSON: what was still to be told of an object that has left the list.
    facts TEXT,
    -- Why the server has refused it.
    refused TEXT,
    UNIQUE (service, kind, identifier)
  ) STRICT;
  CREATE INDEX team_due_ready ON team_due (service, id) WHERE refused IS NULL;

  -- The push that may have left. The changes are kept as they were sent, and for each the id in team_due, so that a repetition is the same.
  CREATE TABLE team_flight (
    service INTEGER PRIMARY KEY REFERENCES service ON DELETE CASCADE,
    seq INTEGER NOT NULL,
    tag TEXT NOT NULL,
    changes TEXT NOT NULL,
    due TEXT NOT NULL
  ) STRICT;

  -- What the team says of objects that a transfer is working on (JSON): taken when it ends.
  CREATE TABLE team_held (
    service INTEGER NOT NULL REFERENCES service ON DELETE CASCADE,
    kind INTEGER NOT NULL,
    identifier TEXT NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (service, kind, identifier)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE team_anchor (
    service INTEGER NOT NULL REFERENCES service ON DELETE CASCADE,
    rev INTEGER NOT NULL,
    tag TEXT NOT NULL,
    PRIMARY KEY (service, rev)
  ) STRICT, WITHOUT ROWID;

  -- A note that somebody else's came before.
  CREATE TABLE team_kept_apart (
    id INTEGER PRIMARY KEY,
    object INTEGER NOT NULL REFERENCES object ON DELETE CASCADE,
    mine TEXT NOT NULL,
    at_ms INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX team_kept_apart_of ON team_kept_apart (object);
`;
