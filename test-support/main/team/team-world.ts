import { createHash } from 'node:crypto';
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { isClaimed } from '../../../src/shared/domain/claims.ts';
import { createRandom } from '../../random.ts';
import { openTeamCopy, type OpenTeamCopy } from '../objects/team-copy.ts';
import { readRows, syncOnce, type Faults } from './team-lane.ts';
import type { Installation, WorldTeam } from './world-team.ts';

const identifiers = Array.from({ length: 10 }, (_, at) => `object ${String(at)}`);
const classifications = [null, null, 'Internal', 'Secret'];

interface Stored {
  readonly lengthBytes: number;
  readonly sha256: string;
}

interface Sight {
  readonly atMs: number;
  readonly isThere: boolean;
  /** This computer has heard of a later look: its own is no more than history from then on. */
  readonly isOverruled: boolean;
}

interface Computer extends Installation {
  copy: OpenTeamCopy;
  /** The newest own look at each object. */
  sights: Map<string, Sight>;
  /** A copy of the data folder, with what it knew. */
  saved: { readonly path: string; readonly sights: Map<string, Sight> } | null;
}

/** Two to five computers of a team around one service; all but the server's own clock follows from the seed. */
export class TeamWorld {
  readonly #team: WorldTeam;
  readonly #random: () => number;
  readonly #folder = mkdtempSync(join(tmpdir(), 'coffer-team-world-'));
  readonly #service = new Map<string, Stored>();
  readonly #computers: Computer[] = [];
  /** Long ago: the server sets what lies in its future back to its present. */
  #nowMs = Date.UTC(2026, 0, 1);
  #count = 0;
  #isServerSaved = false;

  private constructor(team: WorldTeam, seed: number) {
    this.#team = team;
    this.#random = createRandom(seed);
  }

