import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { readText, writeText } from './rows.ts';

type Run = (...values: SQLInputValue[]) => unknown[][];

/** Statements by their text, prepared once. */
export class Statements {
  readonly #db: DatabaseSync;
  readonly #prepared = new Map<string, Run>();

  constructor(db: DatabaseSync) {
    this.#db = db;
  }

  /** The rows as arrays; what their columns are is the caller's word. */
  readonly rows = <Row extends unknown[]>(sql: string, ...values: SQLInputValue[]): Row[] => {
    let run = this.#prepared.get(sql);
    if (run === undefined) {
      const statement = this.#db.prepare(sql);
      statement.setReturnArrays(true);
      run = (...given) => statement.all(...given.map(writeText)) as unknown as unknown[][];
      this.#prepared.set(sql, run);
    }
    const rows = run(...values) as Row[];
    for (const row of rows) {
      for (let at = 0; at < row.length; at += 1) row[at] = readText(row[at]);
    }
    return rows;
  };
}
