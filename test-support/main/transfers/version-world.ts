import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { versionMarkDefault } from '../../../src/shared/domain/profile.ts';
import { versionOf } from '../../../src/shared/domain/versions.ts';
import { isPartId, readManifest } from '../../../src/main/transfers/parts/manifest.ts';
import { createRandom } from './random-world.ts';
import type { SimulatedService, Weather } from './simulated-service.ts';
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
const classifications = [null, 'Public', 'Restricted'];

/**
 * The same few contents again and again as new versions, and older versions made current, while requests fail, the process is killed,
 * and a stranger stores versions: what is there already as the newest version is not stored once more, however many upload it at once,
 * and nothing is stored more often than it was asked for. @throws what must never happen
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
  // By numbers of their own: what else happens stays as it is.
  const choices = createRandom(seed ^ 0x3c6ef372);
  const choose = <T>(items: readonly T[]): T | undefined => items[Math.floor(choices() * items.length)];
  const asked: Asked[] = [];
  const movesAt = seed % 5 === 0 ? Math.floor(choices() * steps) : null;
  const deletionMs = choose([0, 3_000]) ?? 0;
  for (const service of world.services) service.deletionMs = deletionMs;

  async function makeCurrent(name: string): Promise<string | null> {
    const older = versionsOf(world.service, name).slice(0, -1);
    const version = choose(older);
    if (!version || !(await world.makeCurrent(version.identifier))) return null;
    asked.push({ base: name, sha256: version.sha256 });
    log(`make current ${version.identifier}`);
    return version.identifier;
  }

  async function interfere(step: number): Promise<void> {
    if (step === movesAt) {
      log(`${step} move`);
      await world.move(choices() < 0.3);
    }
    const name = choose(names) ?? '';
    const what = choices();
    if (what < 0.2) {
      const identifier = await makeCurrent(name);
      if (identifier !== null && choices() < 0.3) {
        log(`delete ${identifier}`);
        await world.delete(identifier);
      }
    } else if (what < 0.26) {
      log(`stranger ${name}`);
      world.storeVersionAsStranger(name, choices());
    }
  }

  try {
    for (let step = 0; step < steps; step += 1) {
      const what = random();
      if (what < 0.6) {
        const [name, text] = [pick(names), pick(contents)];
        const route = pick(['direct', 'direct', 'deferred'] as const);
        log(`${step} ${route} ${name} ${text.slice(0, 5)}`);
        await world.upload(name, {
          ifExists: 'newVersion',
          route,
          text,
          classification: choose(classifications) ?? null,
        });
        asked.push({ base: name, sha256: hash('sha256', text) });
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
      await interfere(step);
    }
    await world.end();
    for (const name of names) await lookAtNewest(name);
    for (const service of world.services) lookAtStored(service, asked);
    lookAtDeleted(world);
  } finally {
    await world.leave();
  }

  /** One more is made current, and nobody else does anything: it is the newest then. */
  async function lookAtNewest(name: string): Promise<void> {
    const identifier = await makeCurrent(name);
    const wanted = asked.at(-1)?.sha256;
    if (identifier === null) return;
    world.setWeather(choose(weathers) ?? { kind: 'fine' });
    await world.clock.advance(choose([0, 100, 2_000]) ?? 0);
    if (choices() < 0.5) await world.kill(0);
    await world.end();
    const newest = versionsOf(world.service, name).at(-1);
    assert.equal(newest?.sha256, wanted, `${newest?.identifier} is not what ${identifier} is`);
  }
}

/** That these bytes become a version of this. */
interface Asked {
  readonly base: string;
  readonly sha256: string;
}

interface Stored {
  readonly identifier: string;
  readonly number: number;
  readonly sha256: string;
}

/** Those that are there, the first first. */
function versionsOf(service: SimulatedService, base: string): Stored[] {
  return [...service.versions.keys()]
    .map((identifier) => ({ identifier, ...versionOf(identifier, '/', versionMarkDefault) }))
    .filter((version) => version.base === base && !isPartId(version.identifier))
    .flatMap(({ identifier, number }) => {
      const bytes = service.get(identifier);
      return bytes ? [{ identifier, number, sha256: digestOf(identifier, bytes) }] : [];
    })
    .toSorted((one, other) => one.number - other.number);
}

/** Of the file, also where its list of parts is what lies there. */
function digestOf(identifier: string, bytes: Uint8Array): string {
  const reading = readManifest(bytes, identifier, '/');
  return reading.kind === 'manifest' ? reading.manifest.sha256 : hash('sha256', bytes);
}

function lookAtStored(service: SimulatedService, asked: readonly Asked[]): void {
  for (const name of names) {
    let before: Stored | null = null;
    for (const version of versionsOf(service, name)) {
      const isNext: boolean = before?.number === version.number - 1;
      assert.ok(
        !isNext || before?.sha256 !== version.sha256,
        `${version.identifier} holds what the version before it holds`,
      );
      before = version;
    }
  }
  const counts = new Map<string, number>();
  for (const [identifier, versions] of service.versions) {
    if (isPartId(identifier)) continue;
    const { base } = versionOf(identifier, '/', versionMarkDefault);
    for (const { by, text } of versions) {
      if (by !== 'us') continue;
      const sha256 = digestOf(identifier, Buffer.from(text));
      const count = (counts.get(`${base} ${sha256}`) ?? 0) + 1;
      counts.set(`${base} ${sha256}`, count);
      const most = asked.filter((each) => each.base === base && each.sha256 === sha256).length;
      assert.ok(
        count <= most,
        `${text.slice(0, 20)} was stored ${count} times for ${most} words: ${identifier}`,
      );
    }
  }
}

/** Whatever is gone was to be deleted. */
function lookAtDeleted({ services, words }: World): void {
  const meant = new Set(words.flatMap(({ kind, identifier }) => (kind === 'delete' ? [identifier] : [])));
  for (const { versions } of services)
    for (const [identifier, stored] of versions)
      assert.ok(
        isPartId(identifier) || meant.has(identifier) || stored.at(-1)?.untilMs === Infinity,
        `${identifier} is gone`,
      );
}
