import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout } from 'node:timers/promises';
import { isJobFinished, type Job } from '../../../shared/domain/job.ts';
import { LocalCatalogue } from '../../catalogue/local-catalogue.ts';
import { LocalDocuments } from '../../catalogue/documents.ts';
import { migrate, migrations } from '../../catalogue/migrations.ts';
import type { IfExists } from '../../../shared/domain/profile.ts';
import type { Log } from '../../ports.ts';
import { createPacer } from '../../transfers/pacing.ts';
import { createJobs, type Jobs } from '../jobs.ts';
import { connectTo, profileId } from './connect.ts';
import { createSimulatedService, type SimulatedService, type Weather } from './simulated-service.ts';
import { createVirtualClock, type VirtualClock } from './virtual-clock.ts';

export const jobRequestsPerSecond = 4;
/** So long nothing may go wrong without a result being fetched that is there. */
const fetchedWithinMs = 180_000;

/** Jobs over a simulated service in virtual time, with everything watched that must never happen. */
export class World {
  readonly clock: VirtualClock;
  readonly service: SimulatedService;
  jobs: Jobs;
  readonly problems: unknown[] = [];
  /** The values that were read, and what was asked of whom. */
  readonly reads: { identifier: string; result: Promise<Uint8Array | null> }[] = [];
  readonly warnings: { identifier: string; leftMs: number }[] = [];
  readonly folder: string;
  readonly #db: DatabaseSync;
  readonly catalogue: LocalCatalogue;
  readonly #documents: LocalDocuments;
  readonly #connections: ReturnType<typeof connectTo>;
  readonly #log: Log;
  readonly #fine: { fromMs: number; toMs: number }[];
  readonly #removed = new Set<string>();
  #enqueued = 0;
  #wallWasSet = false;
  /** Over a restart nobody can tell a wrong clock from time. */
  #lostTrack = false;

  private constructor(folder: string, db: DatabaseSync, window: 'fixed' | 'sliding') {
    this.clock = createVirtualClock();
    this.service = createSimulatedService(this.clock, window);
    this.folder = folder;
    this.#db = db;
    this.#documents = new LocalDocuments(db);
    this.catalogue = new LocalCatalogue(
      db,
      () => this.clock.nowMs(),
      () => undefined,
    );
    this.#connections = connectTo(this.service.client, join(folder, 'downloads'));
    const note = (message: string, details?: object) => this.problems.push({ message, ...details });
    this.#log = { info: () => undefined, warn: note, error: note };
    this.#fine = [{ fromMs: this.clock.trueMs(), toMs: Infinity }];
    this.jobs = undefined as unknown as Jobs;
  }

  static async begin(window: 'fixed' | 'sliding'): Promise<World> {
    const folder = await mkdtemp(join(tmpdir(), 'coffer-world-'));
    const db = new DatabaseSync(':memory:');
    await migrate(db, migrations, async () => undefined);
    const world = new World(folder, db, window);
    world.jobs = await world.#start();
    let quietBodies = 0;
    world.clock.isBusy = () => {
      const { bodies, inFlight } = world.service;
      if (inFlight > 0 || (world.#enqueued > 50 && bodies === quietBodies)) return false;
      const isBusy = world.all().some(({ state }) => state === 'sending' || state === 'fetching');
      if (!isBusy) quietBodies = bodies;
      return isBusy;
    };
    return world;
  }

  async #start(): Promise<Jobs> {
    const jobs = await createJobs({
      catalogue: Object.assign(this.catalogue, { onChanged: () => () => undefined }),
      documents: this.#documents,
      connections: this.#connections,
      pacer: createPacer(this.clock),
      clock: this.clock,
      log: this.#log,
      settings: () => ({ jobRequestsPerSecond, transfersAtOnce: 4 }),
      random: () => 0.5,
    });
    jobs.onClosing(({ identifier, leftMs }) => this.warnings.push({ identifier, leftMs }));
    return jobs;
  }

  #disturb(isFineAgain: boolean): void {
    const last = this.#fine.at(-1);
    if (last && last.toMs === Infinity) last.toMs = this.clock.trueMs();
    if (isFineAgain) this.#fine.push({ fromMs: this.clock.trueMs(), toMs: Infinity });
  }

