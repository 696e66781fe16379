import type { Statements } from '../../database/statements.ts';
import type { ObjectWriter } from '../object-writer.ts';

/** Rows that stay when the team no longer lists them: `isOwn` in SQL, and those with pending changes. `?1` is the person. */
const isOwnRow = `(claimed & 4 = 0 OR seen_here = 1 OR pushed_bits <> 0 OR stored_by IS ?1
  OR note <> ifnull(team_words ->> 0, '') OR renew_by IS NOT (team_words ->> 1)
  OR EXISTS (SELECT 1 FROM team_due d
    WHERE d.service = object.service AND d.kind = object.kind AND d.identifier = object.identifier))`;

/** Drops some of the team's rows from this list. Must run within a transaction of the writer. */
export class TeamDrops {
  readonly #rows: Statements['rows'];
  readonly #writer: ObjectWriter;

  constructor({ rows }: Statements, writer: ObjectWriter) {
    this.#rows = rows;
    this.#writer = writer;
  }

  /**
   * Rows owned by a transfer always stay.
   * @param keep `own`: what this person stored, saw here or wrote stays
   */
  drop(serviceId: string, me: number, keep: 'own' | 'none', ids: readonly number[]): void {
    const goes = this.#rows<[number]>(
      `SELECT id FROM object WHERE id IN (SELECT value FROM json_each(?2)) AND writer IS NULL
         AND ${keep === 'own' ? `NOT ${isOwnRow}` : '?1 = ?1'}`,
      me,
      JSON.stringify(ids),
    );
    if (goes.length > 0)
      this.#writer.dropMany(
        serviceId,
        goes.map(([id]) => id),
      );
  }

  /** Drops all but the person's own rows, and makes the rows that stay private. */
  dropOthers(serviceId: string, me: number, ids: readonly number[]): void {
    this.drop(serviceId, me, 'own', ids);
    const left = this.#rows<[number]>(
      `UPDATE object SET team_rev = NULL, team_area = NULL
       WHERE id IN (SELECT value FROM json_each(?)) AND team_rev IS NOT NULL RETURNING id`,
      JSON.stringify(ids),
    );
    const records = this.#writer.rows.getMany(left.map(([id]) => id));
    this.#writer.noteSaved(records.map((record) => ({ record, textChanged: false })));
  }
}
