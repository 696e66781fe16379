import { Person } from './person.ts';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { toAppError } from '../../../../src/shared/app-failure.ts';
import { limitBytes } from '../installation.ts';
import { leastAnswerMs } from '../service-limit.ts';
import { SimulatedService } from '../simulated-service.ts';
import { createVirtualClock } from '../virtual-clock.ts';
import { checkAsNewcomer } from './newcomer.ts';
import {
  createFolderWatch,
  checkDeletions,
  checkDone,
  checkDownloads,
  checkLists,
  type FolderWatch,
  type Checked,
} from './checks.ts';
import { checkRows } from './rows.ts';
import { Wishes } from './wishes.ts';

/** In memory where possible: faster, and it stores dates that disks cannot. */
const root = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();

/** A folder that a person synchronises, by itself or by a command that watches it. */
interface SyncedFolder {
  readonly person: Person;
  /** What a DELETE lacks to follow from an absence in this folder; null: the file was gone for long enough. */
  whatLacks(identifier: string): string | null;
  happen(): Promise<string>;
  /** Ends the command, and whatever is wrong with the folder. */
  end(): void;
  /** Called before its files are removed. */
  leave(): void;
}

/** Several installations over one service and one true time. Checks all invariants throughout. */
export class SharedWorld {
  readonly clock = createVirtualClock();
  readonly service = new SimulatedService(this.clock, 'https://one', 'token-one');
  readonly wishes = new Wishes();
  readonly persons: Person[] = [];
  /** Folders that some of them synchronise. */
  readonly folders: SyncedFolder[] = [];
  /** Broken invariants, each once. */
  readonly faults = new Map<string, string>();
  /** The current event, for fault messages. */
  now = 'begin';
  /** Called before a request is carried out. */
  between: (identifier: string) => void = () => undefined;
  readonly #folder: string;
  readonly #problems: unknown[] = [];
  readonly #watches = new Map<Person, FolderWatch>();

  private constructor(folder: string) {
    this.#folder = folder;
    const { service } = this;
    service.limitBytes = limitBytes;
    service.beforeRequest = (what, identifier, who) => {
      if (what === 'DELETE') this.#lookAtDelete(identifier, who);
      this.#personOf(who)?.noteStep();
      this.between(identifier);
    };
    service.onRequest = (_, __, who) => this.#personOf(who)?.noteStep();
  }

