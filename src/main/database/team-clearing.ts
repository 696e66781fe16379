/**
 * Version 9: objects still to be removed from a list, or to become private in it, after its team was left or an area was closed to this
 * person. A million objects cannot be changed at once: it is done in the background, by the ids of the objects.
 */
export const teamClearing = `
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
