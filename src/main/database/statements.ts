import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import { readText, writeText } from '../objects/rows.ts';

/** Statements by their text, prepared once. */
export class Statements {
  readonly #db: DatabaseSync;
  readonly #prepared = new Map<string, StatementSync>();

  constructor(db: DatabaseSync) {
    this.#db = db;
  }

  /** The rows as arrays; the caller asserts the column types. */
  readonly rows = <Row extends unknown[]>(sql: string, ...values: SQLInputValue[]): Row[] => {
    for (let at = 0; at < values.length; at += 1) values[at] = writeText(values[at] ?? null);
    const rows = this.#prepare(sql).all(...values) as unknown as Row[];
    for (const row of rows) restore(row);
    return rows;
  };

  /** For statements without result rows. @returns the id of the inserted row, if any; null: nothing changed */
  readonly run = (sql: string, ...values: SQLInputValue[]): number | null => {
    const { changes, lastInsertRowid } = this.#prepare(sql).run(...values.map(writeText));
    return changes === 0 ? null : Number(lastInsertRowid);
  };

  /** Like `rows`, one at a time, so that many rows need no memory. The statement is in use until the last one. */
  *eachRow<Row extends unknown[]>(sql: string, ...values: SQLInputValue[]): Generator<Row> {
    for (const row of this.#prepare(sql).iterate(...values.map(writeText)) as Iterable<unknown>) {
      yield restore(row as Row);
    }
  }

  #prepare(sql: string): StatementSync {
    let statement = this.#prepared.get(sql);
    if (statement === undefined) {
      statement = this.#db.prepare(sql);
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
