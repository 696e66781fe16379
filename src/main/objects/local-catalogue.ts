import type { Collections, ObjectRecord } from '../../shared/domain/object.ts';
import { AppFailure } from '../../shared/app-failure.ts';
import { versionOf } from '../../shared/domain/versions.ts';
import { Announcements, type ListChanges } from './announcements.ts';
import type { Catalogue } from './catalogue.ts';
import type { Documents } from '../database/documents.ts';
import { exportObjects } from './exchange/export.ts';
import { createImports, UnfinishedFiles } from './exchange/imports.ts';
import { usualPace, type Pace } from './index/service-index.ts';
import { ServiceIndexes } from './index/service-indexes.ts';
import { IndexSource } from './index-source.ts';
import { createFolderChanges, MadeFolders } from './made-folders.ts';
import { createObjectPages } from './object-pages.ts';
import type { ObjectWriter } from './object-writer.ts';
import { RemovedRows } from './removed-rows.ts';
import { OpenLists } from './open-lists.ts';
import { createSelections } from './selections.ts';
import type { Statements } from '../database/statements.ts';

const noCollections: Collections = {
  all: 0,
  gone: 0,
  secrets: 0,
  attention: 0,
  hasFolders: false,
  classifications: [],
};

export interface LocalCatalogue extends Omit<Catalogue, 'onChanged'> {
  /** Call after changes that may affect anything. */
  announceAll(): void;
  /** For the team copy. */
  readonly changes: ListChanges;
  close(): void;
}

/** The catalogue on this thread: rows in the database, and in-memory indexes for the lists on screen. */
export function createLocalCatalogue(
  statements: Statements,
  writer: ObjectWriter,
  documents: Documents,
  nowMs: () => number,
  changed: (serviceId: string, revision: number) => void,
  revision = 1,
  pace: Pace = usualPace,
): LocalCatalogue {
  const store = writer.rows;
  const source = new IndexSource(statements, nowMs);
  const made = new MadeFolders(statements);
  const indexes = new ServiceIndexes(source, (serviceId) => store.service(serviceId), made, pace);
  const announcements = new Announcements(changed, revision);
  const lists = new OpenLists();
  const removed = new RemovedRows(statements);
  const folders = createFolderChanges(made, store, indexes, lists, announcements);
  const unfinishedFiles = new UnfinishedFiles(documents);
  writer.follow({
    saved: (saved) => {
      for (const [serviceId, rows] of Map.groupBy(saved, ({ record }) => record.serviceId)) {
        indexes.get(serviceId)?.noteSaved(rows);
        folders.noteSaved(serviceId, rows);
      }
      announcements.announce(saved.map(({ record }) => record.serviceId));
    },
    removed: (records) => {
      for (const { serviceId, id } of records) indexes.get(serviceId)?.noteRemoved(id);
      announcements.announce(records.map(({ serviceId }) => serviceId));
    },
    serviceRemoved: (serviceId) => {
      folders.forget(serviceId);
      indexes.drop(serviceId);
      removed.forgetService(serviceId);
      announcements.announce([serviceId]);
    },
  });

  return {
    ...createObjectPages(store, source, indexes, announcements, pace),
    ...createSelections(store, indexes),
    ...folders.methods,
    ...createImports(statements, writer, lists, announcements, nowMs),

    async indexOf(query, id) {
      const index = await indexes.whole(query.serviceId);
      return index?.positionOf(query, id) ?? null;
    },

    async folderIndex(query, path) {
      return (await indexes.whole(query.serviceId))?.folderIndex(query, path) ?? null;
    },

    async shownAs(query, ids) {
      const index = await indexes.whole(query.serviceId);
      return index === null ? [...ids] : index.shownAs(query, ids);
    },

    async findName(query, typed, from) {
      return (await indexes.whole(query.serviceId))?.findName(query, typed, from) ?? null;
    },

    async getMany(ids) {
      return store.getMany(ids);
    },

    async findByIdentifiers(serviceId, kind, identifiers) {
      const found = new Map<string, ObjectRecord>();
      const service = store.service(serviceId);
      if (service === null) return found;
      for (const identifier of identifiers) {
        const record = store.find(service.number, kind, identifier);
        if (record !== null) found.set(identifier, record);
      }
      return found;
    },

    async versions(serviceId, kind, identifier) {
      const service = store.service(serviceId);
      if (service === null) return { base: identifier, versions: [] };
      const { base } = versionOf(identifier, service.separator, service.versionMark);
      return { base, versions: store.versions(service.number, kind, base, service) };
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

    async idsInStates(serviceId, states) {
      const service = store.service(serviceId);
      return service === null ? [] : store.idsInStates(service.number, states);
    },

    async renewals(untilDate) {
      return store.renewals(untilDate);
    },

    async add(serviceId, objects) {
      lists.get(serviceId);
      return writer.transaction(() => {
        const service = store.ensureService(serviceId);
        return objects.flatMap((object) => writer.add(service, object) ?? []);
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

    async noteUse(id) {
      writer.transaction(() => writer.noteUse(id));
    },

    async remove(ids, removal) {
      return writer.transaction(() => {
        const records = store.getMany([...new Set(ids)]);
        const [first] = records;
        const isKept =
          removal !== undefined &&
          first !== undefined &&
          !writer.observer.isShared(first.serviceId) &&
          removed.keep(
            first.serviceId,
            removal,
            records.map(({ id }) => id),
          );
        for (const record of records) writer.remove(record);
        return isKept;
      });
    },

    async putBack(removal) {
      const serviceId = removed.serviceOf(removal);
      if (serviceId === null) throw new AppFailure({ code: 'notFound', what: 'removal' });
      lists.get(serviceId);
      const count = writer.transaction(() => {
        // The team would not hear of them again.
        if (writer.observer.isShared(serviceId)) throw new AppFailure({ code: 'notFound', what: 'removal' });
        return removed.putBack(removal);
      });
      // Its slots are in the order of ids.
      indexes.drop(serviceId);
      announcements.announce([serviceId]);
      return count;
    },

    async removeService(serviceId) {
      lists.close(serviceId);
      writer.removeService(serviceId);
    },

    async closeService(serviceId) {
      lists.close(serviceId);
    },

    async collections(serviceId) {
      return (await indexes.whole(serviceId))?.collections() ?? noCollections;
    },

    async folders(serviceId, parent) {
      return (await indexes.whole(serviceId))?.rows.tree.children(parent) ?? { folders: [], more: 0 };
    },

    async setNaming(serviceId, { separator, versionMark }) {
      lists.open(serviceId);
      const known = store.service(serviceId);
      if (known?.separator === separator && known.versionMark === versionMark) return;
      writer.transaction(() => {
        store.setNaming(store.ensureService(serviceId), { separator, versionMark });
      });
      indexes.drop(serviceId);
      announcements.announce([serviceId]);
    },

    async exportTo(serviceId, format, path) {
      const service = store.service(serviceId)?.number ?? 0;
      return exportObjects(store, service, format, path, unfinishedFiles);
    },

    changes: {
      seldom: (serviceId, work) => announcements.seldom(serviceId, work),
      announce: (serviceId) => announcements.announce([serviceId]),
      reload(serviceId) {
        indexes.drop(serviceId);
        announcements.announce([serviceId]);
      },
    },

    announceAll() {
      announcements.announce(store.serviceIds());
    },

    close() {
      indexes.dropAll();
    },
  };
}
