import { Installation, limitBytes, type Upstairs } from './installation.ts';
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setImmediate, setTimeout } from 'node:timers/promises';
import {
  versionMarkDefault,
  type Answer,
  type IfExists,
  type RequestKind,
} from '../../../src/shared/domain/service.ts';
import { versionIdentifier, versionOf } from '../../../src/shared/domain/versions.ts';
import { openLocalDatabase, type LocalDatabase } from '../database/local-database.ts';
import { isChunkId } from '../../../src/main/transfers/chunks/manifest.ts';
import { isFinished, type TransferRecord } from '../../../src/main/transfers/model/record.ts';
import { createReplaceWatch } from './replace-watch.ts';
import { listIn } from './list-in.ts';
import { SimulatedService, type Weather } from './simulated-service.ts';
import { createVirtualClock, type VirtualClock } from './virtual-clock.ts';

export const serviceId = 'p';
/** Marks an upload without a chosen classification. */
const notChosen = Symbol('not chosen');

/** An act of a person, and what must result from it. */
interface Word {
  readonly kind: 'upload' | 'download' | 'delete' | 'storeSecret' | 'readSecret';
  readonly identifier: string;
  readonly text: string;
  readonly atMs: number;
  /** The origin of the service at that time. */
  readonly origin: string;
}

/** Excludes transfers that make a version current: their number depends on when the process was killed. */
function isAsked({ work }: TransferRecord): boolean {
  if (work.kind === 'download') return work.copyFor !== 'version';
  return work.kind !== 'upload' || !work.path.includes('/versions/');
}

/** The engine over a simulated service in virtual time. Checks all invariants throughout. */
export class World extends Installation {
  /** One for each address that the service has over time. */
  readonly services: readonly [first: SimulatedService, second: SimulatedService];
  readonly problems: unknown[];
  readonly words: Word[] = [];
  readonly #watch: ReturnType<typeof createReplaceWatch>;
  /** The classifications that a person asked for, by origin and text. */
  readonly #mayBeStored = new Map<string, Set<string | null | typeof notChosen>>();
  /** The classifications that objects were to be stored again with, by origin and identifier. */
  readonly #storedAgain = new Map<string, Set<string | null>>();
  #hasMoved = false;
  #count = 0;
  #reads: Promise<unknown>[] = [];

  private constructor(
    folder: string,
    db: DatabaseSync,
    database: LocalDatabase,
    clock: VirtualClock,
    upstairs: Upstairs | undefined,
  ) {
    const problems: unknown[] = [];
    const note = (message: string, details?: object) => problems.push({ message, ...details });
    super({
      folder,
      database,
      clock,
      log: { info: () => undefined, warn: () => undefined, error: note },
      serviceIds: [serviceId],
      serviceOf: () => this.service,
      upstairs,
      onWrite: () => this.#lookAtReplaces(),
    });
    this.problems = problems;
    this.services = [
      new SimulatedService(clock, 'https://one', 'token-one'),
      new SimulatedService(clock, 'https://two', 'token-two'),
    ];
    for (const service of this.services) service.limitBytes = limitBytes;
    const { services, cuttable: files } = this;
    this.#watch = createReplaceWatch({ db, services, vaultFolder: join(folder, 'kept'), files });
    for (const service of services) {
      service.beforeRequest = () => this.step();
      service.onRequest = () => {
        this.step();
        this.#lookAtReplaces();
      };
    }
  }

  static async begin(upstairs?: Upstairs): Promise<World> {
    const folder = await mkdtemp(join(tmpdir(), 'coffer-world-'));
    await mkdir(join(folder, 'downloads'));
    const clock = createVirtualClock();
    const db = new DatabaseSync(':memory:');
    const database = await openLocalDatabase(db, clock.nowMs);
    await database.documents.put('services', serviceId, { id: serviceId, baseAddress: 'https://one' });
    const world = new World(folder, db, database, clock, upstairs);
    await world.start();
    return world;
  }

