/** Version 11: when the team's list was last read to its end, by this computer's clock, in ms; NULL: not since this version. */
export const teamRead = 'ALTER TABLE team ADD COLUMN read_ms INTEGER';
