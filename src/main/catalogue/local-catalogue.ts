import type { ImportReport, Input, SelectionMix, SelectionSummary } from '../../shared/contract.ts';
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
import { versionOf, type VersionNaming } from '../../shared/domain/versions.ts';
import { AddedTally } from './added-tally.ts';
import type {
  AbandonedList,
  Catalogue,
  CataloguePage,
  ImportProgress,
  KeptRange,
  ListedVersion,
  NewObject,
  ObjectChange,
} from './catalogue.ts';
import type { LocalDocuments } from './documents.ts';
import { exportObjects } from './exchange/export.ts';
import type { ExchangedObject } from './exchange/format.ts';
import { importObjects, newImport, type RunningImport } from './exchange/import.ts';
import { mergeObjects, type MergeCounts } from './exchange/merge.ts';
import { UnfinishedFiles } from './exchange/unfinished-files.ts';
import { usualPace, type Pace, type ProfileIndex } from './index/profile-index.ts';
import { ProfileIndexes } from './index/profile-indexes.ts';
import { IndexSource } from './index-source.ts';
import type { ObjectStore } from './object-store.ts';
import type { ObjectWriter, Saved } from './object-writer.ts';
import { OpenLists, requireOpen } from './open-lists.ts';
import { Selections } from './selections.ts';
import type { Statements } from './statements.ts';

const noCollections: Collections = {
  all: 0,
  unfiled: 0,
  gone: 0,
  secrets: 0,
  attention: 0,
  hasFolders: false,
  classifications: [],
};

/** While rows come in by the thousand, a list that is shown is put in order no more often than this. */
const importToldMs = 4000;
/** Of one object, to be looked through. */
const mostVersions = 10_000;

/** The catalogue on this thread: rows in the file, and an index in memory for what a person looks at. */
export class LocalCatalogue implements Omit<Catalogue, 'onChanged'> {
  readonly #statements: Statements;
  readonly #writer: ObjectWriter;
  readonly #store: ObjectStore;
  readonly #nowMs: () => number;
  readonly #changed: (profileId: string, revision: number) => void;
  readonly #source: IndexSource;
  readonly #indexes: ProfileIndexes;
  readonly #pace: Pace;
  readonly #lists = new OpenLists();
  readonly #unfinishedFiles: UnfinishedFiles;
  readonly #selections: Selections;
  readonly #imports = new Map<string, RunningImport>();
  /** Indexes in whose place the file has answered. */
  readonly #unfolded = new WeakSet<ProfileIndex>();
  /** Of what changes now it is told later. */
  #isQuiet = false;
  #revision: number;