  /** The service at the current address. */
  get service(): SimulatedService {
    return this.services[this.#hasMoved ? 1 : 0];
  }

  /** Answers what a person sees; if the process was killed meanwhile, after a restart. */
  async seen<T>(look: () => Promise<T>): Promise<T> {
    for (;;) {
      if (!this.isAlive) {
        await this.kill(1_000);
        await this.clock.advance(1_000);
      }
      const died = Symbol('died');
      const answer = await Promise.race([look(), this.died.then(() => died)]);
      if (answer !== died) return answer as T;
    }
  }

  /** Collects errors: one thrown within a request would count as a failure of that request. */
  #lookAtReplaces(): void {
    try {
      this.#watch.look();
    } catch (cause) {
      this.problems.push(cause);
    }
  }

  /** Kills the process as SIGKILL does, and restarts it after `awayMs` of sleep. */
  async kill(awayMs: number): Promise<void> {
    this.#reads = [];
    for (const service of this.services) Object.assign(service, { bodiesInFlight: 0, inFlight: 0 });
    await this.stop();
    this.clock.sleep(awayMs);
    await this.start();
    await this.clock.advance(0);
  }

  /**
   * A person changes the service to its second address and confirms that everything open is cancelled.
   * @param isKilled the process is killed just after the address was written
   */
  async move(isKilled: boolean): Promise<void> {
    const { processingMs, answerMs, deletionMs, deletionKind } = this.service;
    const cancel = () => this.settle(this.engine.actions.cancel({ kind: 'service', serviceId }));
    await cancel();
    this.#hasMoved = true;
    Object.assign(this.service, { processingMs, answerMs, deletionMs, deletionKind });
    this.setWeather({ kind: 'fine' });
    if (isKilled) await this.kill(0);
    else await cancel();
    // After a restart these cancellations are queued like other checks.
    await this.clock.advance(isKilled ? 60_000 : 0);
    assert.equal(await this.unfinished(), 0, `something stays behind: ${await this.describeOpen()}`);
  }

  /** A person retries a transfer at the current address. */
  async retry(id: number): Promise<void> {
    await this.settle(this.engine.actions.retry({ kind: 'ids', ids: [id] }));
    await this.#mayStoreFile(id);
  }

