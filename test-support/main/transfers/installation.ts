import { closeFilesBelow, listOpenFilesBelow, requireTracked } from './open-files.ts';
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { versionMarkDefault } from '../../../src/shared/domain/service.ts';
import { settingsDefault, type Settings } from '../../../src/shared/domain/settings.ts';
import type { Transfer } from '../../../src/shared/domain/transfer.ts';
import { open } from '../../../src/main/local-files/fs.ts';
import type { UndoCopies } from '../../../src/main/transfers/undo/undo-copies.ts';
import type { Log } from '../../../src/main/ports.ts';
import type { Connections } from '../../../src/main/connections/connections.ts';
import type { ServiceClient } from '../../../src/main/service/client.ts';
import { createEngine, type Engine } from '../../../src/main/transfers/engine.ts';
import type { LocalDatabase } from '../database/local-database.ts';
import { openTestUndoCopies } from './undo-copies.ts';
import { allOf } from './all-rows.ts';
import { createCuttableFiles, type CuttableFiles } from './power-cut.ts';
import type { SimulatedService } from './simulated-service.ts';
import type { VirtualClock } from './virtual-clock.ts';

/** Larger files are uploaded in parts of half this size. */
export const limitBytes = 4_000;

/** Whether a store call must be durable before anything else is done. */
function isWrite(name: string | symbol): boolean {
  return ['apply', 'takeRow', 'add', 'complete', 'drop', 'release', 'finish'].includes(String(name));
}

export interface Below {
  readonly engine: Engine;
  readonly documents: LocalDatabase['documents'];
  readonly catalogue: LocalDatabase['catalogue'];
  readonly watched: LocalDatabase['watched'];
  readonly connections: Connections;
  readonly clock: VirtualClock;
  readonly folder: string;
  readonly isAlive: () => boolean;
}

/** Components on top of the engine, restarted with it after each kill. */
export type Upstairs = (below: Below) => Promise<void>;

export interface InstallationOptions {
  /** For its undo copies and downloads. */
  readonly folder: string;
  readonly database: LocalDatabase;
  readonly clock: VirtualClock;
  readonly log: Log;
  readonly serviceIds: readonly string[];
  /** The simulated service at the current address of a service. */
  readonly serviceOf: (serviceId: string) => SimulatedService;
  readonly upstairs?: Upstairs | undefined;
  /** Lets the simulated service tell the requests of several installations apart. */
  readonly who?: string;
  /** The version mark set by the person; absent: the default. */
  readonly versionMark?: string | undefined;
  /** Called after each durable write. */
  readonly onWrite?: () => void;
}

/** Coffer on one computer: a database, an engine and its files, which can be killed at any step and restarted. */
export class Installation {
  readonly folder: string;
  readonly clock: VirtualClock;
  readonly warnings: { identifier: string; leftMs: number }[] = [];
  settings: Settings & { transfersAtOnce: number } = { ...settingsDefault, transfersAtOnce: 3 };
  engine: Engine;
  undoCopies: UndoCopies;
  database: LocalDatabase;
  /** Requests, durable writes and changes of undo copies so far. */
  steps = 0;
  /** The step at which everything stops, as on SIGKILL. */
  stopsAt: number | null = null;
  /** null: the disk is not full. */
  freeBytes: number | null = null;
  protected readonly cuttable: CuttableFiles;
  readonly #options: InstallationOptions;
  readonly #ready = new Set<(serviceId: string) => void>();
  #life = { isAlive: true };
  #died = Promise.withResolvers<void>();

