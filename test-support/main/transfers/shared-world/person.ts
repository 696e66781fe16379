import { Installation } from '../installation.ts';
import { copyFile, mkdir, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Answer, IfExists, RequestKind } from '../../../../src/shared/domain/service.ts';
import type { ObjectRecord } from '../../../../src/shared/domain/object.ts';
import {
  createBulkOperations,
  type BulkOperations,
} from '../../../../src/main/bulk-operations/bulk-operations.ts';
import { forgetWork } from '../../../../src/main/storage/database-file.ts';
import { createMakeCurrent, type MakeCurrent } from '../../../../src/main/versions/copies.ts';
import { createVersions, type Versions } from '../../../../src/main/versions/versions.ts';
import type { Log } from '../../../../src/main/ports.ts';
import { openLocalDatabase, type LocalDatabase } from '../../database/local-database.ts';
import { createOpenCoffer, listedService, type OpenCoffer } from './installed-coffer.ts';
import type { FileToUpload, PersonOptions } from './person-options.ts';
import type { Wishes } from './wishes.ts';

/** A person with one installation. Records each wish that may lead to a DELETE before it is carried out. */
export class Person extends Installation {
  readonly who: string;
  readonly serviceIds: readonly string[];
  readonly versionMark: string | undefined;
  /** Texts of uploads, by transfer id. */
  readonly texts = new Map<number, string>();
  /** Whether the list may be out of date, or limited by what a token could not see. */
  isListUnsure = false;
  db: DatabaseSync;
  bulk!: BulkOperations;
  versions!: Versions;
  openCoffer!: OpenCoffer;
  makeCurrent!: MakeCurrent;
  #copies = 0;
  #files = 0;
  readonly #wishes: Wishes;

  private constructor(options: PersonOptions, db: DatabaseSync, database: LocalDatabase) {
    const { who, folder, clock, service, serviceIds, problems, versionMark } = options;
    const error = (message: string, details?: object) => problems.push({ who, message, ...details });
    const log: Log = { info: () => undefined, warn: () => undefined, error };
    super({
      folder,
      database,
      clock,
      log,
      serviceIds,
      serviceOf: () => service,
      who,
      versionMark,
      upstairs: async ({ folder: userDataFolder, ...below }) => {
        const [publisher, onChanged] = [{ publish: () => undefined }, () => undefined];
        // The type also has open, close and change events of the list, which are not needed here.
        const catalogue = below.catalogue as unknown as Parameters<
          typeof createBulkOperations
        >[0]['catalogue'];
        this.bulk = createBulkOperations({ ...below, catalogue, log, publisher, onChanged });
        const listed = listedService(serviceIds[0] ?? '', service.origin, versionMark);
        this.openCoffer = createOpenCoffer(
          { ...below, folder: userDataFolder },
          { bulk: this.bulk, log, service: listed },
        );
        this.makeCurrent = createMakeCurrent({ ...below, userDataFolder, log });
        this.versions = createVersions({
          ...below,
          makeCurrent: this.makeCurrent,
          settings: () => this.settings,
        });
      },
    });
    this.who = who;
    this.serviceIds = serviceIds;
    this.versionMark = versionMark;
    this.db = db;
    this.#wishes = options.wishes;
  }

  static async begin(options: PersonOptions): Promise<Person> {
    await mkdir(join(options.folder, 'downloads'), { recursive: true });
    const db = new DatabaseSync(':memory:');
    const database = await openLocalDatabase(db, options.clock.nowMs);
    for (const id of options.serviceIds)
      await database.documents.put('services', id, { id, baseAddress: options.service.origin });
    const person = new Person(options, db, database);
    await person.start();
    return person;
  }

  noteStep(): void {
    this.step();
  }

  /** Tells the installation that the service is reachable again. */
  hearGoodNews(): void {
    this.tellReady();
  }

  /** Describes the records that have not ended, for fault messages. */
  openRecords(): string[] {
    const rows = this.db
      .prepare('SELECT id, identifier, next_at_ms, error, body FROM transfer WHERE finished_at_ms IS NULL')
      .all();
    return rows.map((row) => JSON.stringify(row));
  }

