import { randomUUID } from 'node:crypto';
import type { RowPlace, SelectionMix, SelectionSummary } from '../../shared/contract.ts';
import {
  everythingIn,
  type FrozenSelection,
  type ObjectQuery,
  type Selection,
} from '../../shared/domain/object.ts';
import { AppFailure } from '../../shared/app-failure.ts';
import type { Catalogue, FrozenRange } from './catalogue.ts';
import type { ServiceIndex } from './index/service-index.ts';
import { mixOf, noMix, type ServiceIndexes } from './index/service-indexes.ts';
import type { ObjectStore } from './object-store.ts';

/**
 * Maximum number of frozen selections: one for each question that may be open at once, and a few more. A million ids
 * take 8 MB.
 */
const frozenMax = 4;

interface FrozenRows {
  readonly serviceId: string;
  readonly ids: Float64Array;
}

/** Resolves selections: rows by id, by query, as frozen earlier, or of whole folders. */
export function createSelections(store: ObjectStore, indexes: ServiceIndexes) {
  /** By ticket, least recently used first. */
  const frozen = new Map<string, FrozenRows>();

  function keep(serviceId: string, ids: Float64Array): FrozenSelection {
    // Unique across restarts, so that an old ticket never matches other rows.
    const ticket = randomUUID();
    frozen.set(ticket, { serviceId, ids });
    const [oldest] = frozen.keys();
    if (frozen.size > frozenMax && oldest !== undefined) frozen.delete(oldest);
    return { kind: 'frozen', ticket };
  }

  /** null: none of its rows exists any more. */
  function serviceOf(selection: Selection): string | null {
    if (selection.kind === 'folders') return selection.serviceId;
    if (selection.kind === 'query') return selection.query.serviceId;
    if (selection.kind === 'frozen') return frozenRows(selection).serviceId;
    for (const id of selection.ids) {
      const record = store.get(id);
      if (record !== null) return record.serviceId;
    }
    return null;
  }

  function frozenRows({ ticket, exceptIds = [], plusIds = [] }: FrozenSelection): FrozenRows {
    const rows = frozen.get(ticket);
    if (rows === undefined) throw new AppFailure({ code: 'notFound', what: 'selection' });
    frozen.delete(ticket);
    frozen.set(ticket, rows);
    if (exceptIds.length === 0 && plusIds.length === 0) return rows;
    const except = new Set(exceptIds);
    return {
      serviceId: rows.serviceId,
      ids: joined(
        rows.ids.filter((id) => !except.has(id)),
        plusIds,
      ),
    };
  }

  /** In the order of the selection; rows that no longer exist are left out. */
  async function idsOf(selection: Selection): Promise<Float64Array> {
    if (selection.kind === 'ids') {
      return Float64Array.from([...new Set(selection.ids)].flatMap((id) => store.get(id)?.id ?? []));
    }
    if (selection.kind === 'frozen') {
      const { serviceId, ids } = frozenRows(selection);
      const index = await indexes.whole(serviceId);
      return ids.filter((id) => index?.has(id) ?? false);
    }
    if (selection.kind === 'folders') {
      const others = selection.and === null ? [] : await idsOf(selection.and);
      const index = await indexes.whole(selection.serviceId);
      const inside = selection.paths.map((path) => idsFound(index, everythingIn(selection.serviceId, path)));
      return [...inside, others].reduce<Float64Array>(joined, new Float64Array(0));
    }
    const ids = idsFound(await indexes.whole(selection.query.serviceId), selection.query);
    const except = new Set(selection.exceptIds);
    return except.size === 0 ? ids : ids.filter((id) => !except.has(id));
  }

  async function mixOfFolders({
    serviceId,
    paths,
    and,
  }: Extract<Selection, { kind: 'folders' }>): Promise<SelectionMix> {
    const others = and === null ? [] : await idsOf(and);
    const index = await indexes.whole(serviceId);
    if (index === null) return noMix;
    const mask = new Uint8Array(index.rows.count);
    for (const path of paths) {
      const inside = index.maskOf(everythingIn(serviceId, path));
      for (let slot = 0; slot < mask.length; slot += 1) if (inside[slot] === 1) mask[slot] = 1;
    }
    for (const slot of slotsOf(index, others)) mask[slot] = 1;
    return mixOf(index.rows, slotsIn(mask));
  }

  return {
    idsOf,

    async freeze(selection) {
      const serviceId = selection.kind === 'query' ? selection.query.serviceId : selection.serviceId;
      return keep(serviceId, await idsOf(selection));
    },

    /** Each row is followed by its older versions. */
    async freezeVersions(selection) {
      const chosen = await idsOf(selection);
      const serviceId = serviceOf(selection);
      const index = serviceId === null ? null : await indexes.whole(serviceId);
      if (serviceId === null || index === null) throw new AppFailure({ code: 'notFound', what: 'object' });
      const known = new Set(chosen);
      const older: number[] = [];
      for (const id of chosen) {
        for (const slot of index.families.olderThan(index.rows.slotOf(id))) {
          const olderId = index.rows.ids[slot] ?? 0;
          if (known.has(olderId)) continue;
          known.add(olderId);
          older.push(olderId);
        }
      }
      return { selection: keep(serviceId, joined(chosen, older)), older: older.length };
    },

    /** The rows of a range in list order, after those of `and`. */
    async keepRange({ query, from, to, and }) {
      const before = and === null ? new Float64Array(0) : await idsOf(and);
      const index = await indexes.whole(query.serviceId);
      const range = index === null ? new Float64Array(0) : idsBetween(index, query, from, to);
      const ids = joined(before, range);
      const selection = keep(query.serviceId, ids);
      return { selection, count: ids.length, ...bitsOf(ids) };
    },

    async summarize(selection) {
      if (selection.kind === 'ids') {
        const records = [...new Set(selection.ids)].flatMap((id) => store.get(id) ?? []);
        return sumUp(records.map(({ lengthBytes }) => lengthBytes ?? -1));
      }
      if (selection.kind === 'frozen') {
        const { serviceId, ids } = frozenRows(selection);
        const index = await indexes.whole(serviceId);
        return sumUp(index?.lengthsOf(ids) ?? []);
      }
      if (selection.kind === 'folders') {
        const { count, totalBytes, unknownLengths } = await mixOfFolders(selection);
        return { count, totalBytes, unknownLengths };
      }
      const index = await indexes.whole(selection.query.serviceId);
      if (index === null) return sumUp([]);
      const { slots, mask, totalBytes, unknownLengths } = index.run(selection.query);
      const found = [...new Set(selection.exceptIds)].filter((id) => mask[index.rows.slotOf(id)] === 1);
      const except = sumUp(index.lengthsOf(found));
      return {
        count: slots.length - except.count,
        totalBytes: totalBytes - except.totalBytes,
        unknownLengths: unknownLengths - except.unknownLengths,
      };
    },

    async mixOf(selection) {
      if (selection.kind === 'folders') return mixOfFolders(selection);
      const serviceId = serviceOf(selection);
      const index = serviceId === null ? null : await indexes.whole(serviceId);
      if (index === null) return noMix;
      if (selection.kind === 'ids') return mixOf(index.rows, slotsOf(index, new Set(selection.ids)));
      if (selection.kind === 'frozen') return mixOf(index.rows, slotsOf(index, frozenRows(selection).ids));
      const mask = index.maskOf(selection.query).slice();
      for (const id of selection.exceptIds) mask[index.rows.slotOf(id)] = 0;
      return mixOf(index.rows, slotsIn(mask));
    },
  } satisfies Partial<Catalogue>;
}