  protected constructor(options: InstallationOptions) {
    requireTracked(open);
    this.#options = options;
    this.folder = options.folder;
    this.clock = options.clock;
    this.database = options.database;
    this.engine = undefined as unknown as Engine;
    this.undoCopies = undefined as unknown as UndoCopies;
    this.cuttable = createCuttableFiles(join(options.folder, 'kept'), () => this.#goOn());
  }

  get isAlive(): boolean {
    return this.#life.isAlive;
  }

  /** Resolves when the current process is stopped. */
  get died(): Promise<void> {
    return this.#died.promise;
  }

  /** Counts a request, a durable write or a change of an undo copy. */
  protected step(): void {
    if (!this.#life.isAlive) return;
    this.steps += 1;
    if (this.steps !== this.stopsAt) return;
    this.#life.isAlive = false;
    this.#died.resolve();
  }

  async #goOn(): Promise<void> {
    this.step();
    if (!this.#life.isAlive) await new Promise(() => undefined);
  }

  /** Tells the engine that the services are reachable again. */
  protected tellReady(): void {
    for (const serviceId of this.#options.serviceIds) for (const listener of this.#ready) listener(serviceId);
  }

  protected async start(): Promise<void> {
    const life = { isAlive: true };
    this.#life = life;
    this.#died = Promise.withResolvers();
    const { log, serviceIds, serviceOf, upstairs, who, onWrite, versionMark } = this.#options;
    const { clock, folder } = this;
    const guard = <T extends object>(target: T): T =>
      new Proxy(target, {
        get: (inner, key) => {
          const value: unknown = Reflect.get(inner, key, inner);
          if (typeof value !== 'function') return value;
          return async (...args: unknown[]) => {
            if (isWrite(key)) this.step();
            if (!life.isAlive) return new Promise(() => undefined);
            const answer: unknown = await Reflect.apply(value, inner, args);
            if (isWrite(key)) {
              onWrite?.();
              this.step();
            }
            return life.isAlive ? answer : new Promise(() => undefined);
          };
        },
      });
    const clients = new Map<SimulatedService, ServiceClient>();
    const clientOf = (serviceId: string): ServiceClient => {
      const service = serviceOf(serviceId);
      const client = clients.get(service) ?? service.client(() => life.isAlive, who);
      clients.set(service, client);
      return client;
    };
    const connections: Connections = {
      openFor: async (id) => ({ client: clientOf(id), origin: serviceOf(id).origin }),
      originOf: (id) => serviceOf(id).origin,
      serviceIds: () => [...serviceIds],
      clientOf: async (id) => clientOf(id),
      momentOf: (id, ownMs) => clientOf(id).momentOf(ownMs),
      factsOf: async (id) => ({
        id,
        name: 'Test',
        maxObjectBytes: limitBytes,
        maxSecretBytes: null,
        allowsParts: true,
        identifierTemplate: '{path}',
        separator: '/',
        versionMark: versionMark ?? versionMarkDefault,
        downloadFolder: join(folder, 'downloads'),
        downloadFolderIsDefault: true,
      }),
      report: () => undefined,
      onReady: (listener) => {
        this.#ready.add(listener);
        return () => this.#ready.delete(listener);
      },
    };
    this.undoCopies = await openTestUndoCopies({
      store: guard(this.database.undoStore),
      folder,
      log,
      files: this.cuttable.files,
      freeBytes: async () => this.freeBytes ?? 1e12,
    });
    const catalogue = guard(this.database.catalogue);
    const documents = guard(this.database.documents);
    const watched = guard(this.database.watched);
    const engine = await createEngine({
      undoCopies: this.undoCopies,
      store: guard(this.database.transfers),
      catalogue,
      documents,
      connections,
      clock,
      log,
      settings: () => this.settings,
      random: () => 0.5,
    });
    const isAlive = () => life.isAlive;
    await upstairs?.({ engine, documents, catalogue, watched, connections, clock, folder, isAlive });
    engine.onClosing(({ identifier, leftMs }) => this.warnings.push({ identifier, leftMs }));
    this.engine = engine;
  }

  /** Stops as SIGKILL does: work in progress is abandoned and nothing is closed. */
  protected async stop(): Promise<void> {
    this.#life.isAlive = false;
    this.#died.resolve();
    this.#ready.clear();
    await this.clock.advance(0);
    this.clock.forgetTimers();
    await closeFilesBelow(this.folder);
    await this.cuttable.cut();
  }

  async transfers(): Promise<Transfer[]> {
    return this.#shownBy(allOf(this.engine, 'transfers'));
  }

  async jobs(): Promise<Transfer[]> {
    return this.#shownBy(allOf(this.engine, 'jobs'));
  }

  /** A process that dies while it is asked shows nothing: its answer never comes. */
  async #shownBy(answer: Promise<Transfer[]>): Promise<Transfer[]> {
    return Promise.race([answer, this.died.then(() => [])]);
  }

  /** Advances time until `work` settles. */
  async settle<T>(work: Promise<T>): Promise<T> {
    let isDone = false;
    const done = work.finally(() => (isDone = true));
    done.catch(() => undefined);
    for (let round = 0; !isDone && round < 5_000; round += 1) await this.clock.advance(100);
    assert.ok(isDone, 'what was asked for never ended');
    return work;
  }

  protected async close(): Promise<void> {
    // The write batcher may hold the last writes for a moment.
    await this.settle(this.engine.close());
    assert.deepEqual(listOpenFilesBelow(this.folder), [], 'files stay open');
    await this.database.close();
  }
}