  /** Records a wish that may lead to a DELETE. */
  #wish(kind: Parameters<Wishes['add']>[1], identifier: string | null): void {
    this.#wishes.add(this.who, kind, identifier);
  }

  wishToStore(identifier: string, ifExists: IfExists): void {
    // The upload under this name is given up if something else is stored there.
    this.#wish(ifExists === 'replace' ? 'replace' : 'giveUp', identifier);
  }

  async restart(): Promise<void> {
    this.stopsAt = null;
    await this.stop();
    await this.start();
  }

  /** Copies the database. Returns the path of the copy. */
  copyDatabase(): string {
    this.#copies += 1;
    const path = join(this.folder, `copy-${this.#copies}`);
    this.db.exec(`VACUUM INTO '${path}'`);
    return path;
  }

  /** Restores the database from a copy, as after damage; the files stay unchanged. */
  async putBack(copy: string): Promise<void> {
    this.stopsAt = null;
    await this.stop();
    await this.database.close();
    this.#copies += 1;
    const path = join(this.folder, `database-${this.#copies}`);
    await copyFile(copy, path);
    this.db = new DatabaseSync(path);
    this.db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF');
    forgetWork(this.db);
    this.database = await openLocalDatabase(this.db, this.clock.nowMs);
    this.texts.clear();
    this.isListUnsure = true;
    await this.start();
  }

  async rows(): Promise<ObjectRecord[]> {
    return (await this.database.allRows()).filter(({ kind }) => kind === 'data');
  }

  /** Writes a file. Returns a function that uploads it. */
  async prepareUpload(file: FileToUpload): Promise<() => Promise<void>> {
    const { serviceId, identifier, text, ifExists, route, classification, modified } = file;
    this.#files += 1;
    const fileName = `f${this.#files}`;
    const path = join(this.folder, fileName);
    await writeFile(path, text);
    await utimes(path, modified, modified);
    const { size: sizeBytes, mtimeMs } = await stat(path);
    const item = { path, fileName, identifier, sizeBytes, mtimeMs, classification, ifExists };
    return async () => {
      this.#wishes.choose(identifier, text);
      this.wishToStore(identifier, ifExists);
      const ids = await this.engine.enqueue.uploads(serviceId, [item], route);
      for (const id of ids) this.texts.set(id, text);
    };
  }

  /** Undoes the last Replace of the identifier. */
  async undo(serviceId: string, identifier: string): Promise<void> {
    const [version] = await this.undoCopies.ofObject(serviceId, identifier);
    if (!version) return;
    this.#wish('replace', identifier);
    await this.engine.enqueue.undo(version);
  }

  async download({ serviceId, id }: ObjectRecord, route: RequestKind): Promise<void> {
    await this.engine.enqueue.downloads(serviceId, [id], { saveAsPath: null, route });
  }

  async delete(rows: readonly ObjectRecord[]): Promise<void> {
    for (const { identifier } of rows) this.#wish('delete', identifier);
    await this.bulk.handlers['objects.delete'](selectionOf(rows));
  }

  async check(rows: readonly ObjectRecord[]): Promise<void> {
    await this.bulk.handlers['objects.check'](selectionOf(rows));
  }

  async forget(rows: readonly ObjectRecord[]): Promise<void> {
    await this.bulk.handlers['objects.forget'](selectionOf(rows));
  }

  async addKnown(serviceId: string, identifiers: readonly string[]): Promise<void> {
    await this.bulk.handlers['objects.addKnown']({ serviceId, kind: 'data', identifiers: [...identifiers] });
  }

  async findVersions({ id }: ObjectRecord): Promise<void> {
    await this.versions.handlers['objects.findVersions']({ id });
  }

  async exportTo(serviceId: string, format: 'jsonl' | 'csv'): Promise<string> {
    this.#copies += 1;
    const path = join(this.folder, `list-${this.#copies}`);
    await this.database.catalogue.exportTo(serviceId, format, path);
    return path;
  }

  async importFrom(serviceId: string, path: string): Promise<void> {
    this.isListUnsure = true;
    await this.database.catalogue.importFrom(serviceId, path, path);
  }

  async clearUndoCopies(): Promise<void> {
    this.#wish('clearUndoCopies', null);
    await this.undoCopies.clear();
  }

  async removeLeftovers(serviceId: string): Promise<void> {
    this.#wish('leftovers', null);
    const uploads = this.engine.orphans.left(serviceId).map(({ upload }) => upload);
    await this.engine.orphans.removeLeft(serviceId, uploads);
  }

  async cancel(ids: readonly number[] | null): Promise<void> {
    await this.#giveUp(ids);
    await this.engine.actions.cancel(ids === null ? { kind: 'all' } : { kind: 'ids', ids });
  }

  /** Removes failed transfers from the list. */
  async drop(): Promise<void> {
    this.#wish('giveUp', null);
    await this.engine.actions.drop({ kind: 'all' });
  }

  async retry(id: number): Promise<void> {
    const [record] = await this.database.transfers.getMany([id]);
    if (record?.direction === 'delete') this.#wish('delete', record.identifier);
    await this.engine.actions.retry({ kind: 'ids', ids: [id] });
  }

  async keepOnService(): Promise<void> {
    const failed = (await this.transfers()).find(({ error }) => error?.code === 'noRoomToKeep');
    if (failed) await this.engine.actions.keepOnService(failed.id);
  }

  async answer(answer: Answer, applyToAll: boolean): Promise<void> {
    const prompt = await this.engine.conflictPrompt(null);
    if (!prompt) return;
    const { transferId } = prompt;
    const ids = applyToAll ? null : [transferId];
    if (answer === 'replace')
      for (const identifier of await this.#identifiersOf(ids)) this.#wish('replace', identifier);
    else await this.#giveUp(ids);
    await this.engine.actions.answer({ transferId, answer, applyToAll });
  }

  async #giveUp(ids: readonly number[] | null): Promise<void> {
    for (const identifier of await this.#identifiersOf(ids)) this.#wish('giveUp', identifier);
  }

  /** @param ids null: all */
  async #identifiersOf(ids: readonly number[] | null): Promise<string[]> {
    const all = [...(await this.transfers()), ...(await this.jobs())];
    return all.filter(({ id }) => ids === null || ids.includes(id)).map(({ identifier }) => identifier);
  }

  async leave(): Promise<void> {
    this.versions.close();
    await this.settle(this.bulk.close());
    await this.settle(this.makeCurrent.close());
    await this.close();
  }
}

function selectionOf(rows: readonly ObjectRecord[]) {
  return { selection: { kind: 'ids', ids: rows.map(({ id }) => id) } } as const;
}