/** The marked slots in slot order: sequential memory access is several times as fast for a million rows. */
function slotsIn(mask: Uint8Array): Int32Array {
  const slots = new Int32Array(mask.length);
  let length = 0;
  for (let slot = 0; slot < mask.length; slot += 1) if (mask[slot] === 1) slots[length++] = slot;
  return slots.subarray(0, length);
}

function idsFound(index: ServiceIndex | null, query: ObjectQuery): Float64Array {
  if (index === null) return new Float64Array(0);
  return idsAt(index, index.run(query).slots);
}

/** A loop: `Float64Array.from` takes ten times as long. */
function idsAt({ rows }: ServiceIndex, slots: Int32Array): Float64Array {
  const ids = new Float64Array(slots.length);
  for (let at = 0; at < slots.length; at += 1) ids[at] = rows.ids[slots[at] ?? 0] ?? 0;
  return ids;
}

/** Unknown ids are left out. */
function slotsOf(index: ServiceIndex, ids: Iterable<number>): Int32Array {
  const slots: number[] = [];
  for (const id of ids) if (index.has(id)) slots.push(index.rows.slotOf(id));
  return Int32Array.from(slots).sort();
}

function idsBetween(index: ServiceIndex, query: ObjectQuery, from: RowPlace, to: RowPlace): Float64Array {
  const placeOf = ({ id, index: at }: RowPlace) => (id === null ? null : index.positionOf(query, id)) ?? at;
  const [a, b] = [placeOf(from), placeOf(to)];
  return idsAt(index, index.run(query).slots.subarray(Math.min(a, b), Math.max(a, b) + 1));
}

/** `ids` first, then those of `others` that are not among them. */
function joined(ids: Float64Array, others: Float64Array | readonly number[]): Float64Array {
  if (ids.length === 0) return Float64Array.from(others);
  // The others are few as a rule, and `ids` may be a million.
  const added = new Set(others);
  if (added.size > 0) for (const id of ids) added.delete(id);
  const all = new Float64Array(ids.length + added.size);
  all.set(ids);
  all.set([...added], ids.length);
  return all;
}

function bitsOf(ids: Float64Array): Pick<FrozenRange, 'firstId' | 'bits'> {
  let [firstId, lastId] = [Infinity, -Infinity];
  for (const id of ids) {
    if (id < firstId) firstId = id;
    if (id > lastId) lastId = id;
  }
  if (ids.length === 0) return { firstId: 0, bits: new Uint8Array(0) };
  const bits = new Uint8Array(Math.floor((lastId - firstId) / 8) + 1);
  for (const id of ids) {
    const at = id - firstId;
    bits[Math.floor(at / 8)] = (bits[Math.floor(at / 8)] ?? 0) | (1 << (at % 8));
  }
  return { firstId, bits };
}

/** @param lengths in bytes; negative: unknown */
function sumUp(lengths: Iterable<number>): SelectionSummary {
  const sum = { count: 0, totalBytes: 0, unknownLengths: 0 };
  for (const length of lengths) {
    sum.count += 1;
    if (length < 0) sum.unknownLengths += 1;
    else sum.totalBytes += length;
  }
  return sum;
}
