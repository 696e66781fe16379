/** Version 5: which facts of an object are only claimed, as bits (`shared/domain/claims.ts`); before, only the digest could be. */
export const claims = `ALTER TABLE object RENAME COLUMN digest_claimed TO claimed`;
