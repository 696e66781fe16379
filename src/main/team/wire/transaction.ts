import pg from 'pg';
import type { Line } from './line.ts';

/** Thrown to roll back because of a state for which the caller has an answer. */
export class RoleRefused extends Error {
  readonly problem: 'noRole' | 'closed';

  constructor(problem: RoleRefused['problem'], options?: ErrorOptions) {
    super(problem, options);
    this.problem = problem;
  }
}

/** Commits, or rolls back if `run` throws. */
export async function inTransaction<T>(query: Line['query'], run: () => Promise<T>): Promise<T> {
  await query('begin');
  try {
    const result = await run();
    await query('commit');
    return result;
  } catch (cause) {
    // A lost connection has rolled back anyway: the caller must get the original error.
    await query('rollback').catch(() => undefined);
    throw cause;
  }
}

/** Runs a statement in a transaction, which goes on either way. @returns false: the server refuses it */
export async function isDone(
  query: Line['query'],
  sql: string,
  values: readonly unknown[] = [],
): Promise<boolean> {
  await query('savepoint try');
  try {
    await query(sql, values, 1000);
    return true;
  } catch (cause) {
    if (!(cause instanceof pg.DatabaseError)) throw cause;
    await query('rollback to savepoint try');
    return false;
  }
}
