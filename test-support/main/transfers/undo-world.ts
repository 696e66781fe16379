import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import type { Input, Output } from '../../../src/shared/contract.ts';
import { AppFailure } from '../../../src/shared/app-failure.ts';
import type { ObjectQuery, Selection } from '../../../src/shared/domain/object.ts';
import { reclassifiedBy } from '../../../src/shared/domain/transfer.ts';
import { createBulkOperations } from '../../../src/main/bulk-operations/bulk-operations.ts';
import { createMadeFolders } from '../../../src/main/object-handlers/made-folders.ts';
import { createReclassification } from '../../../src/main/object-handlers/feature.ts';
import { createMoving } from '../../../src/main/object-handlers/moving.ts';
import { createRandom } from '../../random.ts';
import { World } from './world.ts';
import { serviceId } from './world-acts.ts';

const steps = 14;
/** Identifiers at the start; each object's bytes say which it was. */
const names = ['a/1', 'a/2', 'a/deep/3', 'b/1', 'c/4', 'top'];
const folders = ['a', 'a/deep', 'b', 'c', 'empty', 'a/kept', 'd'];
const otherNames = ['a/9', 'b/9', 'top2', 'd/1'];
const everything: ObjectQuery = {
  serviceId,
  kind: 'data',
  place: { kind: 'all' },
  search: '',
  sort: { column: 'identifier', direction: 'ascending' },
};
const classes = [null, 'Internal', 'Secret'];

/** Nothing points at a folder here. */
const followFolders = async (): Promise<void> => undefined;

type Calls = ReturnType<typeof createBulkOperations>['handlers'] &
  ReturnType<typeof createMoving>['handlers'] &
  ReturnType<typeof createMadeFolders>['handlers'] &
  ReturnType<typeof createReclassification>['handlers'];

/** One action that can be undone, as the window keeps it. */
interface Level {
  readonly name: string;
  /** The deletion that it takes back while nothing of it is sent, and of what. */
  readonly deletion?: { readonly task: number; readonly texts: readonly string[] };
  /** Resolves to how many objects it was said of that they stay. */
  readonly run: () => Promise<number>;
}

/**
 * A person acts on a list and undoes, in any order of everything else; then all that is left is undone, from the newest to the oldest.
 * The list, its folders and the service must be as at the start, but for what was said to stay and what was deleted after its ten
 * seconds. In two of three worlds there are outages, strangers and kills. @throws a broken invariant
 */
export async function runUndoWorld(
  seed: number,
  log: (line: string) => void = () => undefined,
): Promise<void> {
  const person = await Person.begin(seed, log);
  try {
    for (let step = 0; step < steps; step += 1) await person.act(step);
    await person.undoAll();
    await person.expectAsAtStart();
  } finally {
    await person.leave();
  }
}

class Person {
  readonly #random: () => number;
  readonly #isCalm: boolean;
  readonly #log: (line: string) => void;
  #calls: Calls | null = null;
  #world: World | null = null;
  #levels: Level[] = [];
  /** Changes of classification that have not ended: the window offers to undo them then. */
  #reclassified: number[] = [];
  /** Contents whose deletion was let go. */
  readonly #deleted = new Set<string>();
  /** Where each content belongs once everything is undone. */
  #start = new Map<string, { identifier: string; classification: string | null }>();
  #startFolders: string[] = [];
  #startLost: string | undefined;
  #said = 0;

  private constructor(seed: number, log: (line: string) => void) {
    this.#random = createRandom(seed);
    this.#isCalm = seed % 3 === 0;
    this.#log = log;
  }

