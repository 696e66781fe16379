import { createHash } from 'node:crypto';
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { isUnverified } from '../../../src/shared/domain/unverified.ts';
import { createRandom } from '../../random.ts';
import { createServiceClock, type ServiceClock } from '../../../src/main/service/service-clock.ts';
import { openTeamCopy, type OpenTeamCopy } from '../objects/team-copy.ts';
import { disagreementsOf, type Seeing, type Sight } from './disagreements.ts';
import { syncOnce, type Faults, type Writes } from './team-lane.ts';
import { changing, type Installation, type WorldTeam } from './world-team.ts';

const identifiers = Array.from({ length: 10 }, (_, at) => `object ${String(at)}`);
const classifications = [null, null, 'Internal', 'Secret'];

interface Stored {
  readonly lengthBytes: number;
  readonly sha256: string;
}

const dayMs = 24 * 60 * 60 * 1000;
/** How far clocks of computers are ahead, in ms. The service's clock makes up for less than a day. */
const wrongMs = [0, 0, 0, 90_000, -90_000];
const brokenMs = [0, 0, 30 * dayMs, -30 * dayMs, 365 * dayMs, -365 * dayMs];

interface Computer extends Installation, Seeing {
  readonly aheadMs: number;
  copy: OpenTeamCopy;
  /** As known to this process. */
  clock: ServiceClock;
  sights: Map<string, Sight>;
  readonly takenOff: Set<string>;
  /** A copy of the data folder, with the looks until then. */
  saved: { readonly path: string; readonly sights: Map<string, Sight> } | null;
}

/** Two to five computers of a team around one service; everything but the server's own clock follows from the seed. */
export class TeamWorld {
  readonly #team: WorldTeam;
  readonly #random: () => number;
  readonly #folder = mkdtempSync(join(tmpdir(), 'coffer-team-world-'));
  readonly #service = new Map<string, Stored>();
  readonly #computers: Computer[] = [];
  /** Starts yesterday: the server sets moments in its future back to its present, as it does for clocks that are far ahead. */
  #nowMs = Math.floor(Date.now() / dayMs - 1) * dayMs;
  #count = 0;
  #isServerSaved = false;
  /** Pushes under way, of processes that have ended. */
  readonly #late: (() => Promise<unknown>)[] = [];
  readonly #stopsAt: Set<number>;
  readonly #writes: Writes;

  private constructor(team: WorldTeam, seed: number, stopsAt: number) {
    this.#team = team;
    this.#random = createRandom(seed);
    this.#stopsAt = new Set([stopsAt]);
    this.#writes = { count: 0, stopsAt: this.#stopsAt };
  }

