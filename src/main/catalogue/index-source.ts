import { type ObjectKind, type ObjectQuery, type SortColumn } from '../../shared/domain/object.ts';
import type { IndexedRow } from './index/object-index.ts';
import type { IdentifierOrder } from './index/sort-orders.ts';
import { goneCode, kindCode, kinds, states, writeText } from './rows.ts';
import type { Statements } from './statements.ts';

const sortExpressions: Record<SortColumn, string> = {
  identifier: 'identifier',
  classification: 'classification',
  size: 'length_bytes',
  stored: 'stored_at_ms',
  checked: 'checked_at_ms',
  state: 'state',
};

/** What the index in memory is made from, and what stands in for it until it is there. */
export class IndexSource {
  readonly #rows: Statements['rows'];

  constructor({ rows }: Statements) {
    this.#rows = rows;
  }

  /** In the order of ids, which is the order of the file. */
  indexedAfter(profile: number, afterId: number, limit: number): IndexedRow[] {
    return this.#rows<
      [
        number,
        number,
        string,
        number,
        number | null,
        string | null,
        string | null,
        number | null,
        number | null,
        string,
      ]
    >(
      `SELECT id, kind, identifier, state, length_bytes, classification, source_name, stored_at_ms, checked_at_ms, note
       FROM object NOT INDEXED WHERE id > ? AND profile = ? ORDER BY id LIMIT ?`,
      afterId,
      profile,
      limit,
    ).map((row) => ({
      id: row[0],
      kind: kinds[row[1]] ?? 'data',
      identifier: row[2],
      state: states[row[3]] ?? 'unknown',
      lengthBytes: row[4],
      classification: row[5],
      sourceName: row[6],
      storedAtMs: row[7],
      checkedAtMs: row[8],
      note: row[9],
    }));
  }

  identifierOrder(profile: number): IdentifierOrder {
    return {
      all: () => {
        // One JSON text is read twice as fast as a million rows.
        const [row] = this.#rows<[string]>(
          'SELECT json_group_array(id) FROM (SELECT id FROM object WHERE profile = ? ORDER BY kind, identifier)',
          profile,
        );
        return parseNumbers(row?.[0] ?? '[]');
      },
      place: (ids) =>
        ids
          .flatMap((id) =>
            this.#rows<[number, string]>('SELECT kind, identifier FROM object WHERE id = ?', id).map(
              ([kind, identifier]) => ({ id, kind, identifier, bytes: Buffer.from(writeText(identifier)) }),
            ),
          )
          .sort((a, b) => a.kind - b.kind || Buffer.compare(a.bytes, b.bytes))
          .map(({ id, kind, identifier }) => {
            const sql = `SELECT id FROM object WHERE profile = ? AND (kind, identifier) > (?, ?)
                         ORDER BY kind, identifier LIMIT 1`;
            return { id, next: this.#rows<[number]>(sql, profile, kind, identifier)[0]?.[0] ?? null };
          }),
    };
  }

  /** How many are not gone, and their known bytes. */
  totals(profile: number, kind: ObjectKind): { total: number; totalBytes: number } {
    const [row] = this.#rows<[number, number]>(
      `SELECT count(*), total(length_bytes) FROM object WHERE profile = ? AND kind = ? AND state <> ${String(goneCode)}`,
      profile,
      kindCode(kind),
    );
    return { total: row?.[0] ?? 0, totalBytes: row?.[1] ?? 0 };
  }

  /** A page of all that is not gone, without an index in memory; quick by identifier, a scan by other columns. */
  firstIds({ kind, sort }: ObjectQuery, profile: number, offset: number, limit: number): number[] {
    const direction = sort.direction === 'ascending' ? 'ASC' : 'DESC';
    const hint = sort.column === 'identifier' ? '' : 'NOT INDEXED';
    return this.#rows<[number]>(
      `SELECT id FROM object ${hint} WHERE profile = ? AND kind = ? AND +state <> ${String(goneCode)}
       ORDER BY ${sortExpressions[sort.column]} ${direction}, identifier ${direction} LIMIT ? OFFSET ?`,
      profile,
      kindCode(kind),
      limit,
      offset,
    ).map(([id]) => id);
  }
}

function parseNumbers(json: string): number[] {
  return JSON.parse(json) as number[];
}