  constructor(
    statements: Statements,
    writer: ObjectWriter,
    documents: LocalDocuments,
    nowMs: () => number,
    changed: (profileId: string, revision: number) => void,
    revision = 1,
    pace: Pace = usualPace,
  ) {
    this.#revision = revision;
    this.#statements = statements;
    this.#writer = writer;
    this.#store = writer.rows;
    this.#pace = pace;
    this.#source = new IndexSource(statements);
    this.#indexes = new ProfileIndexes(this.#source, (profileId) => this.#store.profile(profileId), pace);
    this.#selections = new Selections(this.#store, this.#indexes);
    this.#unfinishedFiles = new UnfinishedFiles(documents);
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
    if (index === null)
      return { revision: this.#revision, total: 0, totalBytes: 0, folded: 0, families: [], rows: [] };
    const { slots, totalBytes, folded } = index.run(query);
    const shown = Array.from(slots.subarray(offset, offset + limit));
    const idOf = (slot: number) => index.rows.ids[slot] ?? 0;
    const families = shown.flatMap((slot) => {
      const family = folded === 0 ? null : index.families.familyOf(slot);
      return family === null ? [] : { id: idOf(slot), ...family };
    });
    const ids = shown.map(idOf);
    const outOf = query.search === '' ? {} : { outOf: index.count(query) };
    return {
      revision: this.#revision,
      total: slots.length,
      totalBytes,
      folded,
      families,
      ...outOf,
      rows: this.#records(ids),
    };
  }

  async indexOf(query: ObjectQuery, id: number): Promise<number | null> {
    const index = await this.#indexes.whole(query.profileId);
    return index?.positionOf(query, id) ?? null;
  }

  async shownAs(query: ObjectQuery, ids: readonly number[]): Promise<number[]> {
    const index = await this.#indexes.whole(query.profileId);
    return index === null ? [...ids] : index.shownAs(query, ids);
  }

  async findName(
    query: ObjectQuery,
    typed: string,
    from: number,
  ): Promise<{ index: number; id: number } | null> {
    return (await this.#indexes.whole(query.profileId))?.findName(query, typed, from) ?? null;
  }

  async freeze(selection: QuerySelection): Promise<FrozenSelection> {
    return this.#selections.freeze(selection);
  }

  async freezeVersions(selection: Selection): Promise<{ selection: FrozenSelection; older: number }> {
    return this.#selections.freezeVersions(selection);
  }

  async keepRange(range: Input<'objects.selectRange'>): Promise<KeptRange> {
    return this.#selections.keepRange(range);
  }

  async summarize(selection: Selection): Promise<SelectionSummary> {
    return this.#selections.summarize(selection);
  }

  async mixOf(selection: Selection): Promise<SelectionMix> {
    return this.#selections.mixOf(selection);
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

  async versions(
    profileId: string,
    kind: ObjectKind,
    identifier: string,
  ): Promise<{ base: string; versions: ListedVersion[] }> {
    const profile = this.#store.profile(profileId);
    if (profile === null) return { base: identifier, versions: [] };
    const { base } = versionOf(identifier, profile.separator, profile.versionMark);
    return { base, versions: this.#store.versions(profile.number, kind, base, profile) };
  }

  async history(id: number, limit: number): Promise<HistoryEntry[]> {
    return this.#store.history(id, limit);
  }

  async manifestOf(id: number): Promise<string | null> {
    return this.#store.manifest(id);
  }

  async missingPartsOf(id: number): Promise<number[]> {
    return this.#store.missingParts(id);
  }

  async abandonedLists(): Promise<AbandonedList[]> {
    return this.#store.abandoned();
  }

  async forgetAbandoned(ids: readonly number[]): Promise<void> {
    this.#writer.transaction(() => {
      for (const id of ids) this.#store.forgetAbandoned(id);
    });
  }

  async identifiersFrom(profileId: string, start: string): Promise<string[]> {
    const profile = this.#store.profile(profileId);
    return profile === null ? [] : this.#store.identifiersFrom(profile.number, start, mostVersions);
  }

  async idsInStates(profileId: string, states: readonly ObjectState[]): Promise<number[]> {
    const profile = this.#store.profile(profileId);
    return profile === null ? [] : this.#store.idsInStates(profile.number, states);
  }

  async renewals(untilDate: string): Promise<ObjectRecord[]> {
    return this.#store.renewals(untilDate);
  }

  async add(
    profileId: string,
    objects: readonly NewObject[],
  ): Promise<{ record: ObjectRecord; added: boolean }[]> {
    this.#lists.get(profileId);
    return this.#writer.transaction(() => {
      const profile = this.#store.ensureProfile(profileId);
      return objects.flatMap((object) => this.#writer.add(profile, object) ?? []);
    });
  }

  async update(changes: readonly ObjectChange[]): Promise<void> {
    this.#writer.transaction(() => {
      for (const { id, patch, history, manifest, missingParts, ifState } of changes) {
        const before = this.#store.get(id);
        if (before === null || before.state !== (ifState ?? before.state)) continue;
        this.#writer.save(before, patch, history, manifest);
        if (missingParts !== undefined) this.#store.setMissingParts(id, missingParts);
      }
    });
  }

  async remove(ids: readonly number[]): Promise<void> {
    this.#writer.transaction(() => {
      for (const record of this.#records([...new Set(ids)])) this.#writer.remove(record);
    });
  }

  async removeProfile(profileId: string): Promise<void> {
    this.#lists.close(profileId);
    this.#writer.removeProfile(profileId);
  }

  async closeProfile(profileId: string): Promise<void> {
    this.#lists.close(profileId);
  }

  async collections(profileId: string): Promise<Collections> {
    return (await this.#indexes.whole(profileId))?.collections() ?? noCollections;
  }

  async folders(profileId: string, parent: string): Promise<{ folders: Folder[]; more: number }> {
    return (await this.#indexes.whole(profileId))?.rows.tree.children(parent) ?? { folders: [], more: 0 };
  }

  async setNaming(profileId: string, { separator, versionMark }: VersionNaming): Promise<void> {
    this.#lists.open(profileId);
    const known = this.#store.profile(profileId);
    if (known?.separator === separator && known.versionMark === versionMark) return;
    this.#writer.transaction(() => {
      this.#store.setNaming(this.#store.ensureProfile(profileId), { separator, versionMark });
    });
    this.#indexes.drop(profileId);
    this.#announce([profileId]);
  }

  async exportTo(profileId: string, format: 'jsonl' | 'csv', path: string): Promise<number> {
    const profile = this.#store.profile(profileId)?.number ?? 0;
    return exportObjects(this.#store, profile, format, path, this.#unfinishedFiles);
  }

  async importFrom(profileId: string, path: string, importId: string): Promise<ImportReport> {
    const list = this.#lists.get(profileId);
    const run = newImport();
    this.#imports.set(importId, run);
    let toldMs = -Infinity;
    try {
      const report = await importObjects(path, run, (objects) => {
        requireOpen(list);
        const isTold = performance.now() - toldMs >= importToldMs;
        if (isTold) toldMs = performance.now();
        this.#isQuiet = !isTold;
        try {
          return this.#writer.unflushed(() => this.#merge(profileId, objects));
        } finally {
          this.#isQuiet = false;
        }
      });
      await this.#writer.flush();
      return report;
    } finally {
      this.#imports.delete(importId);
      this.#announce([profileId]);
    }
  }

  async importProgress(importId: string): Promise<ImportProgress | null> {
    const run = this.#imports.get(importId);
    if (run === undefined) return null;
    const { isCancelled: _, ...progress } = run;
    return progress;
  }

  async cancelImport(importId: string): Promise<void> {
    const run = this.#imports.get(importId);
    if (run !== undefined) run.isCancelled = true;
  }

  #merge(profileId: string, objects: readonly ExchangedObject[]): MergeCounts {
    const profile = { number: this.#store.ensureProfile(profileId), id: profileId };
    const tally = new AddedTally(this.#statements, profile.number);
    const { saved, ...counts } = mergeObjects(this.#store, profile, objects, this.#nowMs(), tally);
    tally.end();
    this.#writer.noteSaved(saved);
    return counts;
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
    const index = this.#indexes.started(query.profileId, profile);
    if (index.isReady || this.#source.count(profile.number) <= this.#pace.awaitedRows) return null;
    this.#announceFolds(query.profileId, index);
    const { total, totalBytes } = this.#source.totals(profile.number, query.kind);
    const ids = this.#source.firstIds(query, profile.number, offset, limit);
    return { revision: this.#revision, total, totalBytes, folded: 0, families: [], rows: this.#records(ids) };
  }

  /** What was answered without an index was not folded. */
  #announceFolds(profileId: string, index: ProfileIndex): void {
    if (this.#unfolded.has(index)) return;
    this.#unfolded.add(index);
    index.ready.then(
      () => {
        if (index.isReady && index.families.areThere) this.#announce([profileId]);
      },
      // Whoever waits for it is told.
      () => undefined,
    );
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
    if (this.#isQuiet) return;
    for (const profileId of new Set(profileIds)) {
      this.#revision += 1;
      this.#changed(profileId, this.#revision);
    }
  }
}
