/**
 * Version 3: when objects were last used on this computer, and the identifiers they were moved to. Objects that are gone (code 5) are not
 * listed as recently used.
 */
export const recentUse = `
  ALTER TABLE object ADD COLUMN used_at_ms INTEGER;
  ALTER TABLE object ADD COLUMN moved_to TEXT;
  CREATE INDEX object_by_use ON object (service, kind, used_at_ms) WHERE used_at_ms IS NOT NULL AND state <> 5;
`;
