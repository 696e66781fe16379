import pg from 'pg';
import type { Line } from './line.ts';

/** Thrown to roll back what was begun, because of a state that the caller has an answer for. */
export class RoleRefused extends Error {
  readonly problem: 'noRole' | 'closed';

  constructor(problem: RoleRefused['problem'], options?: ErrorOptions) {
    super(problem, options);
    this.problem = problem;
  }
}

/** All of it, or nothing if `run` throws. */
export async function inTransaction<T>(query: Line['query'], run: () => Promise<T>): Promise<T> {
  await query('begin');
  try {
    const result = await run();
    await query('commit');
    return result;
  } catch (cause) {
    // Where the connection is gone, so is the transaction: what broke it is what the caller has to know.
    await query('rollback').catch(() => undefined);
    throw cause;
  }
}

/** In a transaction, which goes on. @returns false: the server refuses it */
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
