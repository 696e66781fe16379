import type { Statements } from '../../database/statements.ts';
import type { ObjectWriter } from '../object-writer.ts';

/** What stays of the team's rows when the team says nothing of them any more: see `isOwn`, whose SQL this is. `?1` is the person. */
const isOwnRow = `(claimed & 4 = 0 OR seen_here = 1 OR pushed_bits <> 0 OR stored_by IS ?1
  OR note <> ifnull(team_words ->> 0, '') OR renew_by IS NOT (team_words ->> 1)
  OR EXISTS (SELECT 1 FROM team_due d
    WHERE d.service = object.service AND d.kind = object.kind AND d.identifier = object.identifier))`;

/** Takes some of the team's rows off this list. Must run within a transaction of the writer. */
export class TeamDrops {
  readonly #rows: Statements['rows'];
  readonly #writer: ObjectWriter;

  constructor({ rows }: Statements, writer: ObjectWriter) {
    this.#rows = rows;
    this.#writer = writer;
  }

  /**
   * What a transfer works on always stays.
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

  /** Like `drop` of all but what is own, which is private from then on. */
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
