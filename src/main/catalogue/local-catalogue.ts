import type { DatabaseSync } from 'node:sqlite';
import type { ImportReport, SelectionSummary } from '../../shared/contract.ts';
import type {
  Collections,
  Folder,
  HistoryEntry,
  ObjectKind,
  ObjectQuery,
  ObjectRecord,
  ObjectState,
  Selection,
} from '../../shared/domain/object.ts';
import type { Catalogue, CataloguePage, NewObject, ObjectChange } from './catalogue.ts';
import { exportObjects } from './exchange/export.ts';
import { importObjects } from './exchange/import.ts';
import { mergeObjects } from './exchange/merge.ts';
import { ProfileIndex } from './index/profile-index.ts';
import { runTransaction } from './migrations.ts';
import { ObjectStore } from './object-store.ts';

/** Indexes kept in memory: the active profile and the one before. */
const indexesMax = 2;

const noCollections: Collections = {
  all: 0,
  unfiled: 0,
  gone: 0,
  secrets: 0,
  hasFolders: false,
  classifications: [],
};

export type Saved = { readonly record: ObjectRecord; readonly textChanged: boolean };

/** The catalogue on this thread: rows in the file, and an index in memory for what a person looks at. */
export class LocalCatalogue implements Omit<Catalogue, 'onChanged'> {
  readonly #db: DatabaseSync;
  readonly #store: ObjectStore;
  readonly #nowMs: () => number;
  readonly #changed: (profileId: string, revision: number) => void;
  readonly #indexes = new Map<string, ProfileIndex>();
  #revision = 1;
  /** The last counted, for lists without an index. */
  #totals: { key: string; total: number; totalBytes: number } | null = null;

  constructor(db: DatabaseSync, nowMs: () => number, changed: (profileId: string, revision: number) => void) {
    this.#db = db;
    this.#store = new ObjectStore(db);
    this.#nowMs = nowMs;
    this.#changed = changed;
  }