  static async begin(team: WorldTeam, seed: number): Promise<TeamWorld> {
    const world = new TeamWorld(team, seed);
    await team.empty();
    const count = 2 + Math.floor(world.#random() * (team.installations.length - 1));
    const left = [...team.installations];
    for (let at = 0; at < count; at += 1) {
      const [installation] = left.splice(Math.floor(world.#random() * left.length), 1);
      if (installation === undefined) break;
      const path = world.#newPath();
      copyFileSync(team.emptyList, path);
      const copy = await world.#open(path);
      await copy.join({ me: installation.member.id, list: team.list });
      world.#computers.push({ ...installation, copy, sights: new Map(), saved: null });
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
    else await this.#sync(computer, this.#faults());
  }

  /** Everybody tells and hears, until there is nothing more to tell. */
  async settle(): Promise<void> {
    for (let round = 0; round < 4; round += 1) {
      for (const computer of this.#computers) await this.#sync(computer, {});
    }
  }

  async lookAtAll(): Promise<void> {
    for (const identifier of identifiers) {
      for (const computer of this.#computers) {
        this.#nowMs += 1;
        await this.#look(computer, identifier);
      }
    }
  }

  /** What a copy says otherwise than the server, or than what was seen there. */
  async disagreements(): Promise<unknown[]> {
    const found: unknown[] = [];
    for (const computer of this.#computers) {
      const { copy, member, name: who, sights } = computer;
      const rows = new Map((await readRows(member)).map((row) => [row.identifier, row]));
      const [shared, refused] = [copy.sharedNames(), copy.refusedNames()];
      // What the server does not take from this person is private, or was taken off this list alone.
      const isAsTold = (identifier: string) => !refused.includes(identifier);
      const visible = [...rows.values()]
        .filter(({ isForgotten }) => !isForgotten)
        .map((row) => row.identifier);
      if (String(shared.filter(isAsTold)) !== String(visible.filter(isAsTold).toSorted()))
        found.push({ who, shared, visible });
      for (const identifier of identifiers) {
        const [local, server] = [copy.row(identifier), rows.get(identifier)];
        // What the server may not hear is known here alone.
        const isTold = shared.includes(identifier) && !refused.includes(identifier);
        const is = local &&
          isTold && {
            state: local.state,
            lengthBytes: local.lengthBytes,
            sha256: local.sha256,
            classification: local.classification,
            note: local.note,
            incarnation: copy.incarnationOf(identifier),
          };
        if (is && server) {
          const { state, note } = server;
          // Who has read other bytes than the server knows keeps them, and does not pass on what others have stored: their memory of it is lost.
          const isReadHere = local.sha256 !== null && !isClaimed(local, 'digest');
          const isReadOtherwise = isReadHere && local.sha256 !== server.sha256;
          const { lengthBytes, sha256, classification, incarnation } = server;
          // Of bytes that were only found the server may not know these: here they may be known, or somebody's word.
          const known = incarnation === null ? is : { lengthBytes: null, sha256: null, classification: null };
          const bytes = {
            lengthBytes: lengthBytes ?? known.lengthBytes,
            sha256: sha256 ?? known.sha256,
            classification: classification ?? known.classification,
            incarnation,
          };
          const says = { ...is, state, note, ...(!isReadOtherwise && bytes) };
          if (JSON.stringify(is) !== JSON.stringify(says))
            found.push({
              who,
              identifier,
              local: { ...is, ...local },
              server,
              sight: sights.get(identifier),
            });
        }
        const sight = sights.get(identifier);
        if (local === null || sight === undefined || local.state === 'failed') continue;
        const isThere = local.state === 'stored';
        const isLater = isClaimed(local, 'presence') && (local.checkedAtMs ?? 0) >= sight.atMs;
        if (isThere !== sight.isThere && !isLater) found.push({ who, identifier, says: local, saw: sight });
      }
      const { due } = (await copy.team.stateOf(copy.serviceId)) ?? {};
      if (due !== 0) found.push({ who, due });
    }
    return found;
  }

  /** What a copy says otherwise than the service. */
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
    if (copy.row(identifier) === null || !(await copy.delete(identifier))) return;
    this.#service.delete(identifier);
    this.#saw(computer, identifier, false);
  }

  async #look(computer: Computer, identifier: string): Promise<void> {
    const { copy } = computer;
    const [row, there] = [copy.row(identifier), this.#service.get(identifier)];
    if (row === null && there === undefined) return;
    await copy.check(
      identifier,
      there === undefined ? { present: false } : { present: true, lengthBytes: there.lengthBytes },
    );
    // What was seen to be deleted keeps that moment: another look that finds nothing leaves no trace.
    const isNoted = there !== undefined || row?.state !== 'gone' || isClaimed(row, 'presence');
    if (isNoted) this.#saw(computer, identifier, there !== undefined);
  }

  async #download(computer: Computer, identifier: string): Promise<void> {
    const there = this.#service.get(identifier);
    if (computer.copy.row(identifier) === null || there === undefined) return;
    await computer.copy.download(identifier, there);
    this.#saw(computer, identifier, true);
  }

  async #write({ copy }: Computer, identifier: string): Promise<void> {
    if (copy.row(identifier) === null) return;
    this.#count += 1;
    await copy.type(identifier, this.#random() < 0.2 ? '' : `note ${String(this.#count)}`);
  }

  async #forget({ copy, sights }: Computer, identifier: string): Promise<void> {
    const row = copy.row(identifier);
    if (row?.state !== 'gone' && row?.state !== 'missing') return;
    await copy.remove(identifier);
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
    computer.copy = await this.#open(path);
    computer.sights = new Map(sights);
    computer.saved = null;
  }

  async #saveServer(): Promise<void> {
    await this.#team.save();
    this.#isServerSaved = true;
  }

  /** As from a backup. */
  async #setServerBack(): Promise<void> {
    if (!this.#isServerSaved) return;
    await this.#team.putBack();
    // The look that had overruled an own one may be lost with its witness, and who was overruled does not tell it again.
    for (const { sights } of this.#computers)
      for (const [identifier, { isOverruled }] of sights) if (isOverruled) sights.delete(identifier);
  }

  async #sync({ copy, server, sights }: Computer, faults: Faults): Promise<void> {
    await syncOnce(copy, server, faults);
    for (const [identifier, sight] of sights) {
      const row = copy.row(identifier);
      const isOverruled = row !== null && isClaimed(row, 'presence') && (row.checkedAtMs ?? 0) >= sight.atMs;
      if (isOverruled) sights.set(identifier, { ...sight, isOverruled });
    }
  }

  #faults(): Faults {
    const dice = this.#random();
    if (dice < 0.15) return { killedBefore: 'push' };
    if (dice < 0.3) return { killedBefore: 'answer' };
    if (dice < 0.4) return { killedBefore: 'page' };
    return { pageRows: 1 + Math.floor(this.#random() * 5) };
  }

  #saw({ sights }: Computer, identifier: string, isThere: boolean): void {
    sights.set(identifier, { atMs: this.#nowMs, isThere, isOverruled: false });
  }

  #newPath(): string {
    this.#count += 1;
    return join(this.#folder, String(this.#count));
  }

  #open(path: string): Promise<OpenTeamCopy> {
    const db = new DatabaseSync(path);
    db.exec('PRAGMA journal_mode = WAL');
    return openTeamCopy(() => this.#nowMs, db);
  }

  #oneOf<T>(all: readonly T[]): T {
    return all[Math.floor(this.#random() * all.length)] as T;
  }
}
