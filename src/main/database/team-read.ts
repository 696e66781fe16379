/** Version 11: when the team's list was read to its end last, by this computer's clock, in ms; NULL: not yet, or by a Coffer before this version. */
export const teamRead = 'ALTER TABLE team ADD COLUMN read_ms INTEGER';
