import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import { readText, writeText } from './text.ts';

/** A statement that took longer is told of: the thread serves nobody else meanwhile. */
const slowMs = 50;

/**
 * When a value is bound to `LIMIT ?`, SQLite prepares the statement anew, because the best plan could depend on it: ten times the work
 * of a short statement itself. To an expression it gives no such thought.
 */
const limit = /\bLIMIT \?/g;

const rowsAtOnce = 50;

/** @param sql without values: those are bound */
export type OnSlowStatement = (sql: string, elapsedMs: number) => void;

/** Statements by their text, prepared once. */
export class Statements {
  readonly #db: DatabaseSync;
  readonly #prepared = new Map<string, StatementSync>();

  readonly #onSlow: OnSlowStatement;

  constructor(db: DatabaseSync, onSlow: OnSlowStatement = () => undefined) {
    this.#db = db;
    this.#onSlow = onSlow;
  }

  /** The rows as arrays; the caller asserts the column types. */
  readonly rows = <Row extends unknown[]>(sql: string, ...values: SQLInputValue[]): Row[] => {
    for (let at = 0; at < values.length; at += 1) values[at] = writeText(values[at] ?? null);
    const rows = this.#timed(sql, (statement) => statement.all(...values)) as unknown as Row[];
    for (const row of rows) restore(row);
    return rows;
  };

  /** For statements without result rows. @returns the id of the inserted row, if any; null: nothing changed */
  readonly run = (sql: string, ...values: SQLInputValue[]): number | null => {
    const { changes, lastInsertRowid } = this.#timed(sql, (statement) =>
      statement.run(...values.map(writeText)),
    );
    return changes === 0 ? null : Number(lastInsertRowid);
  };

  /**
   * Inserts rows of equally many values, a few dozen by one statement: a statement for each takes twice the time.
   * @param into up to `VALUES` @param ending what follows the values @returns what `ending` returns
   */
  readonly insertRows = <Row extends unknown[]>(
    into: string,
    rows: readonly (readonly SQLInputValue[])[],
    ending = '',
  ): Row[] => {
    const marks = `(${(rows[0] ?? []).map(() => '?').join(', ')})`;
    const returned: Row[] = [];
    for (let at = 0; at < rows.length;) {
      // Two statements are enough for any number of rows.
      const count = rows.length - at < rowsAtOnce ? 1 : rowsAtOnce;
      const sql = `${into} VALUES ${Array<string>(count).fill(marks).join(', ')} ${ending}`;
      returned.push(...this.rows<Row>(sql, ...rows.slice(at, at + count).flat()));
      at += count;
    }
    return returned;
  };

  /** Like `rows`, one at a time, so that many rows need no memory. The statement is in use until the last one. */
  *eachRow<Row extends unknown[]>(sql: string, ...values: SQLInputValue[]): Generator<Row> {
    for (const row of this.#prepare(sql).iterate(...values.map(writeText)) as Iterable<unknown>) {
      yield restore(row as Row);
    }
  }

  #timed<T>(sql: string, work: (statement: StatementSync) => T): T {
    const statement = this.#prepare(sql);
    const begunMs = performance.now();
    const result = work(statement);
    const elapsedMs = performance.now() - begunMs;
    if (elapsedMs > slowMs) this.#onSlow(sql, Math.round(elapsedMs));
    return result;
  }

  #prepare(sql: string): StatementSync {
    let statement = this.#prepared.get(sql);
    if (statement === undefined) {
      statement = this.#db.prepare(sql.replace(limit, 'LIMIT +?'));
      statement.setReturnArrays(true);
      this.#prepared.set(sql, statement);
    }
    return statement;
  }
}

function restore<Row extends unknown[]>(row: Row): Row {
  for (let at = 0; at < row.length; at += 1) row[at] = readText(row[at]);
  return row;
}
