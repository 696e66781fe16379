/** Version 5: which facts of an object are only somebody's word, as bits (`shared/domain/claims.ts`); until now only its digest. */
export const claims = `ALTER TABLE object RENAME COLUMN digest_claimed TO claimed`;