  static async begin(seed: number, log: (line: string) => void): Promise<Person> {
    const person = new Person(seed, log);
    const publisher = { publish: () => undefined };
    const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };
    person.#world = await World.begin(async (below) => {
      const ports = { log: silent, publisher, onChanged: () => undefined };
      person.#calls = {
        ...createBulkOperations({ ...below, ...ports }).handlers,
        ...createMoving({ ...below, followFolders }).handlers,
        ...createMadeFolders({ ...below, followFolders }).handlers,
        ...createReclassification({ ...below, rememberUsed: async () => undefined }).handlers,
      };
    });
    const { world } = person;
    world.service.answerMs = person.#pick([0, 20, 400]);
    world.service.deletionMs = person.#pick([0, 0, 3_000]);
    for (const identifier of names) {
      const bytes = Buffer.from(`the bytes of ${identifier}`);
      const classification = person.#pick(classes);
      world.service.put(identifier, bytes, 'us', classification);
      const patch = { state: 'stored', lengthBytes: bytes.length, storedAtMs: 1, classification } as const;
      await world.database.catalogue.add(serviceId, [{ kind: 'data', identifier, patch }]);
    }
    const patch = { state: 'missing', storedAtMs: 1 } as const;
    await world.database.catalogue.add(serviceId, [{ kind: 'data', identifier: 'lost', patch }]);
    await person.#call('objects.makeFolder', { serviceId, into: '', name: 'empty' });
    await person.#call('objects.makeFolder', { serviceId, into: 'a', name: 'kept' });
    await person.#beginHere();
    return person;
  }

  get world(): World {
    assert.ok(this.#world);
    return this.#world;
  }

  /** What is there now is what has to be there again. */
  async #beginHere(): Promise<void> {
    const { service } = this.world;
    this.#levels = [];
    this.#reclassified = [];
    this.#said = 0;
    const ours = [...this.#stored()].filter(([, text]) => text.startsWith('the bytes of'));
    const stateOf = new Map((await this.#rows()).map(({ identifier, state }) => [identifier, state]));
    this.#start = new Map(
      ours.map(([identifier, text]) => [
        text,
        { identifier, classification: service.classificationOf(identifier) ?? null },
      ]),
    );
    // After an outage a move may have left both, and have said so.
    for (const [identifier, text] of ours)
      if (stateOf.get(identifier) !== 'stored' || this.#start.get(text)?.identifier !== identifier)
        this.#start.delete(text);
    this.#startLost = (await this.#rows()).find(({ identifier }) => identifier === 'lost')?.state;
    this.#startFolders = await this.world.database.catalogue.madeFolders(serviceId);
  }

  /** Identifiers and contents of what the service has. */
  #stored(): Map<string, string> {
    const { service } = this.world;
    return new Map(
      [...service.versions.keys()].flatMap((identifier): [string, string][] => {
        const bytes = service.get(identifier);
        return bytes === undefined ? [] : [[identifier, Buffer.from(bytes).toString()]];
      }),
    );
  }

  #pick<T>(items: readonly T[]): T {
    return items[Math.floor(this.#random() * items.length)] as T;
  }

  /** Asks main as the window does. null: it refused. */
  async #call<Name extends keyof Calls>(name: Name, input: Input<Name>): Promise<Output<Name> | null> {
    const handler = this.#calls?.[name] as unknown as (given: Input<Name>) => Promise<Output<Name>>;
    try {
      return await this.world.settle(Promise.resolve(handler(input)));
    } catch (cause) {
      if (!(cause instanceof AppFailure)) throw cause;
      this.#log(`  ${cause.error.code}`);
      return null;
    }
  }

  async #rows() {
    const rows = await this.world.database.allRows();
    return rows.filter(({ kind, serviceId: of }) => kind === 'data' && of === serviceId);
  }

  /** What the list shows: of an object under way to another name only the new row. */
  async #shown() {
    const { rows } = await this.world.database.catalogue.page(everything, 0, 100);
    return rows;
  }

  async #someStored(most: number): Promise<number[]> {
    const rows = (await this.#shown()).filter(({ state }) => state === 'stored');
    const count = 1 + Math.floor(this.#random() * most);
    return [...new Set(Array.from({ length: count }, () => this.#pick(rows)?.id))].filter(
      (id) => id !== undefined,
    );
  }

  async act(step: number): Promise<void> {
    await this.#lookWhatEnded();
    const acts: readonly [weight: number, name: string, act: () => Promise<void>][] = [
      [4, 'rename', () => this.#rename()],
      [4, 'move', () => this.#moveIntoFolder()],
      [3, 'rename folder', () => this.#renameFolder()],
      [3, 'delete', () => this.#delete()],
      [2, 'classify', () => this.#reclassify()],
      [1, 'forget', () => this.#forget()],
      [1, 'make folder', () => this.#makeFolder()],
      [1, 'remove folders', () => this.#removeFolders()],
      [2, 'cancel', () => this.#cancel()],
      [4, 'undo', () => this.#undo()],
      [5, 'time', () => this.world.clock.advance(this.#pick([0, 10, 100, 1_000, 20_000]))],
      ...(this.#isCalm
        ? []
        : ([
            [1, 'stranger', async () => this.#actAsStranger()],
            [1, 'weather', async () => this.#changeWeather()],
            [1, 'kill', () => this.#kill()],
          ] satisfies [number, string, () => Promise<void>][])),
    ];
    let left = this.#random() * acts.reduce((sum, [weight]) => sum + weight, 0);
    const [, name, act] = acts.find(([weight]) => (left -= weight) < 0) ?? acts[0] ?? [];
    this.#log(`${step} ${name ?? ''}`);
    await act?.();
  }

  #add(level: Level): void {
    this.#levels = [level, ...this.#levels];
  }

  async #undo(): Promise<void> {
    await this.#lookWhatEnded();
    const [newest, ...older] = this.#levels;
    if (newest === undefined) return;
    this.#levels = older;
    const stays = await newest.run();
    this.#log(`  undone: ${newest.name}, ${stays} stay`);
    this.#said += stays;
  }

  async #move(selection: Selection, to: Input<'objects.move'>['to'], name: string): Promise<void> {
    const moved = await this.#call('objects.move', {
      selection,
      to,
      ...(this.world.service.weather.kind === 'fine' && { ifFree: true }),
    });
    if (moved === null) return;
    const { transferIds, folders: changes = [], taken } = moved;
    this.#log(`  ${transferIds.length} move, ${taken} taken`);
    if (transferIds.length + changes.length === 0) return;
    const run = async () => {
      const back = await this.#call('objects.undoMove', { transferIds });
      if (changes.length > 0) await this.#call('objects.undoFolders', { serviceId, changes });
      return back?.leftOut ?? 0;
    };
    this.#add({ name, run });
  }

  async #rename(): Promise<void> {
    const [id] = await this.#someStored(1);
    if (id === undefined) return;
    const identifier = this.#pick([...names, ...otherNames]);
    this.#log(`  ${id} to ${identifier}`);
    await this.#move({ kind: 'ids', ids: [id] }, { kind: 'name', identifier }, 'rename');
  }

  async #moveIntoFolder(): Promise<void> {
    const folder = this.#pick([...folders, '']);
    const ids = await this.#someStored(3);
    const path = this.#pick(folders);
    const isOfFolder = this.#random() < 0.4 && folder !== path && !folder.startsWith(`${path}/`);
    if (!isOfFolder && ids.length === 0) return;
    const selection: Selection = isOfFolder
      ? { kind: 'folders', serviceId, paths: [path], and: null }
      : { kind: 'ids', ids };
    this.#log(`  ${JSON.stringify(isOfFolder ? path : ids)} into ${folder}`);
    await this.#move(selection, { kind: 'folder', folder }, 'move');
  }

  async #renameFolder(): Promise<void> {
    const [from, to] = [this.#pick(folders), this.#pick([...folders, 'e'])];
    if (from === to || to.startsWith(`${from}/`)) return;
    this.#log(`  ${from} to ${to}`);
    const selection: Selection = { kind: 'folders', serviceId, paths: [from], and: null };
    await this.#move(selection, { kind: 'beginning', from: `${from}/`, to: `${to}/` }, 'rename folder');
  }

  async #delete(): Promise<void> {
    const ids = await this.#someStored(2);
    if (ids.length === 0) return;
    const task = await this.#call('objects.delete', { selection: { kind: 'ids', ids }, isHeld: true });
    if (task === null) return;
    this.#log(`  ${JSON.stringify(ids)}`);
    const rows = await this.world.database.catalogue.getMany(ids);
    const texts = rows.map(({ identifier }) => String(this.#stored().get(identifier)));
    const run = async () => {
      await this.#call('tasks.cancel', { id: task.id });
      return 0;
    };
    this.#add({ name: 'delete', deletion: { task: task.id, texts }, run });
  }

  async #reclassify(): Promise<void> {
    const ids = await this.#someStored(2);
    const classification = this.#pick(classes);
    this.#log(`  ${JSON.stringify(ids)} as ${classification ?? 'default'}`);
    const { engine } = this.world;
    this.#reclassified.push(
      ...(await this.world.settle(engine.enqueue.reclassify(serviceId, ids, classification))),
    );
  }

  async #forget(): Promise<void> {
    const lost = (await this.#rows()).find(({ state }) => state === 'missing');
    if (lost === undefined) return;
    const answer = await this.#call('objects.forget', { selection: { kind: 'ids', ids: [lost.id] } });
    const removal = answer?.removal ?? null;
    if (answer === null || removal === null) return;
    const run = async () => {
      const back = await this.#call('objects.putBack', { removal });
      return answer.forgotten - (back?.count ?? 0);
    };
    this.#add({ name: 'forget', run });
  }

  /** Nothing undoes it: it belongs to what has to be there in the end. */
  async #makeFolder(): Promise<void> {
    const name = this.#pick(['new', 'newer']);
    const made = await this.#call('objects.makeFolder', { serviceId, into: '', name });
    if (made?.taken === null) this.#startFolders.push(made.path);
  }

  async #removeFolders(): Promise<void> {
    const path = this.#pick([...folders, 'new']);
    const removed = await this.#call('objects.removeFolders', { serviceId, paths: [path] });
    if (removed === null || removed.changes.length === 0) return;
    const { changes } = removed;
    const run = async () => {
      await this.#call('objects.undoFolders', { serviceId, changes });
      return 0;
    };
    this.#add({ name: 'remove folders', run });
  }

  async #cancel(): Promise<void> {
    const { engine } = this.world;
    const open = (await this.world.transfers()).filter(
      ({ state, direction }) => state === 'waiting' && direction === 'upload',
    );
    if (open.length === 0) return;
    const { id } = this.#pick(open);
    await this.world.settle(engine.actions.cancel({ kind: 'ids', ids: [id] }));
    const now = (await this.world.transfers()).find((transfer) => transfer.id === id);
    if (now?.state !== 'cancelled') return;
    this.#log(`  ${id}`);
    const run = async () => {
      await this.world.settle(this.world.engine.actions.retry({ kind: 'ids', ids: [id] }));
      return 0;
    };
    this.#add({ name: 'cancel', run });
  }

  #actAsStranger(): void {
    const name = this.#pick([...names, ...otherNames]);
    const { service } = this.world;
    if (service.get(name) === undefined)
      service.put(name, Buffer.from(`a stranger's ${this.#random()}`), 'stranger');
  }

  #changeWeather(): void {
    this.world.setWeather(
      this.#pick([{ kind: 'fine' }, { kind: 'fine' }, { kind: 'lossy' }, { kind: 'unreachable' }]),
    );
  }

  /** The window forgets what it could undo; what is under way goes on. */
  async #kill(): Promise<void> {
    await this.world.kill(1_000);
    this.world.setWeather({ kind: 'fine' });
    await this.world.finish();
    const rows = await this.#call('objects.unsentDeletions', { serviceId });
    if ((rows?.count ?? 0) > 0) await this.#call('objects.answerUnsent', { serviceId, answer: 'keep' });
    await this.world.finish();
    await this.#beginHere();
  }

  /** Offers what has ended, and no longer what was sent. */
  async #lookWhatEnded(): Promise<void> {
    const { tasks } = (await this.#call('tasks.list', undefined)) ?? { tasks: [] };
    const held = new Set(tasks.flatMap(({ id, isHeld }) => (isHeld === true ? [id] : [])));
    const isOver = ({ deletion }: Level) => deletion !== undefined && !held.has(deletion.task);
    for (const level of this.#levels)
      if (isOver(level)) for (const text of level.deletion?.texts ?? []) this.#deleted.add(text);
    this.#levels = this.#levels.filter((level) => !isOver(level));
    const ended = (await this.world.transfers()).filter(
      ({ id, state }) => this.#reclassified.includes(id) && state === 'done',
    );
    if (ended.length === 0) return;
    this.#reclassified = this.#reclassified.filter((id) => !ended.some((transfer) => transfer.id === id));
    const changed = reclassifiedBy(ended);
    if (changed.length === 0) return;
    const run = async () => {
      let stay = changed.length;
      for (const { objectId, from: classification } of changed) {
        const selection: Selection = { kind: 'ids', ids: [objectId] };
        const input = { selection, classification, isUndo: true } as const;
        stay -= (await this.#call('objects.reclassify', input))?.count ?? 0;
      }
      return stay;
    };
    this.#add({ name: 'classify', run });
  }

  async undoAll(): Promise<void> {
    this.world.setWeather({ kind: 'fine' });
    if (this.#random() < 0.5) await this.world.finish();
    for (;;) {
      await this.#lookWhatEnded();
      if (this.#levels.length === 0 && (await this.world.unfinished()) === 0) break;
      if (this.#levels.length === 0) await this.world.finish();
      await this.#undo();
      await this.world.clock.advance(this.#pick([0, 0, 100, 5_000]));
    }
    await this.world.finish();
  }

  async expectAsAtStart(): Promise<void> {
    const { world } = this;
    assert.deepEqual(world.problems, []);
    assert.equal(
      await world.unfinished(),
      0,
      `not everything came to its end: ${await world.describeOpen()}`,
    );
    const all = [...(await world.transfers())];
    const failed = all.filter(({ state }) => state === 'failed');
    const rows = await this.#rows();
    const stateOf = new Map(rows.map(({ identifier, state }) => [identifier, state]));
    const stored = this.#stored();
    let misplaced = 0;
    for (const [text, { identifier, classification }] of this.#start) {
      const where = [...stored].flatMap(([at, there]) => (there === text ? [at] : []));
      const isAtHome = where.length === 1 && where[0] === identifier;
      const isAsItWas = isAtHome && world.service.classificationOf(identifier) === classification;
      if (where.length === 0 && !this.#deleted.has(text)) assert.fail(`${text} is lost`);
      // A deletion meets what else is done with the object: that it is nowhere, or somewhere whole, is all there is to say.
      if (!isAsItWas && !this.#deleted.has(text)) {
        misplaced += 1;
        this.#log(`  ${text} is at ${where.join()}`);
      }
      const isListed = (at: string) =>
        stateOf.get(at) === 'stored' || (!this.#isCalm && stateOf.get(at) === 'unknown');
      for (const at of where)
        assert.ok(isListed(at), `the list says ${stateOf.get(at) ?? 'nothing'} of ${at}`);
    }
    for (const [identifier, state] of stateOf) {
      assert.ok(state !== 'uploading' && state !== 'deleting', `${identifier} is ${state} for ever`);
      if (state === 'stored') assert.ok(stored.has(identifier), `${identifier} is not there`);
    }
    const excuses = this.#said + failed.length;
    assert.ok(misplaced <= excuses, `${misplaced} are elsewhere, and it was said of ${excuses}`);
    assert.equal(stateOf.get('lost'), this.#startLost);
    const folders = await world.database.catalogue.madeFolders(serviceId);
    const filled = (path: string) =>
      [...stored.keys()].some((identifier) => identifier.startsWith(`${path}/`));
    const unfilled = (paths: readonly string[]) => paths.filter((path) => !filled(path)).toSorted();
    assert.deepEqual(unfilled(folders), unfilled([...new Set(this.#startFolders)]));
  }

  async leave(): Promise<void> {
    await this.world.settle(this.world.engine.close());
    await this.world.database.close();
    await rm(this.world.folder, { recursive: true, force: true });
  }
}
