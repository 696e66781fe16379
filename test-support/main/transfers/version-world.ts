import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { versionMarkDefault } from '../../../src/shared/domain/service.ts';
import { versionIdentifier, versionOf } from '../../../src/shared/domain/versions.ts';
import { createMakeCurrent, type MakeCurrent } from '../../../src/main/versions/copies.ts';
import { manifestIn } from './manifest-in.ts';
import { createRandom } from '../../random.ts';
import type { Weather } from './weather.ts';
import { World } from './world.ts';

const steps = 30;
/** The last two are uploaded in parts. */
const contents = ['one', 'two', 'three', 'four '.repeat(1000), 'five '.repeat(1500)];
const names = ['a/1', 'a/2'];
const weathers: readonly Weather[] = [
  { kind: 'fine' },
  { kind: 'lossy' },
  { kind: 'cutting' },
  { kind: 'errors' },
  { kind: 'unreachable' },
];

/**
 * Uploads the same few contents repeatedly as new versions and makes older versions current, while requests fail, a stranger stores
 * versions and the process is killed. Content that equals the newest version is not stored again, however many upload it at
 * once, and no number is skipped. @throws a broken invariant
 */
export async function runVersions(
  seed: number,
  log: (line: string) => void = () => undefined,
): Promise<void> {
  const random = createRandom(seed);
  const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)] as T;
  let makeCurrent: MakeCurrent | undefined;
  const world = await World.begin(async ({ folder, ...below }) => {
    const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
    makeCurrent = createMakeCurrent({ ...below, userDataFolder: folder, log });
  });
  const begin = async (name: string, number: number): Promise<boolean> => {
    const identifier = versionIdentifier(name, '/', versionMarkDefault, number);
    const row = await world.rowOf(identifier);
    if (row?.state !== 'stored') return false;
    world.mayStoreAgain(identifier);
    await world.settle(Promise.resolve(makeCurrent?.begin(row)));
    return true;
  };
  world.service.answerMs = pick([0, 20, 400]);
  world.service.processingMs = pick([0, 500, 5_000]);
  try {
    for (let step = 0; step < steps; step += 1) {
      const what = random();
      if (what < 0.5) {
        const [name, text] = [pick(names), pick(contents)];
        const route = pick(['direct', 'direct', 'deferred'] as const);
        log(`${step} ${route} ${name} ${text.slice(0, 5)}`);
        const chosen = pick([{}, {}, { classification: null }, { classification: 'Internal' }]);
        await world.upload(name, { ifExists: 'newVersion', route, text, ...chosen });
      } else if (what < 0.6) {
        const [name, number] = [pick(names), pick([1, 2, 3, 4])];
        log(`${step} make ${number} of ${name} current`);
        await begin(name, number);
      } else if (what < 0.63) {
        log(`${step} stranger`);
        world.storeVersionAsStranger(pick(names), step);
      } else if (what < 0.75) {
        const weather = pick(weathers);
        log(`${step} ${weather.kind}`);
        world.setWeather(weather);
      } else if (what < 0.93) {
        const ms = pick([0, 10, 100, 1_000, 20_000]);
        log(`${step} ${ms} ms`);
        await world.clock.advance(ms);
      } else {
        log(`${step} kill`);
        await world.kill(pick([0, 1_000]));
      }
    }
    await world.end();
    for (const name of names) {
      const first = digestsOf(world, name)[0];
      const isBegun = await begin(name, 1);
      for (let round = 0; isBegun && digestsOf(world, name).at(-1) !== first && round < 50; round += 1) {
        await world.finish();
        await world.clock.advance(5_000);
      }
      assert.ok(!isBegun || digestsOf(world, name).at(-1) === first, `${name} was not made current`);
    }
    await world.look();
    const copies = async () => (await readdir(join(world.folder, 'versions')).catch(() => [])).length;
    const failed = (await world.transfers()).filter(({ state }) => state === 'failed').length;
    // Files are deleted in real time, not virtual.
    for (let round = 0; (await copies()) > failed && round < 1_000; round += 1) {
      await world.clock.advance(5_000);
      await setTimeout(10);
    }
    assert.ok((await copies()) <= failed, 'copies of versions stay behind');
  } finally {
    await makeCurrent?.close();
    await world.leave();
  }
}

/** Digests of the versions at the service, oldest first. @throws if two successive versions are equal, or a number is skipped */
function digestsOf({ service }: World, base: string): string[] {
  const digests: string[] = [];
  for (;;) {
    const identifier = versionIdentifier(base, '/', versionMarkDefault, digests.length + 1);
    const bytes = service.get(identifier);
    if (!bytes) break;
    const sha256 = manifestIn(bytes)?.sha256 ?? hash('sha256', bytes);
    assert.ok(digests.at(-1) !== sha256, `${identifier} holds what the version before it holds`);
    digests.push(sha256);
  }
  const all = [...service.versions.keys()].map((identifier) =>
    versionOf(identifier, '/', versionMarkDefault),
  );
  const last = Math.max(0, ...all.flatMap((version) => (version.base === base ? version.number : [])));
  assert.equal(last, digests.length, `versions of ${base} are left out`);
  return digests;
}
