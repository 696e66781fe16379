import { isPartId, isMadeByCoffer } from '../../../../src/shared/domain/made-names.ts';
import { join } from 'node:path';
import { sync, type SyncOptions } from '../../../../src/command/commands/sync.ts';
import { watch } from '../../../../src/command/watch/watch.ts';
import { versionMarkDefault } from '../../../../src/shared/domain/service.ts';
import { versionOf } from '../../../../src/shared/domain/versions.ts';
import { BlinkingFolder, type Blink } from './blinking-folder.ts';
import { createCommand, type Commanded } from './command-over.ts';
import { listsNaming } from './lists.ts';
import type { Luck } from './luck.ts';
import type { Person } from './person.ts';
import type { SharedWorld } from './shared-world.ts';

/** The folder of identifiers that everybody stores below, and the files of each person's folder. */
const to = 'f';
const disk = 'disk';
const files = ['x', 'y.txt', 'sub/x', 'sub/y', 'disk/x', 'disk/y'];
export const folderBases = ['f/x', 'f/sub/x', 'f/disk/y', 'f/theirs'];
/** An absence that lasted: the default of `--settle`. */
const settleMs = 5_000;
/** How long a deletion may be on its way after its file came back: through outages that a command waits for. */
const onItsWayMs = 150_000;

/** How often each event is drawn. */
const weights = {
  write: 24,
  remove: 12,
  saveAnew: 20,
  blink: 14,
  mend: 4,
  lookAround: 8,
  sync: 12,
  watch: 12,
  interrupt: 2,
};

/** A folder that one person synchronises below `to`, once or for ever, with and without `--delete`, while it blinks. */
export class FolderSync {
  readonly person: Person;
  readonly #world: SharedWorld;
  readonly #luck: Luck;
  readonly #folder: BlinkingFolder;
  #running: { readonly interrupt: () => void; readonly deletes: boolean } | null = null;
  /** Whether a command with `--delete` was ever started. */
  #mayDelete = false;

  constructor(world: SharedWorld, person: Person, luck: Luck) {
    this.#world = world;
    this.person = person;
    this.#luck = luck;
    this.#folder = new BlinkingFolder(join(person.folder, 'synced'), world.clock, disk);
  }

  /** Returns a line for the log. */
  async happen(): Promise<string> {
    const { next, pick, upTo, weighed } = this.#luck;
    const folder = this.#folder;
    const event = weighed(weights);
    const file = pick(event === 'write' || folder.files.length === 0 ? files : folder.files);
    switch (event) {
      case 'write':
        folder.write(file, this.#text());
        return `writes ${file}`;
      case 'remove':
        folder.remove(file);
        return `removes ${file}`;
      case 'saveAnew': {
        const ms = 100 + upTo(settleMs - 600);
        folder.remove(file);
        this.#after(ms, () => folder.write(file, this.#text()));
        return `saves ${file} anew in ${ms} ms`;
      }
      case 'blink': {
        const below = pick(['', 'sub', disk]);
        const how = pick<Blink>(['vanishes', 'empties', 'refuses', 'unmounts']);
        const ms = pick([500, 4_000, 12_000, 60_000]);
        folder.blink(below, how === 'unmounts' && below !== disk ? 'empties' : how);
        this.#after(ms, () => folder.mend());
        const meanwhile = next() < 0.5 ? `; ${await this.#start(false)}` : '';
        return `${below} ${how} for ${ms} ms${meanwhile}`;
      }
      case 'mend':
        folder.mend();
        return 'everything is back';
      case 'lookAround':
        return this.#lookAround();
      case 'sync':
        return this.#start(false);
      case 'watch':
        return this.#start(true);
      case 'interrupt':
        this.#running?.interrupt();
        return 'is interrupted';
    }
  }

  /** The installation learns what others have stored below the folder, but for the copies and parts that Coffer removes itself. */
  async #lookAround(): Promise<string> {
    const { service } = this.#world;
    const { person } = this;
    const there = [...service.versions.keys()].filter(
      (identifier) => identifier.startsWith(`${to}/`) && !isMadeByCoffer(identifier),
    );
    if (there.length === 0 || !person.isAlive) return 'looks at nothing';
    const known = () => person.addKnown(person.serviceIds[0] ?? '', there);
    return `looks at ${there.length} objects: ${await this.#world.attempt(person, known)}`;
  }

