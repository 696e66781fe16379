import { randomBytes } from 'node:crypto';
import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { startFaultServer, type FaultyRequest, type FaultServer } from '../../e2e/faults/fault-server.ts';
import { createRandom } from '../random.ts';
import { openProcessWorld, type Ended } from './process-world.ts';

/** Maximum number of tries per night until the upload is complete. */
const maxTries = 15;

/**
 * Simulates a nightly cron job: uploads a folder, changed files as new versions, and repeats until the command
 * reports success. Meanwhile the service answers 503, refuses connections and cuts one, and the command is killed at
 * random moments. In the end the service has each content of each file once, in order, and nothing else.
 */
export async function runNights(seed: number, nights: number): Promise<void> {
  const random = createRandom(seed);
  const below = (most: number) => Math.floor(random() * most);
  const world = await openProcessWorld();
  const trouble = createTrouble(world.service, random);
  /** By path: the file's content at the end of each night. */
  const contents = new Map<string, Buffer[]>();
  const tries: string[] = [];
  /** @throws with the history */
  function check(isRight: boolean, problem: string): void {
    if (!isRight) throw new Error(`round ${seed}: ${problem}\n${tries.join('\n')}`);
  }

  function write(path: string): void {
    const bytes = randomBytes(1 + below(below(4) === 0 ? 1_500_000 : 30_000));
    const full = join(world.files, 'reports', path);
    mkdirSync(dirname(full), { recursive: true });
    writeFileSync(full, bytes);
    contents.set(path, [...(contents.get(path) ?? []), bytes]);
  }

  function workOfTheDay(day: number): void {
    for (const path of contents.keys()) {
      const what = random();
      if (what < 0.4) write(path);
      // Rewritten with the same bytes: nothing to upload.
      else if (what < 0.5) utimesSync(join(world.files, 'reports', path), day + 1, day + 1);
    }
    for (let count = day === 0 ? 3 + below(5) : below(3); count > 0; count -= 1)
      write(`${below(2) === 0 ? '' : `sub ${below(2)}/`}${day}-${count}${below(3) === 0 ? '' : '.txt'}`);
  }

  const identifierOf = (path: string, number: number) =>
    `reports/${path.replace(/(\.txt)?$/, `${number === 1 ? '' : `@${number}`}$1`)}`;

  /** By identifier. */
  function expected(): Map<string, Buffer> {
    const all = new Map<string, Buffer>();
    for (const [path, versions] of contents)
      for (const [index, bytes] of versions.entries()) all.set(identifierOf(path, index + 1), bytes);
    return all;
  }

  /** The first difference in words; null: none. */
  function difference(): string | null {
    const { objects } = world.service;
    const wanted = expected();
    for (const [identifier, bytes] of wanted) {
      const stored = objects.get(identifier)?.bytes;
      if (!stored) return `${identifier} is not there`;
      if (!stored.equals(bytes)) return `${identifier} has other bytes`;
    }
    for (const identifier of objects.keys()) if (!wanted.has(identifier)) return `${identifier} is too much`;
    return null;
  }

  async function putAndKill(args: readonly string[]): Promise<Ended> {
    const run = world.coffer('put', 'reports', ...args);
    await Promise.race([setTimeout(200 + random() * 1800).then(run.kill), run.ended]);
    return run.ended;
  }

  /** Only a process of its own can be killed. */
  async function tryOnce(mayKill: boolean): Promise<Ended> {
    const args = ['--if-exists', 'version', '--quiet', '--wait', '1'];
    const ended = await (mayKill ? putAndKill(args) : world.look('put', 'reports', ...args));
    tries.push(`${String(ended.code)} ${ended.stderr} requests ${trouble.told()}`);
    return ended;
  }

  for (let night = 0; night < nights; night += 1) {
    workOfTheDay(night);
    trouble.comes();
    let isDone = false;
    for (let count = 0; !isDone; count += 1) {
      check(count < maxTries, 'it does not come to its end');
      const mayKill = count < 3 && random() < 0.5;
      const { code, stderr } = await tryOnce(mayKill);
      isDone = code === 0;
      // Nothing fails permanently here: unfinished uploads continue on their own, and the command gives the reason.
      check(isDone || code === 5 || (code === null && mayKill), `exit code ${String(code)}`);
      check(code !== 5 || stderr !== '', 'it does not say what is left');
      if (isDone) check(difference() === null, `exit code 0, and ${difference()}`);
    }
  }
  await trouble.over();
  // Finishes what a killed command left, without changing anything.
  const { code, stdout } = await world.look('transfers', '--follow');
  check(code === 0 && difference() === null, `in the end ${difference()}\n${stdout}`);
  // The list shows the newest version of each.
  const listed = (await world.look('ls', '--json')).stdout.trim().split('\n');
  const rows = listed.map((line) => JSON.parse(line) as { identifier: string; state: string });
  const shown = rows.map(({ identifier, state }) => `${identifier} ${state}`).toSorted();
  const newest = [...contents].map(([path, { length }]) => `${identifierOf(path, length)} stored`).toSorted();
  check(isDeepStrictEqual(shown, newest), `listed are ${shown.join(', ')}`);
  await trouble.close();
}

/** Three failures a night, each at a random request. */
function createTrouble(first: FaultServer, random: () => number) {
  const { token, objects, baseAddress } = first;
  const port = Number(new URL(baseAddress).port);
  let server = first;
  let away: Promise<void> | null = null;
  let count = 0;
  let busyUntil = 0;
  let told = '';
  let next: { at: number; kind: 'busy' | 'refuses' | 'drops' }[] = [];

  async function goAway(): Promise<void> {
    await server.close();
    await setTimeout(random() * 1500);
    server = await startFaultServer({ port, objects, token, plan });
  }

  function plan({ method, identifier }: FaultyRequest): ReturnType<FaultServer['plan']> {
    count += 1;
    told += ` ${method} ${identifier}`;
    const [due] = next;
    if (due && count >= due.at) {
      next.shift();
      told += ` (${due.kind})`;
      if (due.kind === 'refuses') away = goAway();
      else if (due.kind === 'busy') busyUntil = count + 1 + Math.floor(random() * 5);
      else if (method === 'POST' && random() < 0.5) return { cutRequestAtBytes: Math.floor(random() * 2000) };
      else return { cutAnswerAtBytes: Math.floor(random() * 40), cutBy: 'reset' };
    }
    return count < busyUntil ? { status: 503 } : null;
  }
  first.plan = plan;

  return {
    comes() {
      count = 0;
      busyUntil = 0;
      const at = () => 1 + Math.floor(random() * 15);
      next = (['busy', 'refuses', 'drops'] as const)
        .map((kind) => ({ kind, at: at() }))
        .toSorted((a, b) => a.at - b.at);
    },
    /** Returns the new failures since the last call. */
    told() {
      const all = told;
      told = '';
      return all;
    },
    async over() {
      next = [];
      busyUntil = 0;
      await away;
    },
    close: () => server.close(),
  };
}
