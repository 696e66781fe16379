import type { SQLInputValue } from 'node:sqlite';
import type { Statements } from '../../database/statements.ts';
import type { ObjectWriter } from '../object-writer.ts';

/** More than these are removed by one statement, and the index in memory is made anew. */
const fewRows = 10_000;

/** What stays of the team's rows when the team says nothing of them any more: see `isOwn`, whose SQL this is. `?1` is the person. */
const isOwnRow = `(claimed & 4 = 0 OR seen_here = 1 OR pushed_bits <> 0 OR stored_by IS ?1
  OR note <> ifnull(team_words ->> 0, '') OR renew_by IS NOT (team_words ->> 1)
  OR EXISTS (SELECT 1 FROM team_due d
    WHERE d.service = object.service AND d.kind = object.kind AND d.identifier = object.identifier))`;

export interface Dropped {
  /** Rows went without the followers being told of each. */
  readonly isMany: boolean;
}

/** Takes many of the team's rows off this list. Must run within a transaction of the writer. */
export class TeamDrops {
  readonly #rows: Statements['rows'];
  readonly #writer: ObjectWriter;

  constructor({ rows }: Statements, writer: ObjectWriter) {
    this.#rows = rows;
    this.#writer = writer;
  }

  /**
   * @param where SQL of the rows, whose first value is `?2`
   * @param keep `own`: what this person stored, saw here or wrote stays, and is private from then on. What a transfer works on always stays
   */
  drop(me: number, keep: 'own' | 'none', where: string, ...values: SQLInputValue[]): Dropped {
    const goes = `${where} AND writer IS NULL ${keep === 'own' ? `AND NOT ${isOwnRow}` : 'AND ?1 = ?1'}`;
    const ids = this.#rows<[number]>(
      `SELECT id FROM object WHERE ${goes} LIMIT ?`,
      me,
      ...values,
      fewRows + 1,
    );
    const isMany = ids.length > fewRows;
    // Also what was said of them while transfers worked on them.
    this.#rows(
      `DELETE FROM team_held WHERE ?1 = ?1 AND (service, kind, identifier) IN
         (SELECT service, kind, identifier FROM object WHERE ${where} AND writer IS NOT NULL)`,
      me,
      ...values,
    );
    if (isMany) this.#rows(`DELETE FROM object WHERE ${goes}`, me, ...values);
    else for (const record of this.#writer.rows.getMany(ids.map(([id]) => id))) this.#writer.drop(record);
    this.#rows(
      `UPDATE object SET team_rev = NULL, team_area = NULL WHERE ${where} AND team_rev IS NOT NULL AND ?1 = ?1`,
      me,
      ...values,
    );
    return { isMany };
  }
}
