import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import { readText, writeText } from './text.ts';

/** A slower statement is reported: it blocks the whole database thread. */
const slowMs = 50;

/**
 * Binding a value to `LIMIT ?` makes SQLite prepare the statement again, because the best plan could depend on the value: ten times the
 * cost of a short statement. An expression avoids that.
 */
const limit = /\bLIMIT \?/g;

const rowsAtOnce = 50;
/** Enough of a statement to recognise it in the log. One for many rows has thousands of characters. */
const maxToldLength = 500;

/**
 * Statements for one row and for a few dozen: inserting many rows one by one takes twice the time.
 * @param into SQL up to `VALUES` @param columns number of values in a row @param ending SQL after the values
 */
export function insertion(into: string, columns: number, ending = '') {
  const row = `(${Array<string>(columns).fill('?').join(', ')})`;
  const sqlOf = (count: number) => `${into} VALUES ${Array<string>(count).fill(row).join(', ')} ${ending}`;
  return { one: sqlOf(1), many: sqlOf(rowsAtOnce) };
}

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

  /** Inserts any number of rows. @returns the rows of `RETURNING`, if the statement has it */
  readonly insertRows = <Row extends unknown[]>(
    { one, many }: ReturnType<typeof insertion>,
    rows: readonly (readonly SQLInputValue[])[],
  ): Row[] => {
    const returned: Row[] = [];
    for (let at = 0; at < rows.length;) {
      const count = rows.length - at < rowsAtOnce ? 1 : rowsAtOnce;
      const values: SQLInputValue[] = [];
      for (const row of rows.slice(at, at + count)) values.push(...row);
      returned.push(...this.rows<Row>(count === 1 ? one : many, ...values));
      at += count;
    }
    return returned;
  };

  /** Like `rows`, one at a time, so that many rows do not fill the memory. The statement is in use until the last one. */
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
    if (elapsedMs > slowMs) this.#onSlow(sql.slice(0, maxToldLength), Math.round(elapsedMs));
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