  /** A DELETE follows from a wish of its person, or from the absence of a file in a folder that they synchronise. */
  #lookAtDelete(identifier: string, who: string): void {
    const { service, wishes } = this;
    wishes.noteDeletion(identifier, who);
    const ofFolder = this.folders.find(({ person }) => person.who === who)?.whatLacks(identifier);
    if (ofFolder === null) {
      wishes.noteAbsence(identifier, who);
      return;
    }
    const lacks = wishes.whatLacks(service, who, identifier);
    if (lacks !== null) this.blame(`I2: DELETE of ${identifier} by ${who}: ${ofFolder ?? lacks}`);
  }

  static async begin(): Promise<SharedWorld> {
    return new SharedWorld(await mkdtemp(join(root, 'coffer-shared-')));
  }

  async join(who: string, serviceIds: readonly string[], versionMark?: string): Promise<Person> {
    const { clock, service, wishes } = this;
    const folder = join(this.#folder, who);
    const problems = this.#problems;
    const own = { who, folder, clock: clock.beside(), service, wishes, serviceIds, problems, versionMark };
    const person = await Person.begin(own);
    this.persons.push(person);
    this.#watches.set(person, createFolderWatch(this.#looked, person));
    return person;
  }

  #personOf(who: string): Person | undefined {
    return this.persons.find((person) => person.who === who);
  }

  get #looked(): Checked {
    const { service, wishes, clock } = this;
    return { service, wishes, nowMs: () => clock.trueMs(), blame: (fault) => this.blame(fault) };
  }

  blame(fault: string): void {
    if (!this.faults.has(fault)) this.faults.set(fault, this.now);
  }

  /** Runs an act of a person for a limited time; it may continue in the background, or be killed. Returns the outcome. */
  async attempt(person: Person, work: () => Promise<unknown>): Promise<string> {
    await this.clock.advance(0);
    let came: string | null = null;
    const end = (what: string) => (came ??= what);
    void person.died.then(() => end('killed'));
    work().then(
      () => end('done'),
      (cause: unknown) => {
        const code = toAppError(cause)?.code;
        if (code === undefined && person.isAlive) this.#problems.push(cause);
        end(code ?? 'failed');
      },
    );
    for (let round = 0; came === null && round < 40; round += 1)
      await this.clock.advance(round < 10 ? 10 : 500);
    return came ?? 'goes on';
  }

  /** Makes the service answer again. */
  tellFine(): void {
    for (const person of this.persons) if (person.isAlive) person.hearGoodNews();
  }

  /** Stops watching the undo copies of this person. */
  forgetUndoCopies(person: Person): void {
    this.#watches.get(person)?.forget();
  }

  /** Checks the invariants that hold at any time. */
  async look(): Promise<void> {
    for (const problem of this.#problems.splice(0)) this.blame(`I0: ${describe(problem)}`);
    await checkLists(this.#looked, this.persons);
    checkDeletions(this.#looked, this.persons);
    for (const person of this.persons) {
      this.#watches.get(person)?.look();
      checkDownloads(this.#looked, person);
      if (person.isAlive) await checkDone(this.#looked, person);
    }
  }

  /** Ends all faults except the limit of the service; checks that everything finishes, and that a new installation can download all that is stored. */
  async end(): Promise<void> {
    this.now = 'end';
    const { service, clock } = this;
    Object.assign(service, { headLength: true, contentEncoding: null, lostDeletions: 0 });
    service.answerMs = leastAnswerMs(service.limit);
    Object.assign(service, { lostUploads: 0, falseConflicts: 0, pages: 0 });
    Object.assign(service, { deletionKind: 'usual', refuses: () => null, weather: { kind: 'fine' } });
    this.between = () => undefined;
    for (const folder of this.folders) folder.end();
    for (const person of this.persons) {
      person.stopsAt = null;
      person.freeBytes = null;
      if (!person.isAlive) await person.restart();
      await this.attempt(person, () => person.engine.actions.pause('all', false));
    }
    this.tellFine();
    const isOver = async () => {
      for (const person of this.persons)
        for (const serviceId of person.serviceIds)
          if ((await person.database.transfers.unfinished(serviceId)) > 0) return false;
      return true;
    };
    for (let round = 0; round < 120 && !(await isOver()); round += 1) {
      for (const person of this.persons) await this.attempt(person, () => person.answer('keepBoth', true));
      await clock.advance(round < 10 ? 10_000 : 60_000);
    }
    if (!(await isOver())) for (const person of this.persons) this.#blameOpen(person);
    // Time for the orphan collector.
    await clock.advance(1_200_000);
    await this.look();
    for (const person of this.persons) if (!person.isListUnsure) await checkRows(this.#looked, person);
    const newcomer = await this.join('newcomer', ['p']);
    await checkAsNewcomer(this.#looked, newcomer, this.persons, clock);
    await this.look();
  }

  #blameOpen(person: Person): void {
    for (const open of person.openRecords()) this.blame(`I6: ${person.who} never ends: ${open}`);
  }

  async leave(): Promise<void> {
    try {
      for (const folder of this.folders) folder.leave();
      for (const person of this.persons) {
        if (!person.isAlive) await person.restart();
        await person.leave();
      }
    } finally {
      await rm(this.#folder, { recursive: true, force: true });
    }
  }
}

function describe(problem: unknown): string {
  const { cause = problem, ...rest } = problem as { cause?: unknown };
  const text = cause instanceof Error ? (cause.stack ?? cause.message) : String(cause);
  return `${JSON.stringify(rest)} ${text.replaceAll(/\s*\n\s*/g, ' ')}`;
}