  async #mayStoreFile(id: number): Promise<void> {
    const [record] = await this.database.transfers.getMany([id]);
    if (record?.work.kind !== 'upload') return;
    // An undo stores the replaced version at the current address.
    const texts =
      record.work.path === ''
        ? this.services
            .flatMap(({ versions }) => versions.get(record.identifier) ?? [])
            .map(({ text }) => text)
        : [await readFile(record.work.path, 'utf8')];
    const { classification, classificationChosen, path } = record.work;
    for (const text of texts) {
      if (!classificationChosen) this.#mayStore(record.origin, text, notChosen);
      if (classificationChosen || path === '') this.#mayStore(record.origin, text, classification);
    }
  }

  async keepOnService(id: number): Promise<void> {
    await this.settle(this.engine.actions.keepOnService(id));
    await this.#mayStoreFile(id);
  }

  #mayStore(origin: string, text: string, classification: string | null | typeof notChosen): void {
    const key = `${origin} ${text}`;
    this.#mayBeStored.set(key, (this.#mayBeStored.get(key) ?? new Set()).add(classification));
  }

  #say(kind: Word['kind'], identifier: string, text = ''): void {
    this.words.push({ kind, identifier, text, atMs: this.clock.trueMs(), origin: this.service.origin });
  }

  setWeather(weather: Weather): void {
    this.service.weather = weather;
    if (weather.kind === 'fine') this.tellReady();
  }

  async upload(
    identifier: string,
    options: {
      ifExists?: IfExists;
      route?: RequestKind;
      text?: string;
      sizeBytes?: number;
      /** The classification chosen by the person; absent: none chosen. */
      classification?: string | null;
    } = {},
  ): Promise<void> {
    const { ifExists = 'ask', route = 'direct', sizeBytes: wanted = 0, classification } = options;
    this.#count += 1;
    const text =
      options.text ?? `upload ${this.#count} of ${identifier}`.padEnd(wanted, `${this.#count % 3},`);
    const path = join(this.folder, `f${this.#count}`);
    await writeFile(path, text);
    await utimes(path, 1_700_000_000, 1_700_000_000);
    const { size: sizeBytes, mtimeMs } = await stat(path);
    const item = {
      path,
      fileName: `f${this.#count}`,
      identifier,
      sizeBytes,
      mtimeMs,
      classification: classification ?? null,
      classificationChosen: classification !== undefined,
      ifExists,
    };
    await this.engine.enqueue.uploads(serviceId, [item], route);
    this.#say('upload', identifier, text);
    this.#mayStore(this.service.origin, text, classification === undefined ? notChosen : classification);
  }

  /** Stores a version after the newest one, as another client does. */
  storeVersionAsStranger(base: string, number: number): void {
    let next = 1;
    while (this.service.get(versionIdentifier(base, '/', versionMarkDefault, next)) !== undefined) next += 1;
    const identifier = versionIdentifier(base, '/', versionMarkDefault, next);
    this.service.put(identifier, Buffer.from(`a stranger's ${number}`), 'stranger');
  }

  /** Changes the classification of what is stored there. */
  async reclassify(identifier: string, classification: string | null): Promise<void> {
    const row = await this.rowOf(identifier);
    if (!row) return;
    const ids = await this.engine.enqueue.reclassify(serviceId, [row.id], classification);
    if (ids.length === 0) return;
    this.#mayStoreAny(identifier, classification);
    this.#say('upload', identifier);
  }

  /** Whatever is at the service may be stored there, with this classification. */
  #mayStoreAny(identifier: string, classification: string | null): void {
    const key = `${this.service.origin} ${identifier}`;
    this.#storedAgain.set(key, (this.#storedAgain.get(key) ?? new Set()).add(classification));
  }

  /** Stores what is there under another identifier, then deletes it. */
  async rename(identifier: string, to: string): Promise<void> {
    const row = await this.rowOf(identifier);
    if (!row) return;
    const [id] = await this.engine.enqueue.move(serviceId, new Map([[row.id, to]]));
    if (id === undefined) return;
    this.#mayStoreAny(to, row.classification);
    this.#say('upload', to);
    this.#say('delete', identifier);
  }

  /** Undoes the last Replace of the identifier. */
  async undo(identifier: string): Promise<void> {
    const versions = await this.kept.ofObject(serviceId, identifier);
    const version = versions.find(({ origin }) => origin === this.service.origin);
    if (!version) return;
    await this.engine.enqueue.undo(version);
    this.mayStoreAgain(identifier);
    this.#say('upload', identifier);
  }

  /** Allows everything that was ever stored there to be stored again, whoever stored it. */
  mayStoreAgain(identifier: string): void {
    const { origin, versions } = this.service;
    for (const { text, classification } of versions.get(identifier) ?? []) {
      this.#mayStore(origin, text, classification);
      // A version made current takes the classification of the newest one.
      if (classification === null) this.#mayStore(origin, text, notChosen);
    }
  }

  async rowOf(identifier: string, kind: 'data' | 'secret' = 'data') {
    return (await this.database.catalogue.findByIdentifiers(serviceId, kind, [identifier])).get(identifier);
  }

  async know(identifier: string): Promise<number> {
    const bytes = this.service.get(identifier);
    const patch = { state: 'stored', lengthBytes: bytes?.length ?? null } as const;
    const [row] = await this.database.catalogue.add(serviceId, [{ kind: 'data', identifier, patch }]);
    return row?.record.id ?? 0;
  }

  async download(identifier: string, route: RequestKind = 'direct'): Promise<void> {
    const id = await this.know(identifier);
    await this.engine.enqueue.downloads(serviceId, [id], { saveAsPath: null, route });
    this.#say('download', identifier);
  }

  async delete(identifier: string): Promise<void> {
    const row = await this.rowOf(identifier);
    if (!row) return;
    const [id] = await this.engine.enqueue.deletions(serviceId, [row.id]);
    if (id !== undefined) this.#say('delete', identifier);
  }

  async storeSecret(): Promise<void> {
    const identifier = `secret/${(this.#count += 1)}`;
    const value = Buffer.from(`the value of ${identifier}`);
    await this.engine.enqueue.storeSecret(serviceId, {
      identifier,
      classification: null,
      value,
      sourceName: null,
    });
    this.#say('storeSecret', identifier);
  }

  async readSecret(): Promise<void> {
    const identifier = `known/${(this.#count += 1)}`;
    this.service.secrets.set(identifier, Buffer.from(`the value of ${identifier}`));
    const [row] = await this.database.catalogue.add(serviceId, [
      { kind: 'secret', identifier, patch: { state: 'stored' } },
    ]);
    const before = (await this.jobs()).length;
    const read = this.engine.readSecret(row?.record.id ?? 0, new AbortController().signal).then(
      (value) => assert.equal(Buffer.from(value).toString(), `the value of ${identifier}`),
      () => undefined,
    );
    this.#reads.push(read);
    for (let round = 0; (await this.jobs()).length === before && round < 100; round += 1)
      await setImmediate();
    this.#say('readSecret', identifier);
  }

  /** Describes the records that have not ended, for failure messages. */
  async describeOpen(): Promise<string> {
    const all = await this.database.transfers.getMany(Array.from({ length: 200 }, (_, index) => index + 1));
    const open = all.filter((record) => !isFinished(record));
    const { paused } = (await this.engine.page({ tab: 'transfers', offset: 0, limit: 1 })).summary;
    const breaker = this.engine.breakers.of(serviceId);
    return JSON.stringify({
      paused,
      breaker: breaker.state(),
      trouble: breaker.trouble(),
      open: open.slice(0, 3),
    });
  }

  async unfinished(): Promise<number> {
    return this.database.transfers.unfinished(serviceId);
  }

  /** Runs until there is nothing left to do, and answers all prompts. */
  async finish(): Promise<void> {
    for (let minutes = 0; minutes < 200 && (await this.unfinished()) > 0; minutes += 1) {
      await this.answer('keepBoth', true);
      await this.clock.advance(minutes < 5 ? 10_000 : 60_000);
      await setTimeout(1);
    }
  }

  async answer(answer: Answer, applyToAll: boolean): Promise<void> {
    const question = await this.settle(this.engine.question(null));
    if (!question) return;
    const { transferId } = question;
    await this.settle(this.engine.actions.answer({ transferId, answer, applyToAll }));
  }

  /** Checks the invariants that hold at any time. */
  async look(): Promise<void> {
    assert.deepEqual(this.problems, []);
    for (const service of this.services) {
      const { maxBodies } = service;
      // One manifest may be read in addition to the files.
      assert.ok(maxBodies <= this.settings.transfersAtOnce + 1, `${maxBodies} files at once`);
      this.#lookAtOrigin(service);
      this.#lookAtDeletions(service);
      this.#lookAtVersions(service);
      this.#lookAtParts(service);
      this.#lookAtClassifications(service);
    }
    await this.#lookAtFiles();
    await this.#lookAtList();
  }

  /** Promise 4: no request and no token goes to an address other than the one it was meant for. */
  #lookAtOrigin({ requests, versions, origin: here, token: own }: SimulatedService): void {
    for (const { origin, token } of requests) assert.equal(`${origin} ${token}`, `${here} ${own}`);
    for (const [identifier, stored] of versions)
      // The copy of a stranger's version that a Replace keeps beside the object.
      for (const { by, text } of stored)
        assert.ok(
          by !== 'us' ||
            identifier.includes('~o-') ||
            this.#isStoredAgain(here, identifier) !== undefined ||
            this.#matches(here, identifier, text),
          `${text} was not meant for ${here}`,
        );
  }

  /** The classifications that were asked for what is stored there, or of what this is the copy beside it. */
  #isStoredAgain(here: string, identifier: string): ReadonlySet<string | null> | undefined {
    return this.#storedAgain.get(`${here} ${identifier.replace(/~r-[0-9a-f]+$/, '')}`);
  }

  /** Whether the text is a file that may be stored, its manifest, or one of its chunks. */
  #matches(here: string, identifier: string, text: string): boolean {
    if (this.#mayBeStored.has(`${here} ${text}`)) return true;
    const meant = [...this.#mayBeStored.keys()].flatMap((each) =>
      each.startsWith(`${here} `) ? [each.slice(here.length + 1)] : [],
    );
    if (isChunkId(identifier)) return meant.some((each) => each.includes(text));
    const list = listIn(text);
    return meant.some((each) => createHash('sha256').update(each).digest('hex') === list?.sha256);
  }

  /**
   * A manifest that we stored never exists without all its chunks, unless a stranger deletes some; and the name of a chunk holds
   * that chunk.
   */
  #lookAtParts(service: SimulatedService): void {
    service.settle();
    for (const [identifier, stored] of service.versions) {
      const last = stored.at(-1);
      if (last?.untilMs !== Infinity) continue;
      for (const { id, sha256 } of listIn(last.text)?.parts ?? []) {
        const part = service.get(id);
        assert.ok(part, `${identifier} is there, and its part ${id} is not`);
        assert.equal(createHash('sha256').update(part).digest('hex'), sha256);
      }
    }
  }

  /**
   * Everything that we stored has the classification chosen for it, or that of the version it replaces or follows; so have all chunks
   * of a file. A restored version of a stranger may have any, since its own is unknown.
   */
  #lookAtClassifications(service: SimulatedService): void {
    const { versions } = service;
    const theirs = new Set(
      [...versions.values()].flat().flatMap(({ by, text }) => (by === 'us' ? [] : [text])),
    );
    for (const [identifier, stored] of versions) {
      const last = stored.at(-1);
      if (last?.by !== 'us' || last.untilMs !== Infinity || isChunkId(identifier)) continue;
      if (identifier.includes('~o-')) continue;
      const list = listIn(last.text);
      for (const { id } of list ? [{ id: identifier }, ...list.parts] : [])
        assert.equal(service.classificationOf(id), list?.classification, `the classification of ${id}`);
      assert.ok(
        theirs.has(last.text) || this.#mayHave(service, identifier),
        `nobody asked for ${identifier} to be ${last.classification}: ${this.#tell(identifier)}`,
      );
    }
  }

  /** Whether the stored version may have the classification that it has. */
  #mayHave(service: SimulatedService, identifier: string): boolean {
    const { origin, versions } = service;
    const last = versions.get(identifier)?.at(-1);
    if (last === undefined) return false;
    const { text, classification: is } = last;
    if (this.#isStoredAgain(origin, identifier)?.has(is)) return true;
    const asked = [...this.#mayBeStored].flatMap(([key, classifications]) => {
      if (!key.startsWith(`${origin} `)) return [];
      const wanted = key.slice(origin.length + 1);
      return this.#isWhatLies(text, wanted) ? [...classifications] : [];
    });
    if (asked.includes(is)) return true;
    if (!asked.includes(notChosen)) return false;
    const { base } = versionOf(identifier.replace(/~r-[0-9a-f]+$/, ''), '/', versionMarkDefault);
    const family = [...versions].flatMap(([each, stored]) =>
      versionOf(each, '/', versionMarkDefault).base === base ? stored : [],
    );
    // null stands for the default only if nothing was known to be stored there.
    if (is !== null) return family.some(({ classification }) => classification === is);
    return this.#knownBefore(service, identifier) === null;
  }

  /** The classification, as the list must know it, of the version that the current one replaced or follows. */
  #knownBefore({ versions }: SimulatedService, identifier: string): string | null {
    const stored = versions.get(identifier) ?? [];
    const { base, number } = versionOf(identifier, '/', versionMarkDefault);
    const replaced = stored.at(-2);
    const isDeleted = this.words.some((word) => word.kind === 'delete' && word.identifier === identifier);
    if (replaced) {
      const isOurs = stored.every(({ by, removedBy }) => by === 'us' && removedBy !== 'stranger');
      return isOurs && !isDeleted ? replaced.classification : null;
    }
    const before = versions.get(versionIdentifier(base, '/', versionMarkDefault, number - 1))?.at(-1);
    const fromMs = stored.at(-1)?.fromMs ?? 0;
    const isKnown = before?.by === 'us' && before.untilMs === Infinity && before.fromMs < fromMs;
    return isKnown && number > 1 ? before.classification : null;
  }

  /** Promise 3: a DELETE is carried out at most once for each request of a person, and at the address of that time. */
  #lookAtDeletions({ deletions, origin }: SimulatedService): void {
    const blind = deletions.filter(({ identifier, isSeen }) => !isSeen && !identifier.includes('~'));
    const counts = Map.groupBy(blind, ({ identifier }) => identifier);
    for (const [identifier, { length: carriedOut }] of counts) {
      const words = this.words.filter(
        (word) => word.kind === 'delete' && word.identifier === identifier && word.origin === origin,
      ).length;
      assert.ok(carriedOut <= words, `${carriedOut} deletions of ${identifier} for ${words} words`);
    }
  }

  /** A version is stored only after its predecessor. */
  #lookAtVersions({ versions }: SimulatedService): void {
    for (const [identifier, stored] of versions) {
      const { base, number } = versionOf(identifier, '/', versionMarkDefault);
      if (number === 1 || identifier.includes('~') || !stored.some(({ by }) => by === 'us')) continue;
      const before = versionIdentifier(base, '/', versionMarkDefault, number - 1);
      assert.ok(versions.has(before), `${identifier} was stored, and ${before} never was`);
    }
  }

  /** Promise 2: a published file holds the complete content of its identifier. */
  async #lookAtFiles(): Promise<void> {
    const folder = join(this.folder, 'downloads');
    for (const name of await readdir(folder)) {
      if (name.endsWith('.part')) continue;
      const text = await readFile(join(folder, name), 'utf8');
      const base = name.replace(/ \(\d+\)$/, '');
      const all = this.services
        .flatMap(({ versions }) => [...versions])
        .filter(([identifier]) => identifier.split('/').at(-1) === base);
      assert.ok(
        all.some(([, versions]) => versions.some((version) => this.#isWhatLies(version.text, text))),
        `${name} holds what was never stored under its name: ${text}`,
      );
    }
  }

  /** Whether the stored text is the file itself or its manifest. */
  #isWhatLies(lies: string, text: string): boolean {
    if (lies === text) return true;
    const again = listIn(text)?.sha256;
    return listIn(lies)?.sha256 === (again ?? createHash('sha256').update(text).digest('hex'));
  }

  /** Promise 2: what is reported as done is done. */
  async #lookAtList(): Promise<void> {
    const rows = [...(await this.transfers()), ...(await this.jobs()).filter(({ kind }) => kind === 'data')];
    for (const { state, direction, identifier, outcome } of rows) {
      if (state !== 'done' || outcome?.kind !== 'stored') continue;
      assert.equal(direction, 'upload');
      const versions = this.services.flatMap((service) => service.versions.get(identifier) ?? []);
      assert.ok(
        // A matching digest proves that a stranger's version has the same content.
        versions.some(({ by }) => by === 'us' || outcome.verifiedBy === 'digest'),
        `${identifier} is said to be stored, and never was`,
      );
    }
  }

  /** Ends all faults, and checks that everything finishes and nothing was forgotten. */
  async end(): Promise<void> {
    this.setWeather({ kind: 'fine' });
    this.service.answerMs = 0;
    await this.settle(this.engine.actions.pause('all', false));
    await this.finish();
    assert.equal(await this.unfinished(), 0, `not everything came to its end: ${await this.describeOpen()}`);
    await this.look();
    const listed = [...(await this.transfers()), ...(await this.jobs())].map(({ id }) => id);
    const records = await this.database.transfers.getMany(listed);
    const words = this.words.filter(({ kind }) => kind !== 'delete').length;
    assert.equal(records.filter(isAsked).length, words, 'something was forgotten');
    await this.#lookAtRows();
    await this.#finishTidying();
    const left = (await readdir(join(this.folder, 'downloads'))).filter((name) => name.endsWith('.part'));
    // Deferred uploads, too, may have left complete chunks.
    const failed = [...(await this.transfers()), ...(await this.jobs())].filter(
      ({ direction, state }) => direction === 'download' && state === 'failed',
    );
    assert.ok(left.length <= failed.length, `${left.join()} are left behind`);
  }

  /**
   * In the end every chunk of ours is named by a manifest, except those of uploads that may be retried, and those whose manifest a
   * stranger has deleted.
   */
  async #finishTidying(): Promise<void> {
    // Clearing the undo copies also deletes the chunks they name.
    await this.settle(this.kept.clear());
    await this.clock.advance(120_000);
    for (let rounds = 0; rounds < 30 && (await this.#areOrphansOpen()); rounds += 1) {
      const uploads = this.engine.leftParts.left(serviceId).map(({ upload }) => upload);
      await this.settle(this.engine.leftParts.removeLeft(serviceId, uploads));
      await this.clock.advance(120_000);
    }
    assert.ok(!(await this.#areOrphansOpen()), 'orphaned parts are not removed');
    const named = new Set<string>();
    for (const stored of this.service.versions.values()) {
      for (const { text, untilMs, removedBy } of stored) {
        const isOut = untilMs !== Infinity && removedBy === 'us';
        if (!isOut) for (const { id } of listIn(text)?.parts ?? []) named.add(id);
      }
    }
    const failed = [...(await this.transfers()), ...(await this.jobs())].filter(
      ({ direction, state }) => direction === 'upload' && (state === 'failed' || state === 'lost'),
    );
    for (const { value } of await this.database.documents.list('parts')) {
      const { transferId, text } = value as { transferId: number; text: string };
      if (failed.some((transfer) => transfer.id === transferId))
        for (const { id } of (JSON.parse(text) as { parts: { id: string }[] }).parts) named.add(id);
    }
    // A failed Undo may be retried: what it restores stays.
    const records = await this.database.transfers.getMany(failed.map((transfer) => transfer.id));
    const restored = records.flatMap(({ work }) =>
      work.kind === 'upload' && work.kept ? work.kept.file : [],
    );
    for (const { value } of await this.database.documents.list('parts-kept')) {
      const { file, text } = value as { file: string; text: string };
      if (restored.includes(file)) for (const { id } of listIn(text)?.parts ?? []) named.add(id);
    }
    for (const [id, stored] of this.service.versions)
      assert.ok(
        !isChunkId(id) || stored.at(-1)?.untilMs !== Infinity || named.has(id),
        `${id} is there, and nobody knows of it: ${this.#tell(id)}`,
      );
  }

  /** Orphans at an earlier address wait until the service is back there. */
  async #areOrphansOpen(): Promise<boolean> {
    const orphaned = await this.database.documents.list('parts-orphaned');
    return orphaned.some(({ value }) => (value as { origin: string }).origin === this.service.origin);
  }

  /** Manifests that a Replace keeps beside their objects as undo copies. */
  async #undoManifestNames(): Promise<Set<string>> {
    const [kept, orphaned] = await Promise.all(
      ['parts-kept', 'parts-orphaned'].map((name) => this.database.documents.list(name)),
    );
    return new Set([
      ...(kept ?? []).map(({ value }) => (value as { beside: string }).beside),
      ...(orphaned ?? []).map(({ value }) => (value as { list: string }).list),
    ]);
  }

  /** The history of an identifier, for failure messages. */
  #tell(id: string): string {
    const { requests } = this.service;
    const own = requests.filter(({ identifier }) => identifier === id || id.startsWith(`${identifier}~p-`));
    return own.map(({ atMs, what, identifier }) => `${Math.round(atMs)} ${what} ${identifier}`).join(', ');
  }

  /** Promise 3: everything of ours that is stored is on the list, and nothing deleted is listed as stored. */
  async #lookAtRows(): Promise<void> {
    const besides = await this.#undoManifestNames();
    for (const [identifier, versions] of this.service.versions) {
      const last = versions.at(-1);
      // Chunks are not on the list.
      if (last?.by !== 'us' || isChunkId(identifier) || besides.has(identifier)) continue;
      // A Replace that failed half-way has recorded what it stored there.
      if (this.#watch.describe().some((body) => body.includes(`"${identifier}"`))) continue;
      const row = await this.rowOf(identifier);
      if (last.untilMs === Infinity) {
        assert.ok(row, `${identifier} is stored by us, and the list has forgotten it`);
        const is = JSON.stringify(row.state);
        assert.ok(
          ['stored', 'unknown', 'deleting'].includes(row.state),
          `${identifier} is stored, and the list says ${is}`,
        );
        // Of the same bytes asked for with two, nobody can say which of the uploads arrived, and what was never known to be stored by
        // us, is not known by its digest, or was before the service moved, may lie there with any.
        const isSure =
          this.#mayBeStored.get(`${this.service.origin} ${last.text}`)?.size === 1 && !this.#hasMoved;
        if (row.state === 'stored' && row.storedAtMs !== null && row.sha256 !== null && isSure)
          assert.equal(row.classification, last.classification, `the list's classification of ${identifier}`);
      } else if (row) {
        const isOurWord = last.removedBy === 'us';
        if (isOurWord)
          assert.notEqual(row.state, 'stored', `${identifier} was deleted, and the list says stored`);
      }
    }
    for (const { state, identifier } of await this.database.allRows()) {
      assert.ok(state !== 'uploading' && state !== 'deleting', `${identifier} is ${state} for ever`);
    }
  }

  async leave(): Promise<void> {
    await this.close();
    await Promise.all(this.#reads);
    await rm(this.folder, { recursive: true, force: true });
  }
}
