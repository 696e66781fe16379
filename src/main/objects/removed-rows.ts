import { removalMax } from '../../shared/domain/object.ts';
import type { Statements } from '../database/statements.ts';

/** As many actions as the window can undo. */
const maxRemovals = 10;

interface Removal {
  readonly serviceId: string;
  readonly ids: number[];
}

/**
 * Rows that a person has taken off the list, whole, so that this can be undone until Coffer ends: in temporary tables, which
 * are in memory only. Must run within transactions of the writer.
 */
export class RemovedRows {
  readonly #rows: Statements['rows'];
  /** The oldest first. */
  readonly #removals = new Map<string, Removal>();
  /** Removals that cannot be undone: too many rows. */
  readonly #tooMany = new Set<string>();

  constructor({ rows }: Statements) {
    this.#rows = rows;
  }

  /** Call before the rows are removed. @param removal unique; may be given several times @returns whether it can be undone */
  keep(serviceId: string, removal: string, ids: readonly number[]): boolean {
    if (this.#tooMany.has(removal)) return false;
    this.#prepare();
    const kept = this.#removals.get(removal) ?? { serviceId, ids: [] };
    this.#removals.set(removal, kept);
    if (kept.ids.length + ids.length > removalMax) {
      this.#tooMany.add(removal);
      this.#drop(removal);
      return false;
    }
    kept.ids.push(...ids);
    const of = JSON.stringify(ids);
    this.#rows(`INSERT INTO temp.removed_object SELECT * FROM object WHERE id IN ${listed}`, of);
    for (const table of ['history', 'manifest'])
      this.#rows(`INSERT INTO temp.removed_${table} SELECT * FROM ${table} WHERE object IN ${listed}`, of);
    this.#makeRoom();
    return true;
  }

  /**
   * Puts rows back as they were; not those whose identifier the list has again. No transfer is at work on them.
   * @returns how many
   */
  putBack(removal: string): number {
    const ids = this.#removals.get(removal)?.ids ?? [];
    const back = this.#rows<[number]>(
      `INSERT INTO object SELECT * FROM temp.removed_object WHERE id IN ${listed}
       ON CONFLICT DO NOTHING RETURNING id`,
      JSON.stringify(ids),
    ).map(([id]) => id);
    const of = JSON.stringify(back);
    this.#rows(`UPDATE object SET writer = NULL, epoch = epoch + 1 WHERE id IN ${listed}`, of);
    // By new ids: theirs may have been given to other entries since.
    this.#rows(
      `INSERT INTO history (object, at_ms, action, detail, activity_token)
       SELECT object, at_ms, action, detail, activity_token FROM temp.removed_history WHERE object IN ${listed} ORDER BY id`,
      of,
    );
    this.#rows(
      `INSERT INTO manifest SELECT * FROM temp.removed_manifest WHERE object IN ${listed} ON CONFLICT DO NOTHING`,
      of,
    );
    this.#drop(removal);
    return back.length;
  }

  /** Nothing of this service can be put back any more. */
  forgetService(serviceId: string): void {
    for (const [removal, kept] of this.#removals) if (kept.serviceId === serviceId) this.#drop(removal);
  }

  /** null: it can not be undone, or no longer. */
  serviceOf(removal: string): string | null {
    return this.#removals.get(removal)?.serviceId ?? null;
  }

  #makeRoom(): void {
    for (const removal of this.#removals.keys()) {
      const rows = [...this.#removals.values()].reduce((sum, { ids }) => sum + ids.length, 0);
      if (rows <= removalMax && this.#removals.size <= maxRemovals) return;
      this.#drop(removal);
    }
  }

  #drop(removal: string): void {
    const of = JSON.stringify(this.#removals.get(removal)?.ids ?? []);
    this.#removals.delete(removal);
    this.#rows(`DELETE FROM temp.removed_object WHERE id IN ${listed}`, of);
    for (const table of ['history', 'manifest'])
      this.#rows(`DELETE FROM temp.removed_${table} WHERE object IN ${listed}`, of);
  }

  #prepare(): void {
    for (const table of ['object', 'history', 'manifest'])
      this.#rows(`CREATE TEMP TABLE IF NOT EXISTS removed_${table} AS SELECT * FROM main.${table} WHERE 0`);
  }
}

const listed = '(SELECT value FROM json_each(?))';
