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
import { Announcements } from './announcements.ts';
import type {
  Catalogue,
  CataloguePage,
  ImportProgress,
  KeptRange,
  NewObject,
  ObjectChange,
} from './catalogue.ts';
import type { ListedVersion } from '../../shared/domain/object-changes.ts';
import type { LocalDocuments } from './documents.ts';
import { exportObjects } from './exchange/export.ts';
import { Imports } from './exchange/imports.ts';
import { UnfinishedFiles } from './exchange/unfinished-files.ts';
import { usualPace, type Pace } from './index/profile-index.ts';
import { ProfileIndexes } from './index/profile-indexes.ts';
import { IndexSource } from './index-source.ts';
import { ObjectPages } from './object-pages.ts';
import type { ObjectStore } from './object-store.ts';
import type { ObjectWriter, Saved } from './object-writer.ts';
import { OpenLists } from './open-lists.ts';
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

/** The catalogue on this thread: rows in the file, and an index in memory for what a person looks at. */
export class LocalCatalogue implements Omit<Catalogue, 'onChanged'> {
  readonly #writer: ObjectWriter;
  readonly #store: ObjectStore;
  readonly #indexes: ProfileIndexes;
  readonly #announcements: Announcements;
  readonly #pages: ObjectPages;
  readonly #lists = new OpenLists();
  readonly #unfinishedFiles: UnfinishedFiles;
  readonly #selections: Selections;
  readonly #imports: Imports;

  constructor(
    statements: Statements,
    writer: ObjectWriter,
    documents: LocalDocuments,
    nowMs: () => number,
    changed: (profileId: string, revision: number) => void,
    revision = 1,
    pace: Pace = usualPace,
  ) {
    this.#writer = writer;
    this.#store = writer.rows;
    const source = new IndexSource(statements);
    this.#indexes = new ProfileIndexes(source, (profileId) => this.#store.profile(profileId), pace);
    this.#selections = new Selections(this.#store, this.#indexes);
    this.#unfinishedFiles = new UnfinishedFiles(documents);
    this.#announcements = new Announcements(changed, revision);
    this.#pages = new ObjectPages(this.#store, source, this.#indexes, this.#announcements, pace);
    this.#imports = new Imports(statements, writer, this.#lists, this.#announcements, nowMs);
    writer.follow({
      saved: (saved) => {
        this.#noteSaved(saved);
      },
      removed: (records) => {
        for (const { profileId, id } of records) this.#indexes.get(profileId)?.noteRemoved(id);
        this.#announcements.announce(records.map(({ profileId }) => profileId));
      },
      profileRemoved: (profileId) => {
        this.#indexes.drop(profileId);
        this.#announcements.announce([profileId]);
      },
    });
  }

  async page(query: ObjectQuery, offset: number, limit: number): Promise<CataloguePage> {
    return this.#pages.page(query, offset, limit);
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
    return this.#store.getMany(ids);
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
      for (const record of this.#store.getMany([...new Set(ids)])) this.#writer.remove(record);
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
    this.#announcements.announce([profileId]);
  }

  async exportTo(profileId: string, format: 'jsonl' | 'csv', path: string): Promise<number> {
    const profile = this.#store.profile(profileId)?.number ?? 0;
    return exportObjects(this.#store, profile, format, path, this.#unfinishedFiles);
  }

  async importFrom(profileId: string, path: string, importId: string): Promise<ImportReport> {
    return this.#imports.run(profileId, path, importId);
  }

  async importProgress(importId: string): Promise<ImportProgress | null> {
    return this.#imports.progress(importId);
  }

  async cancelImport(importId: string): Promise<void> {
    this.#imports.cancel(importId);
  }

  /** Anything may have changed. */
  announceAll(): void {
    this.#announcements.announce(this.#store.profileIds());
  }

  close(): void {
    this.#indexes.dropAll();
  }

  #noteSaved(saved: readonly Saved[]): void {
    for (const { record, textChanged } of saved) {
      this.#indexes.get(record.profileId)?.noteSaved(record, textChanged);
    }
    this.#announcements.announce(saved.map(({ record }) => record.profileId));
  }
}
