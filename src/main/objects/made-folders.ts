import { z } from 'zod';
import { folderAbove, type FolderChange } from '../../shared/domain/folder.ts';
import { AppFailure } from '../../shared/app-failure.ts';
import type { Statements } from '../database/statements.ts';
import { parseJson } from '../lib/json.ts';
import type { Announcements } from './announcements.ts';
import type { Catalogue } from './catalogue.ts';
import type { ServiceIndexes } from './index/service-indexes.ts';
import type { OpenLists } from './open-lists.ts';
import type { ObjectStore } from './object-store.ts';
import type { Saved } from './object-writer.ts';

const collection = 'madeFolders';
const pathsSchema = z.array(z.string());

/**
 * The folders that a person made and in which nothing is stored yet, which no service knows: a document per service. Read and written
 * here at once, so that no other change of the list comes in between.
 */
export class MadeFolders {
  readonly #statements: Statements;
  readonly #known = new Map<string, ReadonlySet<string>>();

  constructor(statements: Statements) {
    this.#statements = statements;
  }

  of(serviceId: string): ReadonlySet<string> {
    const known = this.#known.get(serviceId);
    if (known !== undefined) return known;
    const sql = 'SELECT value FROM document WHERE collection = ? AND key = ?';
    const [row] = this.#statements.rows<[string]>(sql, collection, serviceId);
    const paths = new Set(pathsSchema.safeParse(parseJson(row?.[0] ?? '')).data);
    this.#known.set(serviceId, paths);
    return paths;
  }

  write(serviceId: string, paths: ReadonlySet<string>): void {
    if (paths.size === 0) {
      this.#statements.run('DELETE FROM document WHERE collection = ? AND key = ?', collection, serviceId);
    } else {
      const sql = 'INSERT INTO document VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET value = excluded.value';
      this.#statements.run(sql, collection, serviceId, JSON.stringify([...paths]));
    }
    this.#known.set(serviceId, paths);
  }
}

/** Changes the folders that are kept without objects, with the lists that show them. */
export function createFolderChanges(
  made: MadeFolders,
  store: ObjectStore,
  indexes: ServiceIndexes,
  lists: OpenLists,
  announcements: Announcements,
) {
  function change(serviceId: string, changes: readonly FolderChange[]): FolderChange[] {
    const before = made.of(serviceId);
    const tree = indexes.get(serviceId)?.rows.tree;
    // One with objects needs no keeping.
    const isEmpty = (path: string) => (tree?.countIn(path) ?? 0) === 0;
    const done = changes.filter(({ from, to }) =>
      from === null ? to !== null && !before.has(to) : before.has(from),
    );
    if (done.length === 0) return done;
    const paths = new Set(before);
    for (const { from } of done) if (from !== null) paths.delete(from);
    // What an undo makes again may have objects that are about to leave it.
    for (const { from, to } of done) if (to !== null && (from === null || isEmpty(to))) paths.add(to);
    made.write(serviceId, paths);
    indexes.get(serviceId)?.keepFolders(before, paths);
    announcements.announce([serviceId]);
    // One that was joined with another folder is made again by an undo, and that one stays.
    return done.map(({ from, to }) => ({
      from,
      to: to !== null && paths.has(to) && !before.has(to) ? to : null,
    }));
  }

  return {
    /** Call after rows were saved: a folder in which something is stored is there by its objects. */
    noteSaved(serviceId: string, saved: readonly Saved[]): void {
      const paths = made.of(serviceId);
      const separator = paths.size === 0 ? undefined : store.service(serviceId)?.separator;
      if (separator === undefined) return;
      const filled = new Set<string>();
      for (const { record, wasStored = false, isMoving = false } of saved) {
        const { kind, state, identifier } = record;
        if (kind !== 'data' || state !== 'stored' || wasStored || isMoving) continue;
        for (let at = folderAbove(identifier, separator); at !== ''; at = folderAbove(at, separator))
          if (paths.has(at)) filled.add(at);
      }
      try {
        change(
          serviceId,
          [...filled].map((from) => ({ from, to: null })),
        );
      } catch {
        // The rows are saved, and the folder is there by them. The next object in it tries again.
      }
    },

    forget(serviceId: string): void {
      made.write(serviceId, new Set());
    },

    methods: {
      async madeFolders(serviceId) {
        return [...made.of(serviceId)];
      },

      async makeFolder(serviceId, path) {
        lists.get(serviceId);
        const service = store.ensureService(serviceId);
        const index = await indexes.whole(serviceId);
        lists.get(serviceId);
        if (index === null) throw new AppFailure({ code: 'notFound', what: 'service' });
        if (index.rows.tree.countIn(path) !== null) return 'folder';
        const object = store.find(service, 'data', path);
        if (object !== null && object.state !== 'gone' && object.state !== 'failed') return 'object';
        change(serviceId, [{ from: null, to: path }]);
        return null;
      },

      async changeFolders(serviceId, changes) {
        if (changes.length === 0) return [];
        await indexes.whole(serviceId);
        lists.get(serviceId);
        return change(serviceId, changes);
      },
    } satisfies Partial<Catalogue>,
  };
}