  end(): void {
    this.#running?.interrupt();
    this.#folder.mend();
  }

  leave(): void {
    this.#folder.leave();
  }

  #text(): string {
    return `file ${this.#luck.upTo(4)} `.repeat(this.#luck.pick([1, 3, 3, 600]));
  }

  #after(ms: number, act: () => void): void {
    void this.#world.clock.delay(ms).then(act);
  }

  async #start(isWatch: boolean): Promise<string> {
    const { person } = this;
    if (!person.isAlive) return 'is not running';
    if (this.#running) return 'runs already';
    const { next, pick } = this.#luck;
    const deletes = next() < 0.8;
    const allVersions = next() < 0.5;
    const ifExists = pick<SyncOptions['ifExists']>(['newVersion', 'newVersion', 'replace', 'skip']);
    const settle = settleMs / 1000;
    const deleting = { delete: true as const, yes: true as const, ...(allVersions && { allVersions }) };
    const options = { ifExists, settle, ...(deletes && deleting) };
    this.#mayDelete ||= deletes;
    for (const file of files) person.wishToStore(`${to}/${file}`, ifExists);
    const command = createCommand(person, person.folder);
    this.#running = { interrupt: command.interrupt, deletes };
    const beganMs = this.#world.clock.trueMs();
    const over = (came: Commanded | null) => {
      this.#running = null;
      if (came) this.#checkReport(came, beganMs);
    };
    void person.died.then(() => over(null));
    const run = async () => {
      const came = isWatch
        ? await command.runAlone(watch('synced', to, { ...options, every: 600 }))
        : await command.run(sync('synced', to, options));
      over(came);
    };
    const words = `${isWatch ? 'watch' : 'sync'} ${JSON.stringify(options)}`;
    const came = await this.#world.attempt(person, run);
    return `${words}: ${came}`;
  }

  /** Checks what a command reported: what it deleted is gone, what it stored was there meanwhile. */
  #checkReport({ lines }: Commanded, beganMs: number): void {
    const { service } = this.#world;
    service.settle();
    const named = lines.filter(({ action }) => action === 'rm').map(({ identifier }) => String(identifier));
    const deleted = lines.reduce((sum, line) => sum + Number(line['deleted'] ?? 0), 0);
    const there = [...new Set(named)].filter((identifier) => {
      const last = service.versions.get(identifier)?.at(-1);
      return last?.untilMs === Infinity && last.fromMs < beganMs;
    });
    // A service may answer 404 for what a token may not see: nobody can tell that from a deletion.
    if (named.length - there.length < deleted && !this.person.isListUnsure)
      this.#world.blame(`I8: ${deleted} are deleted, and there are still ${there.join(', ')}`);
    for (const { identifier, state, outcome } of lines) {
      if (state !== 'done' || outcome !== 'stored') continue;
      const versions = service.versions.get(String(identifier)) ?? [];
      if (!versions.some(({ untilMs }) => untilMs >= beganMs))
        this.#world.blame(`I8: ${String(identifier)} is reported as stored, and was not there`);
    }
  }

  whatLacks(identifier: string): string | null {
    const { service, wishes } = this.#world;
    const { who } = this.person;
    if (!this.#mayDelete) return 'nobody wished that';
    if (isPartId(identifier) && !wishes.isChosen(service, identifier)) {
      const lists = listsNaming(service, identifier);
      // The parts go after their list, whose file may be back.
      if (lists.some((list) => wishes.deletionsOf(who, list) > 0)) return null;
      const lacks = lists.map((list) => this.whatLacks(list));
      return lacks.includes(null) ? null : (lacks[0] ?? 'it is a part that no list names');
    }
    const below = identifier.startsWith(`${to}/`) ? identifier.slice(to.length + 1) : null;
    if (below === null) return 'it is not below the folder';
    const sent = service.requests.some(
      (request) =>
        request.who === who && request.identifier === identifier && ['POST', 'start'].includes(request.what),
    );
    if (!sent) return 'this installation never stored it';
    const { base } = versionOf(below, '/', this.person.versionMark ?? versionMarkDefault);
    if ([below, base].some((file) => this.#folder.wasGone(file, settleMs, onItsWayMs))) return null;
    return 'its file was not gone for the settle time';
  }
}