  async page(query: ObjectQuery, offset: number, limit: number): Promise<CataloguePage> {
    const early = this.#pageWithoutIndex(query, offset, limit);
    if (early !== null) return early;
    const index = await this.#index(query.profileId);
    if (index === null) return { revision: this.#revision, total: 0, totalBytes: 0, rows: [] };
    const { slots, totalBytes } = index.run(query);
    const ids = Array.from(slots.subarray(offset, offset + limit), (slot) => index.rows.ids[slot] ?? 0);
    const rows = ids.flatMap((id) => this.#store.get(id) ?? []);
    return { revision: this.#revision, total: slots.length, totalBytes, rows };
  }

  async idsInRange(query: ObjectQuery, from: number, to: number): Promise<number[]> {
    const index = await this.#index(query.profileId);
    if (index === null) return [];
    return Array.from(index.run(query).slots.subarray(from, to + 1), (slot) => index.rows.ids[slot] ?? 0);
  }

  async indexOf(query: ObjectQuery, id: number): Promise<number | null> {
    const index = await this.#index(query.profileId);
    const slot = index?.rows.slotOf(id) ?? -1;
    if (index === null || slot < 0) return null;
    const position = index.run(query).slots.indexOf(slot);
    return position < 0 ? null : position;
  }

  async summarize(selection: Selection): Promise<SelectionSummary> {
    if (selection.kind === 'query' && selection.exceptIds.length === 0) {
      const index = await this.#index(selection.query.profileId);
      if (index === null) return { count: 0, totalBytes: 0, unknownLengths: 0 };
      const { slots, totalBytes, unknownLengths } = index.run(selection.query);
      return { count: slots.length, totalBytes, unknownLengths };
    }
    const all =
      selection.kind === 'query'
        ? await this.summarize({ ...selection, exceptIds: [] })
        : { count: 0, totalBytes: 0, unknownLengths: 0 };
    const { ids, sign } = await this.#named(selection);
    for (const id of ids) {
      const record = this.#store.get(id);
      if (record === null) continue;
      all.count += sign;
      if (record.lengthBytes === null) all.unknownLengths += sign;
      else all.totalBytes += sign * record.lengthBytes;
    }
    return all;
  }

  async idsOf(selection: Selection): Promise<Float64Array> {
    if (selection.kind === 'ids') {
      return Float64Array.from(this.#existing(selection.ids), ({ id }) => id);
    }
    const index = await this.#index(selection.query.profileId);
    if (index === null) return new Float64Array(0);
    const ids = Float64Array.from(index.run(selection.query).slots, (slot) => index.rows.ids[slot] ?? 0);
    const except = new Set(selection.exceptIds);
    return except.size === 0 ? ids : ids.filter((id) => !except.has(id));
  }

  async getMany(ids: readonly number[]): Promise<ObjectRecord[]> {
    return ids.flatMap((id) => this.#store.get(id) ?? []);
  }

  async findByIdentifiers(
    profileId: string,
    kind: ObjectKind,
    identifiers: readonly string[],
  ): Promise<Map<string, ObjectRecord>> {
    const found = new Map<string, ObjectRecord>();
    const profile = this.#store.profile(profileId);
    if (profile === null) return found;
    for (const identifier of identifiers) {
      const record = this.#store.find(profile.number, kind, identifier);
      if (record !== null) found.set(identifier, record);
    }
    return found;
  }

  async history(id: number, limit: number): Promise<HistoryEntry[]> {
    return this.#store.history(id, limit);
  }

  async idsInStates(profileId: string, states: readonly ObjectState[]): Promise<number[]> {
    const profile = this.#store.profile(profileId);
    return profile === null ? [] : this.#store.idsInStates(profile.number, states);
  }

  async add(
    profileId: string,
    objects: readonly NewObject[],
  ): Promise<{ record: ObjectRecord; added: boolean }[]> {
    const results = runTransaction(this.#db, () => {
      const profile = this.#store.ensureProfile(profileId);
      return objects.flatMap((object) => {
        const id = this.#store.insert(profile, object);
        if (id !== null && object.history !== undefined) {
          this.#store.addHistory(id, object.history, this.#nowMs());
        }
        const record =
          id === null ? this.#store.find(profile, object.kind, object.identifier) : this.#store.get(id);
        return record === null ? [] : { record, added: id !== null };
      });
    });
    this.#noteSaved(
      results.filter(({ added }) => added).map(({ record }) => ({ record, textChanged: true })),
    );
    return results;
  }

  async update(changes: readonly ObjectChange[]): Promise<void> {
    const saved = runTransaction(this.#db, () =>
      changes.flatMap(({ id, patch, history }): Saved[] => {
        const before = this.#store.get(id);
        if (before === null) return [];
        const record = { ...before, ...patch };
        this.#store.update(record);
        if (history !== undefined) this.#store.addHistory(id, history, this.#nowMs());
        return [{ record, textChanged: hasOtherText(before, record) }];
      }),
    );
    this.#noteSaved(saved);
  }

  async remove(ids: readonly number[]): Promise<void> {
    const removed = runTransaction(this.#db, () => {
      const records = this.#existing(ids);
      for (const { id } of records) this.#store.remove(id);
      return records;
    });
    for (const { profileId, id } of removed) this.#indexes.get(profileId)?.noteRemoved(id);
    this.#announce(removed.map(({ profileId }) => profileId));
  }

  async removeProfile(profileId: string): Promise<void> {
    const profile = this.#store.profile(profileId);
    if (profile === null) return;
    this.#store.removeProfile(profile.number);
    this.#drop(profileId);
    this.#announce([profileId]);
  }

  async collections(profileId: string): Promise<Collections> {
    return (await this.#index(profileId))?.rows.collections() ?? noCollections;
  }

  async folders(profileId: string, parent: string): Promise<{ folders: Folder[]; more: number }> {
    return (await this.#index(profileId))?.rows.tree.children(parent) ?? { folders: [], more: 0 };
  }

  async setSeparator(profileId: string, separator: string): Promise<void> {
    if (this.#store.profile(profileId)?.separator === separator) return;
    runTransaction(this.#db, () => {
      this.#store.setSeparator(this.#store.ensureProfile(profileId), separator);
    });
    this.#drop(profileId);
    this.#announce([profileId]);
  }

  async exportTo(profileId: string, format: 'jsonl' | 'csv', path: string): Promise<number> {
    return exportObjects(this.#store, this.#store.profile(profileId)?.number ?? 0, format, path);
  }

  async importFrom(profileId: string, path: string): Promise<ImportReport> {
    return importObjects(path, (objects) => {
      const { saved, ...counts } = runTransaction(this.#db, () =>
        mergeObjects(this.#store, this.#store.ensureProfile(profileId), objects, this.#nowMs()),
      );
      this.#noteSaved(saved);
      return counts;
    });
  }

  close(): void {
    for (const profileId of this.#indexes.keys()) this.#drop(profileId);
  }

  /** While a large index is being read: the first rows of a plain list, from the file. */
  #pageWithoutIndex(query: ObjectQuery, offset: number, limit: number): CataloguePage | null {
    const profile = this.#store.profile(query.profileId);
    if (profile === null || query.place.kind !== 'all' || query.search !== '' || offset > 1000) return null;
    if (this.#started(query.profileId, profile).isReady) return null;
    const key = `${String(this.#revision)} ${query.kind} ${query.profileId}`;
    if (this.#totals?.key !== key) {
      this.#totals = { key, ...this.#store.totals(profile.number, query.kind) };
    }
    const { total, totalBytes } = this.#totals;
    const rows = this.#store.firstRecords(query, profile.number, offset, limit);
    return { revision: this.#revision, total, totalBytes, rows };
  }

  /** The index, whole and as of now; null when there is no such profile. */
  async #index(profileId: string): Promise<ProfileIndex | null> {
    for (;;) {
      const profile = this.#store.profile(profileId);
      if (profile === null) return null;
      const index = this.#started(profileId, profile);
      await index.ready;
      if (this.#indexes.get(profileId) === index) return index;
    }
  }

  #started(profileId: string, profile: { number: number; separator: string }): ProfileIndex {
    const known = this.#indexes.get(profileId);
    if (known !== undefined && !known.isWorn) {
      this.#indexes.delete(profileId);
      this.#indexes.set(profileId, known);
      return known;
    }
    known?.stop();
    const index = new ProfileIndex(this.#store, profile);
    index.ready.catch(() => {
      // Whoever waits is told; the next one reads again.
      if (this.#indexes.get(profileId) === index) this.#drop(profileId);
    });
    this.#indexes.delete(profileId);
    this.#indexes.set(profileId, index);
    for (const oldest of this.#indexes.keys()) {
      if (this.#indexes.size <= indexesMax) break;
      this.#drop(oldest);
    }
    return index;
  }

  #drop(profileId: string): void {
    this.#indexes.get(profileId)?.stop();
    this.#indexes.delete(profileId);
  }

  async #named(selection: Selection): Promise<{ ids: Iterable<number>; sign: 1 | -1 }> {
    if (selection.kind === 'ids') return { ids: new Set(selection.ids), sign: 1 };
    const index = await this.#index(selection.query.profileId);
    if (index === null) return { ids: [], sign: -1 };
    const { mask } = index.run(selection.query);
    const except = new Set(selection.exceptIds);
    return { ids: [...except].filter((id) => mask[index.rows.slotOf(id)] === 1), sign: -1 };
  }

  #existing(ids: readonly number[]): ObjectRecord[] {
    return [...new Set(ids)].flatMap((id) => this.#store.get(id) ?? []);
  }

  #noteSaved(saved: readonly Saved[]): void {
    for (const { record, textChanged } of saved) {
      this.#indexes.get(record.profileId)?.noteSaved(record, textChanged);
    }
    this.#announce(saved.map(({ record }) => record.profileId));
  }

  #announce(profileIds: readonly string[]): void {
    for (const profileId of new Set(profileIds)) {
      this.#revision += 1;
      this.#changed(profileId, this.#revision);
    }
  }
}

function hasOtherText(before: ObjectRecord, after: ObjectRecord): boolean {
  return before.note !== after.note || before.sourceName !== after.sourceName;
}
