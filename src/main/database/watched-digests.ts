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
