import type { DatabaseSync } from 'node:sqlite';
import type { ImportReport, SelectionSummary } from '../../shared/contract.ts';
import type {
  Collections,
  Folder,
  FrozenSelection,
  HistoryEntry,
  ObjectKind,
  ObjectQuery,
  ObjectRecord,
  ObjectState,
  QuerySelection,
  Selection,
} from '../../shared/domain/object.ts';
import type { Catalogue, CataloguePage, NewObject, ObjectChange } from './catalogue.ts';
import { LocalDocuments } from './documents.ts';
import { exportObjects } from './exchange/export.ts';
import { importObjects } from './exchange/import.ts';
import { mergeObjects } from './exchange/merge.ts';
import { UnfinishedFiles } from './exchange/unfinished-files.ts';
import { usualPace, type Pace } from './index/profile-index.ts';
import { ProfileIndexes } from './index/profile-indexes.ts';
import { IndexSource } from './index-source.ts';
import { runTransaction } from './migrations.ts';
import { ObjectStore } from './object-store.ts';
import { OpenLists, requireOpen } from './open-lists.ts';
import { Selections } from './selections.ts';
import { Statements } from './statements.ts';

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
  readonly #source: IndexSource;
  readonly #indexes: ProfileIndexes;
  readonly #lists = new OpenLists();
  readonly #unfinishedFiles: UnfinishedFiles;
  readonly #selections: Selections;
  #revision: number;

  constructor(
    db: DatabaseSync,
    nowMs: () => number,
    changed: (profileId: string, revision: number) => void,
    revision = 1,
    pace: Pace = usualPace,
  ) {
    this.#revision = revision;
    this.#db = db;
    const statements = new Statements(db);
    this.#store = new ObjectStore(statements);
    this.#source = new IndexSource(statements);
    this.#indexes = new ProfileIndexes(this.#source, (profileId) => this.#store.profile(profileId), pace);
    this.#selections = new Selections(this.#store, this.#indexes);
    this.#unfinishedFiles = new UnfinishedFiles(new LocalDocuments(db));
    this.#nowMs = nowMs;
    this.#changed = changed;
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

  async freeze(selection: QuerySelection): Promise<FrozenSelection> {
    return this.#selections.freeze(selection);
  }

  async summarize(selection: Selection): Promise<SelectionSummary> {
    return this.#selections.summarize(selection);
  }

  async idsOf(selection: Selection): Promise<Float64Array> {
    return this.#selections.idsOf(selection);
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
    this.#lists.get(profileId);
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
      const records = this.#records([...new Set(ids)]);
      for (const { id } of records) this.#store.remove(id);
      return records;
    });
    for (const { profileId, id } of removed) this.#indexes.get(profileId)?.noteRemoved(id);
    this.#announce(removed.map(({ profileId }) => profileId));
  }

  async removeProfile(profileId: string): Promise<void> {
    this.#lists.close(profileId);
    const profile = this.#store.profile(profileId);
    if (profile === null) return;
    this.#store.removeProfile(profile.number);
    this.#indexes.drop(profileId);
    this.#announce([profileId]);
  }

  async closeProfile(profileId: string): Promise<void> {
    this.#lists.close(profileId);
  }

  async collections(profileId: string): Promise<Collections> {
    return (await this.#indexes.whole(profileId))?.rows.collections() ?? noCollections;
  }

  async folders(profileId: string, parent: string): Promise<{ folders: Folder[]; more: number }> {
    return (await this.#indexes.whole(profileId))?.rows.tree.children(parent) ?? { folders: [], more: 0 };
  }

  async setSeparator(profileId: string, separator: string): Promise<void> {
    this.#lists.open(profileId);
    if (this.#store.profile(profileId)?.separator === separator) return;
    runTransaction(this.#db, () => {
      this.#store.setSeparator(this.#store.ensureProfile(profileId), separator);
    });
    this.#indexes.drop(profileId);
    this.#announce([profileId]);
  }

  async exportTo(profileId: string, format: 'jsonl' | 'csv', path: string): Promise<number> {
    const profile = this.#store.profile(profileId)?.number ?? 0;
    return exportObjects(this.#store, profile, format, path, this.#unfinishedFiles);
  }

  async importFrom(profileId: string, path: string): Promise<ImportReport> {
    const list = this.#lists.get(profileId);
    return importObjects(path, (objects) => {
      requireOpen(list);
      const { saved, ...counts } = runTransaction(this.#db, () =>
        mergeObjects(this.#store, this.#store.ensureProfile(profileId), objects, this.#nowMs()),
      );
      this.#noteSaved(saved);
      return counts;
    });
  }

  /** Anything may have changed. */
  announceAll(): void {
    this.#announce(this.#store.profileIds());
  }

  close(): void {
    this.#indexes.dropAll();
  }

  /** While a large index is being read: the first rows of a plain list, from the file. */
  #pageWithoutIndex(query: ObjectQuery, offset: number, limit: number): CataloguePage | null {
    const profile = this.#store.profile(query.profileId);
    if (profile === null || query.place.kind !== 'all' || query.search !== '' || offset > 1000) return null;
    if (this.#indexes.started(query.profileId, profile).isReady) return null;
    const { total, totalBytes } = this.#source.totals(profile.number, query.kind);
    const ids = this.#source.firstIds(query, profile.number, offset, limit);
    return { revision: this.#revision, total, totalBytes, rows: this.#records(ids) };
  }

  #records(ids: readonly number[]): ObjectRecord[] {
    return ids.flatMap((id) => this.#store.get(id) ?? []);
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
