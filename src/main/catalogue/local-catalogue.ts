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
import { ProfileIndexes } from './index/profile-indexes.ts';
import { IndexSource } from './index-source.ts';
import type { ObjectStore } from './object-store.ts';
import type { ObjectWriter, Saved } from './object-writer.ts';
import type { Statements } from './statements.ts';

const noCollections: Collections = {
  all: 0,
  unfiled: 0,
  gone: 0,
  secrets: 0,
  hasFolders: false,
  classifications: [],
};

/** The catalogue on this thread: rows in the file, and an index in memory for what a person looks at. */
export class LocalCatalogue implements Omit<Catalogue, 'onChanged'> {
  readonly #writer: ObjectWriter;
  readonly #store: ObjectStore;
  readonly #nowMs: () => number;
  readonly #changed: (profileId: string, revision: number) => void;
  readonly #source: IndexSource;
  readonly #indexes: ProfileIndexes;
  #revision = 1;
  /** The last counted, for lists without an index. */
  #totals: { key: string; total: number; totalBytes: number } | null = null;

  constructor(
    statements: Statements,
    writer: ObjectWriter,
    nowMs: () => number,
    changed: (profileId: string, revision: number) => void,
  ) {
    this.#writer = writer;
    this.#store = writer.rows;
    this.#source = new IndexSource(statements);
    this.#indexes = new ProfileIndexes(this.#source, (profileId) => this.#store.profile(profileId));
    this.#nowMs = nowMs;
    this.#changed = changed;
    writer.follow({
      saved: (saved) => {
        this.#noteSaved(saved);
      },
      removed: (records) => {
        for (const { profileId, id } of records) this.#indexes.get(profileId)?.noteRemoved(id);
        this.#announce(records.map(({ profileId }) => profileId));
      },
      profileRemoved: (profileId) => {
        this.#indexes.drop(profileId);
        this.#announce([profileId]);
      },
    });
  }

  async page(query: ObjectQuery, offset: number, limit: number): Promise<CataloguePage> {
    const early = this.#pageWithoutIndex(query, offset, limit);
    if (early !== null) return early;
    const index = await this.#indexes.whole(query.profileId);
    if (index === null) return { revision: this.#revision, total: 0, totalBytes: 0, rows: [] };
    const { slots, totalBytes } = index.run(query);
    const ids = Array.from(slots.subarray(offset, offset + limit), (slot) => index.rows.ids[slot] ?? 0);
    return { revision: this.#revision, total: slots.length, totalBytes, rows: this.#records(ids) };
  }

  async idsInRange(query: ObjectQuery, from: number, to: number): Promise<number[]> {
    const index = await this.#indexes.whole(query.profileId);
    if (index === null) return [];
    return Array.from(index.run(query).slots.subarray(from, to + 1), (slot) => index.rows.ids[slot] ?? 0);
  }

  async indexOf(query: ObjectQuery, id: number): Promise<number | null> {
    const index = await this.#indexes.whole(query.profileId);
    const slot = index?.rows.slotOf(id) ?? -1;
    if (index === null || slot < 0) return null;
    const position = index.run(query).slots.indexOf(slot);
    return position < 0 ? null : position;
  }

  async summarize(selection: Selection): Promise<SelectionSummary> {
    if (selection.kind === 'query' && selection.exceptIds.length === 0) {
      const index = await this.#indexes.whole(selection.query.profileId);
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
    const index = await this.#indexes.whole(selection.query.profileId);
    if (index === null) return new Float64Array(0);
    const ids = Float64Array.from(index.run(selection.query).slots, (slot) => index.rows.ids[slot] ?? 0);
    const except = new Set(selection.exceptIds);
    return except.size === 0 ? ids : ids.filter((id) => !except.has(id));
  }

  async getMany(ids: readonly number[]): Promise<ObjectRecord[]> {
    return this.#records(ids);
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
    return this.#writer.transaction(() => {
      const profile = this.#store.ensureProfile(profileId);
      return objects.flatMap((object) => this.#writer.add(profile, object) ?? []);
    });
  }

  async update(changes: readonly ObjectChange[]): Promise<void> {
    this.#writer.transaction(() => {
      for (const { id, patch, history } of changes) {
        const before = this.#store.get(id);
        if (before !== null) this.#writer.save(before, patch, history);
      }
    });
  }

  async remove(ids: readonly number[]): Promise<void> {
    this.#writer.transaction(() => {
      for (const record of this.#existing(ids)) this.#writer.remove(record);
    });
  }

  async removeProfile(profileId: string): Promise<void> {
    this.#writer.removeProfile(profileId);
  }

  async collections(profileId: string): Promise<Collections> {
    return (await this.#indexes.whole(profileId))?.rows.collections() ?? noCollections;
  }

  async folders(profileId: string, parent: string): Promise<{ folders: Folder[]; more: number }> {
    return (await this.#indexes.whole(profileId))?.rows.tree.children(parent) ?? { folders: [], more: 0 };
  }

  async setSeparator(profileId: string, separator: string): Promise<void> {
    if (this.#store.profile(profileId)?.separator === separator) return;
    this.#writer.transaction(() => {
      this.#store.setSeparator(this.#store.ensureProfile(profileId), separator);
    });
    this.#indexes.drop(profileId);
    this.#announce([profileId]);
  }

  async exportTo(profileId: string, format: 'jsonl' | 'csv', path: string): Promise<number> {
    return exportObjects(this.#store, this.#store.profile(profileId)?.number ?? 0, format, path);
  }

  async importFrom(profileId: string, path: string): Promise<ImportReport> {
    return importObjects(path, (objects) =>
      this.#writer.transaction(() => {
        const profile = this.#store.ensureProfile(profileId);
        const { saved, ...counts } = mergeObjects(this.#store, profile, objects, this.#nowMs());
        this.#writer.noteSaved(saved);
        return counts;
      }),
    );
  }

  close(): void {
    this.#indexes.dropAll();
  }

  /** While a large index is being read: the first rows of a plain list, from the file. */
  #pageWithoutIndex(query: ObjectQuery, offset: number, limit: number): CataloguePage | null {
    const profile = this.#store.profile(query.profileId);
    if (profile === null || query.place.kind !== 'all' || query.search !== '' || offset > 1000) return null;
    if (this.#indexes.started(query.profileId, profile).isReady) return null;
    const key = `${String(this.#revision)} ${query.kind} ${query.profileId}`;
    if (this.#totals?.key !== key) {
      this.#totals = { key, ...this.#source.totals(profile.number, query.kind) };
    }
    const { total, totalBytes } = this.#totals;
    const ids = this.#source.firstIds(query, profile.number, offset, limit);
    return { revision: this.#revision, total, totalBytes, rows: this.#records(ids) };
  }

  async #named(selection: Selection): Promise<{ ids: Iterable<number>; sign: 1 | -1 }> {
    if (selection.kind === 'ids') return { ids: new Set(selection.ids), sign: 1 };
    const index = await this.#indexes.whole(selection.query.profileId);
    if (index === null) return { ids: [], sign: -1 };
    const { mask } = index.run(selection.query);
    const except = new Set(selection.exceptIds);
    return { ids: [...except].filter((id) => mask[index.rows.slotOf(id)] === 1), sign: -1 };
  }

  #records(ids: readonly number[]): ObjectRecord[] {
    return ids.flatMap((id) => this.#store.get(id) ?? []);
  }

  #existing(ids: readonly number[]): ObjectRecord[] {
    return this.#records([...new Set(ids)]);
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
