/** Version 8: what of the list its curators share, as bits: 1 secrets, 2 notes. 0 until the server has said so. */
export const teamShares = 'ALTER TABLE team ADD COLUMN shares INTEGER NOT NULL DEFAULT 0';
