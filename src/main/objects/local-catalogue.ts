import type { Collections, ObjectRecord } from '../../shared/domain/object.ts';
import { versionOf } from '../../shared/domain/versions.ts';
import { Announcements } from './announcements.ts';
import type { Catalogue, Documents } from '../storage/database.ts';
import { exportObjects } from './exchange/export.ts';
import { createImports } from './exchange/imports.ts';
import { UnfinishedFiles } from './exchange/unfinished-files.ts';
import { usualPace, type Pace } from './index/service-index.ts';
import { ProfileIndexes } from './index/service-indexes.ts';
import { IndexSource } from './index-source.ts';
import { createObjectPages } from './object-pages.ts';
import type { ObjectWriter } from './object-writer.ts';
import { OpenLists } from './open-lists.ts';
import { createSelections } from './selections.ts';
import type { Statements } from '../database/statements.ts';

const noCollections: Collections = {
  all: 0,
  unfiled: 0,
  gone: 0,
  secrets: 0,
  attention: 0,
  hasFolders: false,
  classifications: [],
};

export interface LocalCatalogue extends Omit<Catalogue, 'onChanged'> {
  /** Anything may have changed. */
  announceAll(): void;
  close(): void;
}

/** The catalogue on this thread: rows in the file, and an index in memory for what a person looks at. */
export function createLocalCatalogue(
  statements: Statements,
  writer: ObjectWriter,
  documents: Documents,
  nowMs: () => number,
  changed: (profileId: string, revision: number) => void,
  revision = 1,
  pace: Pace = usualPace,
): LocalCatalogue {
  const store = writer.rows;
  const source = new IndexSource(statements);
  const indexes = new ProfileIndexes(source, (profileId) => store.profile(profileId), pace);
  const announcements = new Announcements(changed, revision);
  const lists = new OpenLists();
  const unfinishedFiles = new UnfinishedFiles(documents);
  writer.follow({
    saved: (saved) => {
      for (const { record, textChanged } of saved) {
        indexes.get(record.profileId)?.noteSaved(record, textChanged);
      }
      announcements.announce(saved.map(({ record }) => record.profileId));
    },
    removed: (records) => {
      for (const { profileId, id } of records) indexes.get(profileId)?.noteRemoved(id);
      announcements.announce(records.map(({ profileId }) => profileId));
    },
    profileRemoved: (profileId) => {
      indexes.drop(profileId);
      announcements.announce([profileId]);
    },
  });

  return {
    ...createObjectPages(store, source, indexes, announcements, pace),
    ...createSelections(store, indexes),
    ...createImports(statements, writer, lists, announcements, nowMs),

    async indexOf(query, id) {
      const index = await indexes.whole(query.profileId);
      return index?.positionOf(query, id) ?? null;
    },

    async shownAs(query, ids) {
      const index = await indexes.whole(query.profileId);
      return index === null ? [...ids] : index.shownAs(query, ids);
    },

    async findName(query, typed, from) {
      return (await indexes.whole(query.profileId))?.findName(query, typed, from) ?? null;
    },

    async getMany(ids) {
      return store.getMany(ids);
    },

    async findByIdentifiers(profileId, kind, identifiers) {
      const found = new Map<string, ObjectRecord>();
      const profile = store.profile(profileId);
      if (profile === null) return found;
      for (const identifier of identifiers) {
        const record = store.find(profile.number, kind, identifier);
        if (record !== null) found.set(identifier, record);
      }
      return found;
    },

    async versions(profileId, kind, identifier) {
      const profile = store.profile(profileId);
      if (profile === null) return { base: identifier, versions: [] };
      const { base } = versionOf(identifier, profile.separator, profile.versionMark);
      return { base, versions: store.versions(profile.number, kind, base, profile) };
    },

    async history(id, limit) {
      return store.history(id, limit);
    },

    async manifestOf(id) {
      return store.manifest(id);
    },

    async missingPartsOf(id) {
      return store.missingParts(id);
    },

    async idsInStates(profileId, states) {
      const profile = store.profile(profileId);
      return profile === null ? [] : store.idsInStates(profile.number, states);
    },

    async renewals(untilDate) {
      return store.renewals(untilDate);
    },

    async add(profileId, objects) {
      lists.get(profileId);
      return writer.transaction(() => {
        const profile = store.ensureProfile(profileId);
        return objects.flatMap((object) => writer.add(profile, object) ?? []);
      });
    },

    async update(changes) {
      writer.transaction(() => {
        for (const { id, patch, history, manifest, missingParts, ifState } of changes) {
          const before = store.get(id);
          if (before === null || before.state !== (ifState ?? before.state)) continue;
          writer.save(before, patch, history, manifest);
          if (missingParts !== undefined) store.setMissingParts(id, missingParts);
        }
      });
    },

    async remove(ids) {
      writer.transaction(() => {
        for (const record of store.getMany([...new Set(ids)])) writer.remove(record);
      });
    },

    async removeProfile(profileId) {
      lists.close(profileId);
      writer.removeProfile(profileId);
    },

    async closeProfile(profileId) {
      lists.close(profileId);
    },

    async collections(profileId) {
      return (await indexes.whole(profileId))?.collections() ?? noCollections;
    },

    async folders(profileId, parent) {
      return (await indexes.whole(profileId))?.rows.tree.children(parent) ?? { folders: [], more: 0 };
    },

    async setNaming(profileId, { separator, versionMark }) {
      lists.open(profileId);
      const known = store.profile(profileId);
      if (known?.separator === separator && known.versionMark === versionMark) return;
      writer.transaction(() => {
        store.setNaming(store.ensureProfile(profileId), { separator, versionMark });
      });
      indexes.drop(profileId);
      announcements.announce([profileId]);
    },

    async exportTo(profileId, format, path) {
      const profile = store.profile(profileId)?.number ?? 0;
      return exportObjects(store, profile, format, path, unfinishedFiles);
    },

    announceAll() {
      announcements.announce(store.profileIds());
    },

    close() {
      indexes.dropAll();
    },
  };
}
