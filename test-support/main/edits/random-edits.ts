import assert from 'node:assert/strict';
import { mkdir, readdir, rename, unlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { Edit } from '../../../src/shared/domain/edit.ts';
import { createEdits, type Edits } from '../../../src/main/edits/edits.ts';
import { createRandom } from '../transfers/random-world.ts';
import type { Weather } from '../transfers/simulated-service.ts';
import { World } from '../transfers/world.ts';

const steps = 40;

/**
 * Edits over a real folder in virtual time, from a seed: a person's programs save in every way, a stranger writes and deletes, the
 * weather turns, and Coffer is killed. What was saved last before an edit was finished is stored, once, or was given up by a word.
 */
export async function runEdits(seed: number, log: (line: string) => void = () => undefined): Promise<void> {
  const random = createRandom(seed);
  const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)] as T;
  let edits: Edits | null = null;
  let userData = '';
  const problems: string[] = [];
  const opened: string[] = [];
  const note = (message: string, details?: object) =>
    void problems.push(`${message} ${String(details && Object.values(details)[0])}`);
  const world = await World.begin(async ({ folder, clock, ...below }) => {
    userData = join(folder, 'user data');
    await mkdir(userData, { recursive: true });
    edits = await createEdits({
      ...below,
      userData,
      clock,
      book: { get: () => ({}) as never },
      onRowsChanged: () => () => undefined,
      desktop: { openFile: async (path) => opened.push(path) > 0 },
      log: { info: () => undefined, warn: note, error: note },
      watchFolder: () => null,
      onChanged: () => undefined,
      revision: () => 0,
    });
  });

  const call = (): Edits['handlers'] => {
    if (edits === null) throw new Error('no edits yet');
    return edits.handlers;
  };
  const list = async (): Promise<Edit[]> =>
    (await world.settle(Promise.resolve(call()['edits.list'](undefined)))).edits;
  const copyOf = async ({ id }: Pick<Edit, 'id'>): Promise<string | null> => {
    const folder = join(userData, 'edits', id);
    const names = await readdir(folder).catch(() => []);
    const found = names.find((name) => !name.endsWith('.part') && !name.endsWith('.tmp'));
    return found === undefined ? null : join(folder, found);
  };
  /** What each edit's program saved last, and what may be stored because of it. */
  const lastSaved = new Map<string, string>();
  const places = new Map<string, string>();
  const given = new Set<string>();
  let count = 0;

  async function save(edit: Edit): Promise<void> {
    const found = (await copyOf(edit)) ?? places.get(edit.id);
    if (found === undefined || edit.state === 'opening' || edit.isFinishing) return;
    places.set(edit.id, found);
    count += 1;
    const text = `save ${count}`;
    const way = pick(['write', 'rename', 'delete', 'touch']);
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
    lastSaved.set(edit.id, text);
  }

  async function begin(identifier: string): Promise<void> {
    if (world.service.get(identifier) === undefined) return;
    const row = (await world.rowOf(identifier))?.id ?? (await world.know(identifier));
    await world.settle(Promise.resolve(call()['edits.begin']({ objectId: row }))).catch(() => undefined);
  }

  async function finish({ id }: Edit): Promise<void> {
    await world.settle(Promise.resolve(call()['edits.finish']({ id })));
  }

  /** @param isKind nothing of the person's is given up */
  async function answer(edit: Edit, isKind: boolean): Promise<void> {
    const { id, state } = edit;
    const answers = {
      changed: ['keepMine', 'takeTheirs'],
      deleted: ['storeAgain', 'discard'],
      failed: ['tryAgain', 'discard'],
    } as const;
    if (state !== 'changed' && state !== 'deleted' && state !== 'failed') return;
    // A copy that cannot be fetched holds nothing of the person's.
    const isEmpty = state === 'failed' && edit.mine === null;
    const said = isEmpty ? 'discard' : answers[state][isKind || random() < 0.7 ? 0 : 1];
    log(`  ${said} of ${edit.identifier}`);
    await world.settle(Promise.resolve(call()['edits.answer']({ id, answer: said }))).catch(() => undefined);
    if (said === 'takeTheirs' || said === 'discard') given.add(id);
  }

  async function look(): Promise<void> {
    assert.deepEqual(problems, []);
    assert.deepEqual(world.problems, []);
    const ours = [...world.service.versions.values()].flat().filter(({ by }) => by === 'us');
    const texts = ours.map(({ text }) => text);
    assert.equal(new Set(texts).size, texts.length, `stored twice: ${texts.toSorted().join()}`);
    for (const text of texts) assert.match(text, /^save \d+$/, 'sent what nobody saved');
    // Until it is stored it is here.
    for (const [id, text] of lastSaved) {
      if (given.has(id) || texts.includes(text)) continue;
      const folder = await readdir(join(userData, 'edits', id)).catch(() => []);
      assert.ok(folder.length > 0, `${text} is neither stored nor here`);
    }
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
    [1, 'question', () => world.answer('keepBoth', true)],
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
    for (let round = 0; round < 40 && (await list()).length > 0; round += 1) {
      await world.clock.advance(15_000);
      await setTimeout(1);
      await world.answer('keepBoth', true);
      for (const edit of await list()) await answer(edit, true);
      for (const edit of await list()) if (!edit.isFinishing && edit.state === 'editing') await finish(edit);
    }
    assert.deepEqual(await list(), [], 'an edit never ended');
    await look();
    const texts = [...world.service.versions.values()].flat().map(({ text }) => text);
    for (const [id, text] of lastSaved)
      assert.ok(given.has(id) || texts.includes(text), `${text} was never stored`);
    const left = () => readdir(join(userData, 'edits')).catch(() => []);
    for (let round = 0; round < 400 && (await left()).length > 0; round += 1) {
      await world.clock.advance(100);
      // Folders are removed in real time.
      await setTimeout(5);
    }
    const leftovers = await left();
    assert.deepEqual(leftovers, [], 'files of edits stay behind');
  } finally {
    const closed = (edits as Edits | null)?.close();
    await world.clock.advance(0);
    await closed;
    await world.leave();
  }
}
