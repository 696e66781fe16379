import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { SimulatedService } from './simulated-service.ts';
import type { Weather } from './weather.ts';
import { serviceId } from './world-acts.ts';
import { World } from './world.ts';

export const oldText = 'the old one, stored by somebody';
export const newText = 'the new one';
export const replacedId = 'a/report.txt';

/** The classification of the object before and after, in runs that change it. */
const [oldClass, newClass] = ['Internal', 'Secret'];

/** What goes wrong with one Replace. A step is a request, a durable write or a change of an undo copy. */
export interface Mishap {
  /** The object is replaced by its own bytes, with another classification. */
  readonly reclassifies?: boolean;
  /** The step at which the process is killed, as by SIGKILL. */
  readonly stopsAt?: number;
  readonly deletionKind?: SimulatedService['deletionKind'];
  readonly deletionMs?: number;
  readonly lostDeletions?: number;
  readonly answerMs?: number;
  /** The request, counted from the first, that fails this way. */
  readonly weather?: { readonly atRequest: number; readonly kind: Weather };
  /** A stranger writes just before this request is carried out. */
  readonly stranger?: { readonly atRequest: number; readonly text: string | null };
}

export function textAt(world: World, identifier: string = replacedId): string | undefined {
  const bytes = world.service.peek(identifier);
  return bytes && Buffer.from(bytes).toString();
}

/** Everything at the service except the object. */
export function besides(world: World): string[] {
  return [...world.service.versions.keys()].filter((name) => name.includes('~') && world.service.peek(name));
}

/** Advances time until everything has ended, failed or has a prompt. Restarts what was killed. */
export async function untilOver(world: World): Promise<void> {
  for (let round = 0; round < 300; round += 1) {
    await world.clock.advance(30_000);
    const all = await world.seen(() => world.transfers());
    world.setWeather({ kind: 'fine' });
    const isOver = all.every(
      ({ state, waitingFor }) =>
        state === 'done' || state === 'failed' || state === 'cancelled' || waitingFor === 'answer',
    );
    if (isOver && world.isAlive && (await world.database.transfers.interrupted()).length === 0) return;
  }
  throw new Error(`it did not come to its end: ${await world.describeOpen()}`);
}

/** Runs one Replace with one mishap to its end. Returns how many steps and requests it took. */
export async function runReplace(mishap: Mishap): Promise<{ steps: number; requests: number }> {
  const { reclassifies = false, stopsAt = null, weather, stranger, ...service } = mishap;
  const world = await World.begin();
  try {
    Object.assign(world.service, service);
    let requests = 0;
    world.service.weatherOf = () => {
      requests += 1;
      if (stranger?.atRequest === requests) write(world, stranger.text);
      return weather?.atRequest === requests ? weather.kind : null;
    };
    world.service.put(replacedId, Buffer.from(oldText), 'stranger', oldClass);
    await world.know(replacedId);
    if (reclassifies) await world.reclassify(replacedId, newClass);
    else await world.upload(replacedId, { ifExists: 'replace', text: newText });
    world.stopsAt = stopsAt;
    await untilOver(world);
    const steps = world.steps;
    world.stopsAt = null;
    if (reclassifies) await checkReclassified(world, stranger !== undefined);
    else if (stranger) await answerStranger(world);
    else await checkEnd(world);
    return { steps, requests };
  } finally {
    await world.leave();
  }
}

/** @param text null: deletes the object */
function write(world: World, text: string | null): void {
  world.service.remove(replacedId, 'stranger');
  if (text !== null) world.service.put(replacedId, Buffer.from(text), 'stranger');
}

/** Checks that the new bytes are stored, the old ones are in an undo copy, and nothing is left over. */
async function checkEnd(world: World): Promise<void> {
  await world.look();
  const [transfer] = await world.transfers();
  assert.equal(transfer?.state, 'done', JSON.stringify(transfer?.error));
  assert.equal(textAt(world), newText);
  assert.deepEqual(besides(world), []);
  const row = await world.rowOf(replacedId);
  assert.deepEqual([row?.state, row?.lengthBytes], ['stored', newText.length]);
  const versions = await world.undoCopies.ofObject(serviceId, replacedId);
  assert.deepEqual(
    versions.map(({ lengthBytes }) => lengthBytes),
    [oldText.length],
  );
  await checkFiles(world);
}

/**
 * Checks that the old bytes have the new classification and nothing is left over or, after a stranger's write, that
 * anything left over is on the list.
 */
