import { digestOf, steps, transactionOf } from './steps.ts';

/** A connection as the owner of the database. */
type Connection = { query: (sql: string) => Promise<{ rows: unknown[] }> };

/** Older ones let statistics show values that policies hide (CVE-2025-8713). From 18 on all are patched. */
const patched: Readonly<Record<number, number>> = { 15: 14, 16: 10, 17: 6 };

/** @param version of the server as a number: 180004 is 18.4 */
export function isPatched(version: number): boolean {
  const major = Math.floor(version / 10_000);
  return major >= 18 || version % 10_000 >= (patched[major] ?? Infinity);
}

/**
 * Brings the schema of a team's database to the newest step, each in its own transaction.
 * @returns the number of the last step
 * @throws if the server is too old, or one of its steps is not this Coffer's; errors of the server have an SQLSTATE as `code`
 */
export async function migrate(connection: Connection, wanted: readonly string[] = steps): Promise<number> {
  const [{ version } = { version: 0 }] = await rowsOf<{ version: number }>(
    connection,
    "select current_setting('server_version_num')::int as version",
  );
  if (!isPatched(version)) {
    throw new Error(
      'The team’s server needs PostgreSQL 15.14, 16.10, 17.6, 18 or newer: older ones let members see what they may not. Update the server.',
    );
  }
  const applied = await stepsOf(connection);
  for (const [at, digest] of applied.entries()) {
    const step = wanted[at];
    if (step !== undefined && digestOf(step) !== digest) {
      throw new Error(
        `Step ${String(at + 1)} of the schema in this database is not the one of this Coffer. Use another database.`,
      );
    }
  }
  await applySteps((sql) => connection.query(sql), applied.length, wanted);
  return Math.max(applied.length, wanted.length);
}

/** @param applied how many of them the database has already */
export async function applySteps(
  query: (sql: string) => Promise<unknown>,
  applied: number,
  wanted: readonly string[] = steps,
): Promise<void> {
  for (const [at, step] of wanted.entries()) {
    if (at < applied) continue;
    try {
      await query(transactionOf(step, at + 1));
    } catch (cause) {
      // A lost connection has rolled back anyway: the caller must get the original error.
      await query('rollback').catch(() => undefined);
      throw cause;
    }
  }
}

async function stepsOf(connection: Connection): Promise<string[]> {
  const [{ is_there: isThere } = { is_there: false }] = await rowsOf<{ is_there: boolean }>(
    connection,
    "select to_regclass('coffer.step') is not null as is_there",
  );
  if (!isThere) return [];
  const rows = await rowsOf<{ digest: string }>(connection, 'select digest from coffer.step order by number');
  return rows.map(({ digest }) => digest);
}

async function rowsOf<Row>(connection: Connection, sql: string): Promise<Row[]> {
  // The columns are those of the query.
  return (await connection.query(sql)).rows as Row[];
}
