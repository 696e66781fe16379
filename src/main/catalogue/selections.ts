import { randomUUID } from 'node:crypto';
import type { SelectionMix, SelectionSummary } from '../../shared/contract.ts';
import type { FrozenSelection, QuerySelection, Selection } from '../../shared/domain/object.ts';
import { AppFailure } from '../../shared/errors.ts';
import type { ProfileIndex } from './index/profile-index.ts';
import type { ProfileIndexes } from './index/profile-indexes.ts';
import { mixOf, noMix } from './index/mix.ts';
import type { ObjectStore } from './object-store.ts';

/** One for each question that may be open at once, and a few to spare: a million ids are 8 MB. */
const frozenMax = 4;

/** What a selection means: the rows that it names, that it finds now, or that it found when it was frozen. */
export class Selections {
  readonly #store: ObjectStore;
  readonly #indexes: ProfileIndexes;
  /** By ticket, the oldest first. */
  readonly #frozen = new Map<string, { readonly profileId: string; readonly ids: Float64Array }>();

  constructor(store: ObjectStore, indexes: ProfileIndexes) {
    this.#store = store;
    this.#indexes = indexes;
  }

  async freeze(selection: QuerySelection): Promise<FrozenSelection> {
    const ids = await this.idsOf(selection);
    // Never used twice, so that a ticket of before a restart cannot mean other rows.
    const ticket = randomUUID();
    this.#frozen.set(ticket, { profileId: selection.query.profileId, ids });
    const [oldest] = this.#frozen.keys();
    if (this.#frozen.size > frozenMax && oldest !== undefined) this.#frozen.delete(oldest);
    return { kind: 'frozen', ticket };
  }

  async summarize(selection: Selection): Promise<SelectionSummary> {
    if (selection.kind === 'ids') {
      const records = [...new Set(selection.ids)].flatMap((id) => this.#store.get(id) ?? []);
      return sumUp(records.map(({ lengthBytes }) => lengthBytes ?? -1));
    }
    if (selection.kind === 'frozen') {
      const { profileId, ids } = this.#kept(selection);
      const index = await this.#indexes.whole(profileId);
      return sumUp(index?.lengthsOf(ids) ?? []);
    }
    const index = await this.#indexes.whole(selection.query.profileId);
    if (index === null) return sumUp([]);
    const { slots, mask, totalBytes, unknownLengths } = index.run(selection.query);
    const found = [...new Set(selection.exceptIds)].filter((id) => mask[index.rows.slotOf(id)] === 1);
    const except = sumUp(index.lengthsOf(found));
    return {
      count: slots.length - except.count,
      totalBytes: totalBytes - except.totalBytes,
      unknownLengths: unknownLengths - except.unknownLengths,
    };
  }

  async mixOf(selection: Selection): Promise<SelectionMix> {
    const profileId = this.#profileOf(selection);
    const index = profileId === null ? null : await this.#indexes.whole(profileId);
    if (index === null) return noMix;
    if (selection.kind === 'ids') return mixOf(index.rows, slotsOf(index, new Set(selection.ids)));
    if (selection.kind === 'frozen') return mixOf(index.rows, slotsOf(index, this.#kept(selection).ids));
    const { slots, mask } = index.run(selection.query);
    const leftOut = new Set(selection.exceptIds.map((id) => index.rows.slotOf(id)));
    return mixOf(index.rows, slotsIn(mask, slots.length, leftOut));
  }

  /** null: nothing of it is there any more. */
  #profileOf(selection: Selection): string | null {
    if (selection.kind === 'query') return selection.query.profileId;
    if (selection.kind === 'frozen') return this.#kept(selection).profileId;
    for (const id of selection.ids) {
      const record = this.#store.get(id);
      if (record !== null) return record.profileId;
    }
    return null;
  }

  /** In the order of the selection; rows that have left the list are not among them. */
  async idsOf(selection: Selection): Promise<Float64Array> {
    if (selection.kind === 'ids') {
      return Float64Array.from([...new Set(selection.ids)].flatMap((id) => this.#store.get(id)?.id ?? []));
    }
    if (selection.kind === 'frozen') {
      const { profileId, ids } = this.#kept(selection);
      const index = await this.#indexes.whole(profileId);
      return ids.filter((id) => index?.has(id) ?? false);
    }
    const index = await this.#indexes.whole(selection.query.profileId);
    if (index === null) return new Float64Array(0);
    const ids = Float64Array.from(index.run(selection.query).slots, (slot) => index.rows.ids[slot] ?? 0);
    const except = new Set(selection.exceptIds);
    return except.size === 0 ? ids : ids.filter((id) => !except.has(id));
  }

  #kept({ ticket }: FrozenSelection): { readonly profileId: string; readonly ids: Float64Array } {
    const kept = this.#frozen.get(ticket);
    if (kept === undefined) throw new AppFailure({ code: 'notFound', what: 'selection' });
    return kept;
  }
}

/** Those marked, in the order of slots: through memory as it lies, which for a million rows is several times as quick. */
function slotsIn(mask: Uint8Array, count: number, leftOut: ReadonlySet<number>): Int32Array {
  const slots = new Int32Array(count);
  let length = 0;
  for (let slot = 0; slot < mask.length; slot += 1) {
    if (mask[slot] === 1 && !leftOut.has(slot)) slots[length++] = slot;
  }
  return slots.subarray(0, length);
}

/** Of those that are still there. */
function slotsOf(index: ProfileIndex, ids: Iterable<number>): Int32Array {
  const slots: number[] = [];
  for (const id of ids) if (index.has(id)) slots.push(index.rows.slotOf(id));
  return Int32Array.from(slots).sort();
}

/** @param lengths bytes; negative: not known */
function sumUp(lengths: Iterable<number>): SelectionSummary {
  const sum = { count: 0, totalBytes: 0, unknownLengths: 0 };
  for (const length of lengths) {
    sum.count += 1;
    if (length < 0) sum.unknownLengths += 1;
    else sum.totalBytes += length;
  }
  return sum;
}
