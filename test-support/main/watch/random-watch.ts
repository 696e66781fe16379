import assert from 'node:assert/strict';
import { readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { versionOf } from '../../../src/shared/domain/versions.ts';
import { versionMarkDefault } from '../../../src/shared/domain/service.ts';
import type { Transfer } from '../../../src/shared/domain/transfer.ts';
import { serviceId } from '../transfers/world-acts.ts';
import { createRandom } from '../../random.ts';
import type { Weather } from '../transfers/weather.ts';
import { beginWatchWorld } from './watch-world.ts';

const steps = 60;
const settleMs = 5_000;

/**
 * A watched folder in virtual time, from a seed: files appear, grow, are renamed and removed, the drive is disconnected and
 * reconnected, requests fail, the person switches it off and on, and Coffer is killed. Each file that has settled is stored once per
 * content, nothing is stored that had not settled, and nothing is deleted anywhere.
 */
export async function runWatch(seed: number, log: (line: string) => void = () => undefined): Promise<void> {
  const random = createRandom(seed);
  const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)] as T;
  const watch = await beginWatchWorld();
  const { world, folder } = watch;
  const { clock } = world;
  const names = ['a.txt', 'b.txt', 'sub/c.txt', 'sub/deep/d.txt', '.hidden', 'x.part', 'sub/~$c.docx'];
  const isIgnored = (path: string) => /(^|\/)(\.|~\$)|\.part$/.test(path);
  /** Files in the folder, with the time of their last change. */
  const files = new Map<string, { text: string; sinceMs: number }>();
  /** How long each content was unchanged under each path, in true time. */
  const stood = new Map<string, number>();
  let count = 0;
  let isConnected = true;
  let isOn = true;

  function leave(path: string): void {
    const file = files.get(path);
    if (!file) return;
    const key = `${path} ${file.text}`;
    stood.set(key, Math.max(stood.get(key) ?? 0, clock.trueMs() - file.sinceMs));
    files.delete(path);
  }

  async function write(path: string, text: string): Promise<void> {
    leave(path);
    await watch.write(path, text);
    files.set(path, { text, sinceMs: clock.trueMs() });
  }

  /** Usually of the same length, so that only the time differs; sometimes longer each time. */
  const fresh = () => `text ${String((count += 1)).padStart(4, '0')}${pick(['', '', '.'.repeat(count)])}`;

  async function grow(): Promise<void> {
    const path = pick(names);
    for (let times = 0; times < 4; times += 1) {
      await write(path, fresh());
      await clock.advance(pick([1_000, 3_000]));
    }
  }

  async function renameOne(): Promise<void> {
    const [from, to] = [pick(names), pick(names)];
    const file = files.get(from);
    if (!file || from === to || files.has(to)) return;
    await rm(join(folder, to), { force: true });
    await watch.write(to, '');
    await rename(join(folder, from), join(folder, to));
    leave(from);
    files.set(to, { text: file.text, sinceMs: clock.trueMs() });
  }

  async function removeOne(): Promise<void> {
    const path = pick(names);
    leave(path);
    await rm(join(folder, path), { force: true });
  }

  async function connect(): Promise<void> {
    if (!isConnected) await watch.connect();
    isConnected = true;
  }

  const id = await watch.add();
  async function setOn(on: boolean): Promise<void> {
    isOn = on;
    await watch.call((handlers) => handlers['watch.setOn']({ id, isOn: on }));
  }

  const baseOf = (identifier: string) => versionOf(identifier, '/', versionMarkDefault).base;

  function look(): void {
    assert.deepEqual(world.problems, []);
    const seen = new Set<string>();
    for (const [identifier, versions] of world.service.versions)
      for (const { text, removedBy } of versions) {
        assert.equal(removedBy, null, `${identifier} was deleted`);
        const path = baseOf(identifier);
        const key = `${path} ${text}`;
        assert.ok(!seen.has(key), `${key} is stored twice`);
        seen.add(key);
        const file = files.get(path);
        const now = file?.text === text ? clock.trueMs() - file.sinceMs : 0;
        assert.ok(Math.max(stood.get(key) ?? 0, now) >= settleMs, `${key} was stored while it changed`);
        assert.ok(!isIgnored(path), `${path} is to be ignored`);
      }
  }

  const onlyConnected = (work: () => Promise<void>) => async () => {
    if (isConnected) await work();
  };
  const weathers: Weather[] = [
    { kind: 'fine' },
    { kind: 'fine' },
    { kind: 'lossy' },
    { kind: 'cutting' },
    { kind: 'unreachable' },
    { kind: 'tooMany', retryAfterMs: null },
  ];
  const acts: readonly [number, string, () => Promise<unknown>][] = [
    [8, 'write', onlyConnected(() => write(pick(names), fresh()))],
    [2, 'grow', onlyConnected(grow)],
    [2, 'rename', onlyConnected(renameOne)],
    [2, 'remove', onlyConnected(removeOne)],
    [
      1,
      'touch',
      onlyConnected(async () => {
        const path = pick([...files.keys()]);
        if (path !== undefined) await watch.touch(path);
      }),
    ],
    [8, 'time', () => clock.advance(pick([500, 4_000, 12_000, 60_000]))],
    [2, 'weather', async () => world.setWeather(pick(weathers))],
    [2, 'kill', () => world.kill(pick([0, 1_000, 600_000]))],
    [1, 'sleep', async () => clock.sleep(3_600_000)],
    [1, 'wake', async () => watch.watches().wake()],
    [1, 'off', () => setOn(!isOn)],
    [1, 'pause', () => world.settle(world.engine.actions.pause('all', random() < 0.5))],
    [
      1,
      'drive',
      async () => {
        if (!isConnected) return connect();
        isConnected = false;
        await watch.disconnect();
      },
    ],
  ];
  const total = acts.reduce((sum, [weight]) => sum + weight, 0);
  try {
    for (let step = 0; step < steps; step += 1) {
      let left = random() * total;
      const [, name, act] = acts.find(([weight]) => (left -= weight) < 0) ?? [0, '', async () => undefined];
      log(`${step} ${name}`);
      await act();
      look();
    }
    world.setWeather({ kind: 'fine' });
    await connect();
    await setOn(true);
    await world.settle(world.engine.actions.pause('all', false));
    for (let round = 0; round < 60; round += 1) {
      await clock.advance(20_000);
      await world.settle(
        world.engine.actions.retry({ kind: 'cause', serviceId, group: 'needsYou', code: 'connectionLost' }),
      );
    }
    look();
    const isAway = ({ identifier, error }: Transfer) => error?.code === 'fileGone' && !files.has(identifier);
    const open = (await world.transfers()).filter((each) => each.state !== 'done' && !isAway(each));
    assert.deepEqual(open, [], 'not every upload ended well');
    for (const [path, { text }] of files) {
      assert.equal(await readFile(join(folder, path), 'utf8'), text, `${path} is not what was written`);
      if (isIgnored(path)) continue;
      const stored = [...world.service.versions].filter(([identifier]) => baseOf(identifier) === path);
      const texts = stored.flatMap(([, versions]) => versions.map((version) => version.text));
      assert.ok(texts.includes(text), `${path} with ${text} is not stored: ${texts.join()}`);
    }
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    assert.equal(entries.filter((entry) => entry.isFile()).length, files.size, 'files came or went');
    log('end');
  } finally {
    await connect();
    await watch.leave();
  }
}