async function checkReclassified(world: World, mayFail: boolean): Promise<void> {
  await world.look();
  const [transfer] = await world.transfers();
  const row = await world.rowOf(replacedId);
  if (mayFail && transfer?.state === 'failed') {
    assert.equal(transfer.error?.code, 'objectChanged');
    for (const identifier of besides(world)) {
      assert.equal(textAt(world, identifier), oldText);
      assert.equal((await world.rowOf(identifier))?.state, 'stored');
    }
  } else {
    assert.equal(transfer?.state, 'done', JSON.stringify(transfer?.error));
    assert.deepEqual([row?.state, row?.classification], ['stored', newClass]);
    if (!mayFail)
      assert.deepEqual([textAt(world), world.service.classificationOf(replacedId)], [oldText, newClass]);
    // If a second deletion was needed, the first may still take effect: the copy stays, on the list.
    const deletions = world.service.requests.filter(
      ({ what, identifier }) => what === 'DELETE' && identifier === replacedId,
    );
    assert.ok(deletions.length > 1 || besides(world).length === 0, besides(world).join(', '));
    for (const identifier of besides(world)) assert.equal((await world.rowOf(identifier))?.state, 'stored');
  }
  await checkFiles(world);
}

/** Checks that no bytes were lost whatever the stranger did, and that answering the conflict prompt continues the Replace. */
async function answerStranger(world: World): Promise<void> {
  await world.look();
  for (let round = 0; round < 5; round += 1) {
    const [transfer] = await world.transfers();
    if (transfer?.waitingFor !== 'answer') break;
    await world.answer('replace', false);
    await untilOver(world);
  }
  await world.look();
  const [transfer] = await world.transfers();
  assert.equal(transfer?.state, 'done', JSON.stringify(transfer));
  assert.deepEqual(besides(world), []);
  await checkFiles(world);
}

/** Checks that each file has a row, and each row a file. */
export async function checkFiles(world: World): Promise<void> {
  const files = new Set<string>(await readdir(join(world.folder, 'kept')).catch(() => []));
  const versions = await world.undoCopies.ofObject(serviceId, replacedId);
  assert.deepEqual(files, new Set(versions.map(({ file }) => file)));
}

const deletions: readonly Mishap[] = [
  {},
  { deletionMs: 5_000 },
  { deletionKind: 'hidden', deletionMs: 9_000 },
  { lostDeletions: 2 },
  { deletionMs: 2_000, answerMs: 400 },
];
const weathers: readonly Weather[] = [
  { kind: 'lossy' },
  { kind: 'errors' },
  { kind: 'unreachable' },
  { kind: 'refused' },
  { kind: 'cutting' },
  { kind: 'tooMany', retryAfterMs: null },
  { kind: 'unavailable', retryAfterMs: 30_000 },
];
const strangers = ['a third one', null, newText, oldText, 'a longer third one that has the le'];

/** Kills at each step of a Replace, for each kind of deletion; weather and strangers at each request. */
export async function allMishaps(): Promise<Mishap[]> {
  const mishaps: Mishap[] = [];
  for (const reclassifies of [false, true]) {
    for (const deletion of deletions) {
      const { steps } = await runReplace({ ...deletion, reclassifies });
      for (let stopsAt = 1; stopsAt <= steps; stopsAt += 1)
        mishaps.push({ ...deletion, reclassifies, stopsAt });
    }
    const { requests } = await runReplace({ reclassifies });
    for (let atRequest = 1; atRequest <= requests; atRequest += 1) {
      for (const kind of weathers) mishaps.push({ reclassifies, weather: { atRequest, kind } });
      for (const text of strangers) mishaps.push({ reclassifies, stranger: { atRequest, text } });
    }
  }
  return mishaps;
}

/** Runs these, and returns those that broke a promise. */
export async function failuresOf(mishaps: readonly Mishap[]): Promise<[Mishap, string][]> {
  const failed: [Mishap, string][] = [];
  for (const mishap of mishaps)
    await runReplace(mishap).catch((cause: unknown) => failed.push([mishap, String(cause)]));
  return failed;
}

/** A sample: every fourth step, and each request once, with alternating weather and strangers. */
export function* someMishaps(steps: number, requests: number): Generator<Mishap> {
  for (let stopsAt = 1; stopsAt <= steps; stopsAt += 4)
    yield { ...deletions[(stopsAt >> 2) % deletions.length], stopsAt };
  for (let atRequest = 1; atRequest <= requests; atRequest += 1) {
    yield { weather: { atRequest, kind: weathers[atRequest % weathers.length] ?? { kind: 'lossy' } } };
    yield { stranger: { atRequest, text: strangers[atRequest % strangers.length] ?? null } };
  }
}
