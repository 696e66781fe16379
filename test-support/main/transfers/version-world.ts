import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { versionMarkDefault } from '../../../src/shared/domain/profile.ts';
import { versionIdentifier } from '../../../src/shared/domain/versions.ts';
import { readManifest } from '../../../src/main/transfers/parts/manifest.ts';
import { createRandom } from './random-world.ts';
import type { Weather } from './simulated-service.ts';
import { World } from './world.ts';

const steps = 30;
/** The last two go in parts. */
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
 * The same few contents again and again as new versions, while requests fail and the process is killed: what is there already as the
 * newest version is not stored once more, however many upload it at once. @throws what must never happen
 */
export async function runVersions(
  seed: number,
  log: (line: string) => void = () => undefined,
): Promise<void> {
  const random = createRandom(seed);
  const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)] as T;
  const world = await World.begin();
  world.service.answerMs = pick([0, 20, 400]);
  world.service.processingMs = pick([0, 500, 5_000]);
  try {
    for (let step = 0; step < steps; step += 1) {
      const what = random();
      if (what < 0.6) {
        const [name, text] = [pick(names), pick(contents)];
        const route = pick(['direct', 'direct', 'deferred'] as const);
        log(`${step} ${route} ${name} ${text.slice(0, 5)}`);
        await world.upload(name, { ifExists: 'newVersion', route, text });
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
    for (const name of names) lookAtVersions(world, name);
  } finally {
    await world.leave();
  }
}

function lookAtVersions({ service }: World, base: string): void {
  let before: string | null = null;
  for (let number = 1; ; number += 1) {
    const identifier = versionIdentifier(base, '/', versionMarkDefault, number);
    const bytes = service.get(identifier);
    if (!bytes) return;
    const reading = readManifest(bytes, identifier, '/');
    const sha256 = reading.kind === 'manifest' ? reading.manifest.sha256 : hash('sha256', bytes);
    assert.ok(before !== sha256, `${identifier} holds what the version before it holds`);
    before = sha256;
  }
}
