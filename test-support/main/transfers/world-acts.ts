import assert from 'node:assert/strict';
import { readFile, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { setImmediate, setTimeout } from 'node:timers/promises';
import {
  versionMarkDefault,
  type Answer,
  type IfExists,
  type RequestKind,
} from '../../../src/shared/domain/service.ts';
import { versionIdentifier } from '../../../src/shared/domain/versions.ts';
import { isFinished } from '../../../src/main/transfers/model/record.ts';
import { deleteObjects } from '../../../src/main/bulk-operations/delete-objects.ts';
import type { RunningTask } from '../../../src/main/bulk-operations/task-list.ts';
import type { LocalDatabase } from '../database/local-database.ts';
import { Installation, limitBytes, type Upstairs } from './installation.ts';
import { Meant, notChosen, type Word } from './meant.ts';
import { createReplaceWatch } from './replace-watch.ts';
import { SimulatedService } from './simulated-service.ts';
import type { Weather } from './weather.ts';
import type { VirtualClock } from './virtual-clock.ts';

export const serviceId = 'p';

/** What a person does with the engine over a simulated service, in virtual time. */
export class WorldActs extends Installation {
  /** One for each address of the service over time. */
  readonly services: readonly [first: SimulatedService, second: SimulatedService];
  readonly problems: unknown[];
  /** What persons asked for. */
  protected readonly meant = new Meant();
  protected readonly watch: ReturnType<typeof createReplaceWatch>;
  protected hasMoved = false;
  #doubt = new AbortController();
  #count = 0;
  reads: Promise<unknown>[] = [];

  protected constructor(
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
    this.watch = createReplaceWatch({ db, services, vaultFolder: join(folder, 'kept'), files });
    for (const service of services) {
      service.beforeRequest = () => this.step();
      service.onRequest = () => {
        this.step();
        this.#lookAtReplaces();
      };
    }
  }

  /** The service at the current address. */
  get service(): SimulatedService {
    return this.services[this.hasMoved ? 1 : 0];
  }

  /** Returns what a person sees; if the process was killed meanwhile, after a restart. */
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
      this.watch.look();
    } catch (cause) {
      this.problems.push(cause);
    }
  }

  /** Kills the process as SIGKILL does, and restarts it after `awayMs` of sleep. */
  async kill(awayMs: number): Promise<void> {
    this.reads = [];
    for (const service of this.services) Object.assign(service, { bodiesInFlight: 0, inFlight: 0 });
    await this.stop();
    this.clock.sleep(awayMs);
    await this.start();
    await this.clock.advance(0);
  }

  /** Ends in good order, and starts again. */
  async reopen(): Promise<void> {
    await this.settle(this.engine.close());
    await this.kill(0);
  }

  /**
   * A person changes the service to its second address and confirms that everything open is cancelled.
   * @param isKilled the process is killed just after the address was written
   */
  async move(isKilled: boolean): Promise<void> {
    const { processingMs, answerMs, deletionMs, deletionKind, limit } = this.service;
    const cancel = () => this.settle(this.engine.actions.cancel({ kind: 'service', serviceId }));
    await cancel();
    this.hasMoved = true;
    Object.assign(this.service, { processingMs, answerMs, deletionMs, deletionKind, limit });
    this.setWeather({ kind: 'fine' });
    if (isKilled) await this.kill(0);
    else await cancel();
    // After a restart these cancellations are queued like other checks.
    await this.clock.advance(isKilled ? 60_000 : 0);
    // A Replace cannot be cancelled while its object is absent. It may have ended in a question before the kill: only a person
    // takes that away.
    const prompt = await this.settle(this.engine.conflictPrompt(null));
    if (isKilled && prompt)
      await this.settle(this.engine.actions.cancel({ kind: 'ids', ids: [prompt.transferId] }));
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
      if (!classificationChosen) this.meant.mayStore(record.origin, text, notChosen);
      if (classificationChosen || path === '') this.meant.mayStore(record.origin, text, classification);
    }
  }

  async keepOnService(id: number): Promise<void> {
    await this.settle(this.engine.actions.keepOnService(id));
    await this.#mayStoreFile(id);
  }

  #say(kind: Word['kind'], identifier: string): void {
    this.meant.words.push({ kind, identifier, origin: this.service.origin });
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
    this.#say('upload', identifier);
    this.meant.mayStore(this.service.origin, text, classification === undefined ? notChosen : classification);
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
    this.meant.mayStoreAny(this.service.origin, identifier, classification);
    this.#say('upload', identifier);
  }

  /** Stores what is there under another identifier, then deletes it. */
  async rename(identifier: string, to: string): Promise<void> {
    const row = await this.rowOf(identifier);
    if (!row) return;
    const [id] = await this.engine.enqueue.move(serviceId, new Map([[row.id, to]]));
    if (id === undefined) return;
    this.meant.mayStoreAny(this.service.origin, to, row.classification);
    this.#say('upload', to);
    this.#say('delete', identifier);
  }

  /** Undoes the last Replace of the identifier. */
  async undo(identifier: string): Promise<void> {
    const versions = await this.undoCopies.ofObject(serviceId, identifier);
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
      this.meant.mayStore(origin, text, classification);
      // A version made current takes the classification of the newest one.
      if (classification === null) this.meant.mayStore(origin, text, notChosen);
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

  /** Deletes as the window does: for a while a person may still undo it, and only then is it their word. */
  async deleteHeld(identifier: string): Promise<void> {
    const row = await this.rowOf(identifier);
    if (!row) return;
    const { signal } = (this.#doubt = new AbortController());
    const { promise: begun, resolve } = Promise.withResolvers<void>();
    const task: RunningTask = {
      signal,
      count: () => undefined,
      countListed: () => undefined,
      noteNotFound: () => undefined,
      undone: () => undefined,
      letGo: () => this.#say('delete', identifier),
    };
    const { engine, database } = this;
    const deps = {
      engine,
      catalogue: database.catalogue,
      connections: { originOf: () => this.service.origin },
      clock: {
        delay: (...how: Parameters<VirtualClock['delay']>) => {
          resolve();
          return this.clock.delay(...how);
        },
      },
    };
    deleteObjects(deps, serviceId, Float64Array.of(row.id), task, { isHeld: true }).then(resolve, resolve);
    await Promise.race([begun, this.died]);
  }

  /** Undoes the last of these deletions, if it is not sent yet. */
  undoDeletion(): void {
    this.#doubt.abort();
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
    const id = row?.record.id ?? 0;
    let isOver = false;
    const read = this.engine.readSecret(id, new AbortController().signal).then(
      (value) => assert.equal(Buffer.from(value).toString(), `the value of ${identifier}`),
      () => undefined,
    );
    this.reads.push(read.finally(() => (isOver = true)));
    for (let round = 0; round < 100 && !isOver && !(await this.engine.overlay([id])).has(id); round += 1)
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
    const prompt = await this.settle(this.engine.conflictPrompt(null));
    if (!prompt) return;
    const { transferId } = prompt;
    await this.settle(this.engine.actions.answer({ transferId, answer, applyToAll }));
  }
}