  all(): Job[] {
    return this.jobs.page({ offset: 0, limit: 10_000, filter: '' }).rows;
  }

  setWeather(weather: Weather): void {
    this.service.weather = weather;
    this.#disturb(weather.kind === 'fine');
    if (weather.kind === 'fine') this.#connections.ready();
  }

  sleep(byMs: number): void {
    this.#disturb(false);
    this.clock.sleep(byMs);
    this.jobs.wake();
    if (this.service.weather.kind === 'fine') this.#disturb(true);
  }

  setWall(byMs: number): void {
    this.#wallWasSet = true;
    this.clock.setWall(byMs);
  }

  async restart(awayMs: number): Promise<void> {
    this.#disturb(false);
    const closed = this.jobs.close();
    await this.clock.advance(0);
    await closed;
    this.clock.sleep(awayMs);
    this.#lostTrack ||= this.#wallWasSet;
    this.jobs = await this.#start();
    if (this.service.weather.kind === 'fine') this.#disturb(true);
  }

  async download(): Promise<void> {
    const identifier = `d/${(this.#enqueued += 1)}`;
    const bytes = Buffer.from(`the bytes of ${identifier}`);
    this.service.objects.set(identifier, bytes);
    const patch = { state: 'stored', lengthBytes: bytes.length } as const;
    const [row] = await this.catalogue.add(profileId, [{ kind: 'data', identifier, patch }]);
    await this.jobs.enqueueDownloads(profileId, [row?.record.id ?? 0]);
  }

  /** Many at once, all of them there. */
  async downloadMany(count: number): Promise<void> {
    const ids: number[] = [];
    for (let index = 0; index < count; index += 1) {
      const identifier = `d/${(this.#enqueued += 1)}`;
      this.service.objects.set(identifier, Buffer.from(`the bytes of ${identifier}`));
      const [row] = await this.catalogue.add(profileId, [
        { kind: 'data', identifier, patch: { state: 'stored' } },
      ]);
      if (row) ids.push(row.record.id);
    }
    await this.jobs.enqueueDownloads(profileId, ids);
  }

  async upload(ifExists: IfExists = 'ask'): Promise<void> {
    const fileName = `u${(this.#enqueued += 1)}`;
    const path = join(this.folder, fileName);
    await writeFile(path, `the bytes of ${fileName}`);
    const { size: sizeBytes, mtimeMs } = await stat(path);
    const item = { path, fileName, identifier: fileName, sizeBytes, mtimeMs, classification: null };
    await this.jobs.enqueueUploads(profileId, [{ ...item, ifExists }]);
  }

  async storeSecret(): Promise<void> {
    const identifier = `s/${(this.#enqueued += 1)}`;
    const value = Buffer.from(`the value of ${identifier}`);
    await this.jobs.storeSecret(profileId, { identifier, classification: null, value, sourceName: null });
  }

  async readSecret(): Promise<void> {
    const identifier = `r/${(this.#enqueued += 1)}`;
    this.service.secrets.set(identifier, Buffer.from(`the value of ${identifier}`));
    const [row] = await this.catalogue.add(profileId, [
      { kind: 'secret', identifier, patch: { state: 'stored' } },
    ]);
    const result = this.jobs.readSecret(row?.record.id ?? 0, new AbortController().signal);
    this.reads.push({ identifier, result: result.catch(() => null) });
  }

  async clear(): Promise<void> {
    for (const { state, identifier } of this.all()) {
      if (state === 'done' || state === 'cancelled') this.#removed.add(identifier);
    }
    await this.jobs.clear('done');
  }

