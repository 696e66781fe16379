import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile, rename, rm, unlink, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { Edit, SaveAs } from '../../../src/shared/domain/edit.ts';
import { toAppError } from '../../../src/shared/app-failure.ts';
import { createRandom } from '../../random.ts';
import { sha256Of } from '../local-files/testing.ts';
import { serviceId } from '../transfers/world-acts.ts';
import type { Weather } from '../transfers/weather.ts';
import { beginEditWorld } from './edit-world.ts';

const steps = 40;
const past = new Date(1_600_000_000_000);

/**
 * Edits over a real folder in virtual time, from a seed: programs save in every way, as new versions, replacing the object, or
 * alternating between both, a stranger writes and deletes, requests fail, and Coffer is killed. The last save is stored exactly once,
 * or was given up by an answer after it was noticed; until then it is in a local file. Files beside a copy stay until the person
 * deletes them, and nobody's bytes are replaced except those that were opened.
 */
export async function runEdits(seed: number, log: (line: string) => void = () => undefined): Promise<void> {
  const random = createRandom(seed);
  const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)] as T;
  const edits = await beginEditWorld();
  const { world, handlers, list, copyOf } = edits;

  const dispatchers = pick<readonly SaveAs[]>([['newVersion'], ['replace'], ['newVersion', 'replace']]);
  const setSaveAs = (saveAs: SaveAs) =>
    world.settle(Promise.resolve(handlers()['edits.setSaveAs']({ serviceId, saveAs })));
  await setSaveAs(pick(dispatchers));
  Object.assign(world.service, { deletionMs: pick([0, 3_000]), answerMs: pick([0, 0, 300]) });

  /** Content that may be replaced: the person opened it, or confirmed its replacement. */
  const agreed = new Set<string>();
  /** What each edit's program saved last, and what may be stored because of it. */
  const lastSaved = new Map<string, string>();
  const places = new Map<string, string>();
  const given = new Set<string>();
  /** Objects whose saves were given up. */
  const givenUp = new Set<string>();
  /** Files that a program has created beside its copy, by edit. */
  const beside = new Map<string, string>();
  let count = 0;

  async function save(edit: Edit): Promise<void> {
    const found = (await copyOf(edit)) ?? places.get(edit.id);
    // An edit that is finishing may be removed meanwhile: then the program reports that it cannot save.
    if (found === undefined || edit.state === 'opening' || edit.isFinishing) return;
    if (!lastSaved.has(edit.id)) agreed.add(await readFile(found, 'utf8'));
    places.set(edit.id, found);
    count += 1;
    // All of the same length, so that only the modification time tells them apart.
    const text = `save ${String(count).padStart(4, '0')}`;
    const way = pick(['write', 'same time', 'same time', 'rename', 'delete', 'touch']);
    log(`  ${way} ${text} of ${edit.identifier}`);
    if (way === 'touch') {
      await utimes(found, new Date(), new Date()).catch(() => undefined);
      return;
    }
    if (way === 'rename') {
      await writeFile(`${found}.tmp`, text);
      await rename(`${found}.tmp`, found);
    } else if (way === 'delete') {
      await unlink(found).catch(() => undefined);
      await world.clock.advance(pick([0, 1_000, 8_000]));
      await writeFile(found, text);
    } else await writeFile(found, text);
    if (way === 'same time') await utimes(found, past, past);
    lastSaved.set(edit.id, text);
  }

  async function putBeside(edit: Edit): Promise<void> {
    const copy = await copyOf(edit);
    if (copy === null || edit.state === 'opening' || edit.isFinishing) return;
    const path = join(dirname(copy), 'beside.tmp');
    log(`  beside ${edit.identifier}`);
    await writeFile(path, 'beside');
    beside.set(edit.id, path);
  }

  async function begin(identifier: string): Promise<void> {
    if (world.service.get(identifier) === undefined) return;
    const row = (await world.rowOf(identifier))?.id ?? (await world.know(identifier));
    await world.settle(Promise.resolve(handlers()['edits.begin']({ objectId: row }))).catch(() => undefined);
  }

  async function finish({ id }: Edit): Promise<void> {
    await world.settle(Promise.resolve(handlers()['edits.finish']({ id }))).catch((cause: unknown) => {
      // An edit that was finishing already may end before this call.
      if (toAppError(cause)?.code !== 'notFound') throw cause;
    });
  }

  /** @param isKind gives up no work of the person */
  async function answer(edit: Edit, isKind: boolean): Promise<void> {
    const { id, state } = edit;
    if (edit.error?.code === 'editNotFinished') {
      log(`  delete beside ${edit.identifier}`);
      beside.delete(id);
      await world.settle(Promise.resolve(handlers()['edits.answer']({ id, answer: 'deleteBeside' })));
      return;
    }
    const answers = {
      changed: ['keepMine', 'takeTheirs'],
      deleted: ['storeAgain', 'discard'],
      failed: ['tryAgain', 'discard'],
    } as const;
    if (state !== 'changed' && state !== 'deleted' && state !== 'failed') return;
    // A copy that could not be downloaded holds no work of the person.
    const isEmpty = state === 'failed' && edit.mine === null;
    const said = isEmpty ? 'discard' : answers[state][isKind || random() < 0.7 ? 0 : 1];
    log(`  ${said} of ${edit.identifier}`);
    const isGivenUp = said === 'takeTheirs' || said === 'discard';
    if (isGivenUp) {
      await rm(beside.get(id) ?? '', { force: true });
      beside.delete(id);
      givenUp.add(edit.identifier);
      for (const text of await edits.texts(`${id}.saves`)) given.add(text);
    }
    await world
      .settle(Promise.resolve(handlers()['edits.answer']({ id, answer: said })))
      .catch(() => undefined);
  }

  /** Answers the prompts of saves: keeps both, or replaces what is there now. */
  async function answerQuestion(): Promise<void> {
    if (!dispatchers.includes('replace') || random() < 0.5) return world.answer('keepBoth', true);
    for (const name of objects()) agreed.add(String(world.service.get(name)));
    return world.answer('replace', true);
  }

  /** Without the copies beside an object that is being replaced. */
  const objects = () => [...world.service.versions.keys()].filter((name) => !name.includes('~'));
  const versionsOf = (name: string) => world.service.versions.get(name) ?? [];

  async function look(): Promise<void> {
    assert.deepEqual(edits.problems, []);
    assert.deepEqual(world.problems, []);
    const all = objects().flatMap(versionsOf);
    const texts = all.filter(({ by }) => by === 'us').map(({ text }) => text);
    // Bytes that a stranger deletes in the middle of a Replace are stored again.
    const there = all.filter(({ by, untilMs }) => by === 'us' && untilMs === Infinity);
    const counted = dispatchers.includes('replace') ? there.map(({ text }) => text) : texts;
    assert.equal(new Set(counted).size, counted.length, `stored twice: ${counted.toSorted().join()}`);
    for (const { by, removedBy, text } of all)
      assert.ok(
        by === 'us' || removedBy !== 'us' || agreed.has(text),
        `${text} was replaced, and nobody had seen it`,
      );
    for (const text of texts) assert.match(text, /^save \d+$/, 'sent what nobody saved');
    // Until it is stored, the save is in a local file, which may just be being renamed.
    for (const text of lastSaved.values()) {
      let isHere = given.has(text) || texts.includes(text);
      for (let tries = 0; !isHere && tries < 20; tries += 1) {
        isHere = (await edits.texts()).includes(text);
        if (!isHere) await setTimeout(5);
      }
      assert.ok(isHere, `${text} is neither stored nor here`);
    }
    for (const path of beside.values()) assert.ok(existsSync(path), `${path} was deleted`);
  }

  const names = ['a.txt', 'b.txt', 'c.txt'];
  for (const name of names) world.service.put(name, Buffer.from(`first ${name}`), 'stranger');
  const weathers: Weather[] = [
    { kind: 'fine' },
    { kind: 'fine' },
    { kind: 'lossy' },
    { kind: 'cutting' },
    { kind: 'unreachable' },
    { kind: 'refused' },
    { kind: 'tooMany', retryAfterMs: null },
  ];
  const acts: readonly [number, string, () => Promise<unknown>][] = [
    [3, 'begin', () => begin(pick(names))],
    [
      8,
      'save',
      async () => {
        const all = await list();
        if (all.length > 0) await save(pick(all));
      },
    ],
    [
      1,
      'beside',
      async () => {
        const all = await list();
        if (all.length > 0) await putBeside(pick(all));
      },
    ],
    [6, 'time', () => world.clock.advance(pick([0, 500, 2_500, 12_000, 40_000]))],
    [2, 'weather', async () => world.setWeather(pick(weathers))],
    [2, 'kill', () => world.kill(pick([0, 1_000, 600_000]))],
    [
      2,
      'stranger',
      async () => {
        const name = pick(names);
        world.service.remove(name, 'stranger');
        if (random() < 0.8) world.service.put(name, Buffer.from(`stranger ${(count += 1)}`), 'stranger');
      },
    ],
    [1, 'question', answerQuestion],
    [dispatchers.length > 1 ? 2 : 0, 'save as', () => setSaveAs(pick(dispatchers))],
    [
      2,
      'answer',
      async () => {
        for (const edit of await list()) await answer(edit, false);
      },
    ],
    [
      1,
      'finish',
      async () => {
        const all = await list();
        if (all.length > 0) await finish(pick(all));
      },
    ],
  ];
  const total = acts.reduce((sum, [weight]) => sum + weight, 0);
  try {
    for (const name of names.slice(1)) {
      await begin(name);
      await world.clock.advance(3_000);
    }
    for (let step = 0; step < steps; step += 1) {
      let left = random() * total;
      const chosen = acts.find(([weight]) => (left -= weight) < 0);
      if (chosen === undefined) continue;
      const [, name, act] = chosen;
      log(`${step} ${name}`);
      await act();
      if (step % 5 === 4) await look();
    }
    log('end');
    world.setWeather({ kind: 'fine' });
    // After a kill the engine waits ten minutes for a deletion that may have been sent.
    for (let round = 0; round < 160 && (await list()).length > 0; round += 1) {
      await world.clock.advance(15_000);
      await setTimeout(1);
      await world.answer('keepBoth', true);
      for (const edit of await list()) await answer(edit, true);
      for (const edit of await list()) if (!edit.isFinishing && edit.state === 'editing') await finish(edit);
    }
    assert.deepEqual(await list(), [], 'an edit never ended');
    await look();
    const texts = objects().flatMap((name) => versionsOf(name).map(({ text }) => text));
    for (const name of objects()) {
      const last = versionsOf(name).at(-1);
      if (last?.removedBy !== 'us') continue;
      // A Replace may have failed half-way before its save was given up.
      const kept = await world.settle(world.undoCopies.ofObject(serviceId, name));
      const isKept = kept.some(({ sha256 }) => sha256 === sha256Of(last.text));
      assert.ok(givenUp.has(name) && isKept, `${name} was deleted, and nothing stored`);
    }
    for (const text of lastSaved.values())
      assert.ok(given.has(text) || texts.includes(text), `${text} was never stored`);
    for (let round = 0; round < 400 && (await edits.folders()).length > 0; round += 1) {
      await world.clock.advance(100);
      // Folders are removed in real time.
      await setTimeout(5);
    }
    assert.deepEqual(await edits.folders(), [], 'files of edits stay behind');
  } finally {
    await edits.leave();
  }
}