  /** @param stopsAt kills a session's process before the end of this transaction; 0: none */
  static async begin(team: WorldTeam, seed: number, stopsAt: number): Promise<TeamWorld> {
    const world = new TeamWorld(team, seed, stopsAt);
    await team.empty();
    // At most one: computers with a right clock tell again what others have seen.
    const broken = Math.floor(world.#random() * team.installations.length);
    const count = 2 + Math.floor(world.#random() * (team.installations.length - 1));
    const left = [...team.installations];
    for (let at = 0; at < count; at += 1) {
      const [installation] = left.splice(Math.floor(world.#random() * left.length), 1);
      if (installation === undefined) break;
      const path = world.#newPath();
      copyFileSync(team.emptyList, path);
      const aheadMs = world.#oneOf(at === broken ? brokenMs : wrongMs);
      const time = { aheadMs, clock: createServiceClock() };
      const copy = await world.#open(path, time);
      await copy.join({ me: installation.member.id, list: team.list });
      const known = { copy, sights: new Map(), takenOff: new Set<string>(), saved: null };
      world.#computers.push(Object.assign(time, installation, known));
    }
    return world;
  }

  end(): void {
    for (const { copy } of this.#computers) copy.close();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  async step(): Promise<void> {
    this.#nowMs += 1 + Math.floor(this.#random() * 60_000);
    const computer = this.#oneOf(this.#computers);
    const identifier = this.#oneOf(identifiers);
    const dice = this.#random();
    if (dice < 0.2) await this.#store(computer, identifier);
    else if (dice < 0.35) await this.#delete(computer, identifier);
    else if (dice < 0.5) await this.#look(computer, identifier);
    else if (dice < 0.55) await this.#download(computer, identifier);
    else if (dice < 0.65) await this.#write(computer, identifier);
    else if (dice < 0.7) await this.#forget(computer, identifier);
    else if (dice < 0.73) this.#save(computer);
    else if (dice < 0.75) await this.#putBack(computer);
    else if (dice < 0.77) await this.#saveServer();
    else if (dice < 0.78) await this.#setServerBack();
    else if (dice < 0.785) await this.#team.compare();
    else if (dice < 0.8) await this.#arrive();
    else await this.#sync(computer, this.#faults());
  }

  /** Transactions of sessions so far. */
  get writes(): number {
    return this.#writes.count;
  }

  /** Synchronises everybody until there is nothing more to tell. */
  async settle(): Promise<void> {
    while (this.#late.length > 0) await this.#arrive();
    for (let round = 0; round < 4; round += 1) {
      for (const computer of this.#computers) await this.#sync(computer, {});
    }
  }

  async checkAll(): Promise<void> {
    // Later than anything that the server has set back to its present.
    this.#nowMs = Date.now() + 10_000;
    for (const identifier of identifiers) {
      for (const computer of this.#computers) {
        this.#nowMs += 1;
        await this.#look(computer, identifier);
      }
    }
  }

  /** Differences of copies from the server, or from what was seen there. */
  async disagreements(): Promise<unknown[]> {
    const found = await Promise.all(this.#computers.map((each) => disagreementsOf(each, identifiers)));
    return found.flat();
  }

  /** Differences of copies from the service. */
  async untruths(): Promise<unknown[]> {
    return this.#computers.flatMap(({ copy, name: who }) =>
      identifiers.flatMap((identifier): object[] => {
        const [local, truth] = [copy.row(identifier), this.#service.get(identifier)];
        if (local === null) return truth === undefined ? [] : [{ who, identifier, truth }];
        const isTrue =
          (local.state === 'stored') === (truth !== undefined) &&
          (truth === undefined || local.lengthBytes === truth.lengthBytes);
        return isTrue ? [] : [{ who, identifier, local, truth }];
      }),
    );
  }

  async #store(computer: Computer, identifier: string): Promise<void> {
    if (this.#service.has(identifier)) return this.#look(computer, identifier);
    this.#count += 1;
    const lengthBytes = 1 + Math.floor(this.#random() * 3);
    const sha256 = createHash('sha256').update(String(this.#count)).digest('hex');
    const classification = this.#oneOf(classifications);
    this.#hear(computer);
    this.#service.set(identifier, { lengthBytes, sha256 });
    await computer.copy.upload(identifier, {
      lengthBytes,
      sha256,
      ...(classification && { classification }),
    });
    this.#saw(computer, identifier, true);
  }

  async #delete(computer: Computer, identifier: string): Promise<void> {
    const { copy } = computer;
    this.#hear(computer);
    if (copy.row(identifier) === null || !(await copy.delete(identifier))) return;
    this.#service.delete(identifier);
    this.#saw(computer, identifier, false);
  }

  async #look(computer: Computer, identifier: string): Promise<void> {
    const { copy } = computer;
    const [row, there] = [copy.row(identifier), this.#service.get(identifier)];
    if (row === null && there === undefined) return;
    this.#hear(computer);
    await copy.check(
      identifier,
      there === undefined ? { present: false } : { present: true, lengthBytes: there.lengthBytes },
    );
    // A known deletion keeps its moment: another look that finds nothing leaves no trace.
    const isNoted = there !== undefined || row?.state !== 'gone' || isUnverified(row, 'presence');
    if (isNoted) this.#saw(computer, identifier, there !== undefined);
  }

  async #download(computer: Computer, identifier: string): Promise<void> {
    const there = this.#service.get(identifier);
    if (computer.copy.row(identifier) === null || there === undefined) return;
    this.#hear(computer);
    await computer.copy.download(identifier, there);
    this.#saw(computer, identifier, true);
  }

  async #write({ copy }: Computer, identifier: string): Promise<void> {
    if (copy.row(identifier) === null) return;
    this.#count += 1;
    await copy.type(identifier, this.#random() < 0.2 ? '' : `note ${String(this.#count)}`);
  }

  async #forget({ copy, sights, takenOff }: Computer, identifier: string): Promise<void> {
    const row = copy.row(identifier);
    if (row?.state !== 'gone' && row?.state !== 'missing') return;
    await copy.remove(identifier);
    takenOff.add(identifier);
    sights.delete(identifier);
  }

  #save(computer: Computer): void {
    const path = this.#newPath();
    computer.copy.db.exec(`VACUUM INTO '${path}'`);
    computer.saved = { path, sights: new Map(computer.sights) };
  }

  async #putBack(computer: Computer): Promise<void> {
    if (computer.saved === null) return;
    const { path, sights } = computer.saved;
    computer.copy.close();
    computer.clock = createServiceClock();
    computer.copy = await this.#open(path, computer);
    computer.sights = new Map(sights);
    computer.saved = null;
  }

  async #saveServer(): Promise<void> {
    await this.#team.save();
    this.#isServerSaved = true;
  }

  /** Like restoring a backup. */
  async #setServerBack(): Promise<void> {
    if (!this.#isServerSaved) return;
    await this.#team.putBack();
    // The later look that overruled an own one may be lost, and the overruled computer does not tell its own again.
    for (const { sights } of this.#computers)
      for (const [identifier, { isOverruled }] of sights) if (isOverruled) sights.delete(identifier);
  }

  async #sync(computer: Computer, faults: Faults): Promise<void> {
    const { copy, sights } = computer;
    await syncOnce(copy, computer, faults, this.#writes);
    for (const [identifier, sight] of sights) {
      const row = copy.row(identifier);
      const isOverruled =
        row !== null && isUnverified(row, 'presence') && (row.checkedAtMs ?? 0) >= sight.atMs;
      if (isOverruled) sights.set(identifier, { ...sight, isOverruled });
    }
  }

  #faults(): Faults {
    const dice = this.#random();
    if (dice < 0.15) return { killedBefore: 'push' };
    if (dice < 0.3) return { killedBefore: 'answer' };
    if (dice < 0.4) return { killedBefore: 'page' };
    if (dice < 0.5) return { onLate: (arrive) => this.#late.push(arrive) };
    if (dice < 0.65) {
      const bytes = Math.floor(2 ** (this.#random() * 15));
      return { cut: { direction: this.#oneOf(['up', 'down']), bytes, how: this.#oneOf(['close', 'reset']) } };
    }
    const pageRows = 1 + Math.floor(this.#random() * 5);
    if (dice < 0.77) {
      const call = 1 + Math.floor(this.#random() * 6);
      return {
        pageRows,
        crash: { call, at: this.#oneOf([null, ...changing]), isOfAll: this.#random() < 0.3 },
      };
    }
    if (dice < 0.85) this.#stopsAt.add(this.#writes.count + 1 + Math.floor(this.#random() * 8));
    return { pageRows };
  }

  /** Delivers a push that was under way, whatever has happened since. */
  async #arrive(): Promise<void> {
    const [arrive] = this.#late.splice(Math.floor(this.#random() * this.#late.length), 1);
    await arrive?.();
  }

  /** The service answers with its time, in whole seconds. */
  #hear({ clock, aheadMs }: Computer): void {
    clock.learn({ date: new Date(this.#nowMs).toUTCString() }, this.#nowMs + aheadMs, 0);
  }

  #saw({ copy, sights }: Computer, identifier: string, isThere: boolean): void {
    // The server takes no later moments.
    const atMs = Math.min(copy.row(identifier)?.checkedAtMs ?? copy.nowMs, Date.now());
    sights.set(identifier, { atMs, isThere, isOverruled: false });
  }

  #newPath(): string {
    this.#count += 1;
    return join(this.#folder, String(this.#count));
  }

  #open(path: string, time: Pick<Computer, 'aheadMs' | 'clock'>): Promise<OpenTeamCopy> {
    const db = new DatabaseSync(path);
    db.exec('PRAGMA journal_mode = WAL');
    return openTeamCopy(() => time.clock.momentOf(this.#nowMs + time.aheadMs), db);
  }

  #oneOf<T>(all: readonly T[]): T {
    return all[Math.floor(this.#random() * all.length)] as T;
  }
}