  /** What holds at any time. */
  async look(): Promise<void> {
    const jobs = this.all();
    assert.deepEqual(this.problems, []);
    assert.equal(jobs.length + this.#removed.size, this.#enqueued);
    const journal = new Map(
      (await this.#documents.list('jobs')).map(({ key, value }) => [key, value as Job]),
    );
    for (const job of jobs) {
      const written = journal.get(job.id);
      // What is shown is on the disk; the disk may be a step ahead.
      if (isJobFinished(job.state) && job.state !== 'lost') assert.equal(written?.state, job.state);
      if (job.state === 'lost') this.#lookAtLoss(job);
      if (job.state === 'done') await this.#lookAtDone(job);
    }
    this.#lookAtBudget();
  }

  #lookAtLoss(job: Job): void {
    const last = this.service.lastOf(job.identifier);
    assert.ok(last, `lost without a token: ${JSON.stringify(job)}`);
    // An error that stays past the window says so too, whichever reading is true.
    if (!this.#lostTrack && job.error?.code !== 'serverError')
      assert.ok(last.toMs <= this.clock.trueMs(), `lost too early: ${JSON.stringify(job)}`);
    for (const { fromMs, toMs } of this.#fine) {
      const couldBeHadMs = Math.min(toMs, last.toMs) - Math.max(fromMs, last.fromMs);
      assert.ok(couldBeHadMs < fetchedWithinMs, `lost, but could be had: ${JSON.stringify(job)}`);
    }
  }

  async #lookAtDone({ kind, direction, identifier }: Job): Promise<void> {
    if (kind === 'data' && direction === 'upload') {
      assert.equal(
        Buffer.from(this.service.objects.get(identifier) ?? '').toString(),
        `the bytes of ${identifier}`,
      );
    } else if (kind === 'data') {
      const path = join(this.folder, 'downloads', identifier.slice(2));
      assert.equal(await readFile(path, 'utf8'), `the bytes of ${identifier}`);
      assert.equal(this.service.given.get(identifier), 1);
    } else if (direction === 'upload') {
      assert.ok(this.service.secrets.has(identifier));
    } else {
      assert.equal(this.service.given.get(identifier), 1);
    }
  }

  /** Never more than the budget over ten seconds, and what it may be ahead. */
  #lookAtBudget(): void {
    const { requests } = this.service;
    for (let from = 0, to = 0; to < requests.length; to += 1) {
      while ((requests[to]?.atMs ?? 0) - (requests[from]?.atMs ?? 0) >= 10_000) from += 1;
      assert.ok(to - from + 1 <= 12 * jobRequestsPerSecond, 'over the budget');
    }
  }

  /** Goes on until there is nothing to do any more. */
  async finish(): Promise<void> {
    for (let minutes = 0; minutes < 120 && this.unfinished().length > 0; minutes += 1) {
      await this.clock.advance(60_000);
      // Files that are compared take real time.
      await setTimeout(5);
    }
  }

  /** When nothing is wrong any more, everything comes to its end. */
  async end(): Promise<void> {
    this.setWeather({ kind: 'fine' });
    this.service.answerMs = 0;
    await this.finish();
    assert.deepEqual(this.problems, []);
    assert.deepEqual(this.unfinished(), []);
    await this.look();
    const saved = await readdir(join(this.folder, 'downloads')).catch(() => []);
    assert.deepEqual(
      saved.filter((name) => name.includes('(') || name.endsWith('.part')),
      [],
    );
    const closed = this.jobs.close();
    await this.clock.advance(0);
    await closed;
    for (const { identifier, result } of this.reads) {
      const value = await result;
      if (value) assert.equal(Buffer.from(value).toString(), `the value of ${identifier}`);
    }
  }

  unfinished(): Job[] {
    return this.all().filter(
      ({ state, kind, direction }) =>
        !isJobFinished(state) || (state === 'lost' && kind === 'data' && direction === 'upload'),
    );
  }

  async leave(): Promise<void> {
    this.#db.close();
    await rm(this.folder, { recursive: true, force: true });
  }
}
