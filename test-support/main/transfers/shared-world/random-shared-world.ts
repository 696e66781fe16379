import { AssertionError } from 'node:assert';
import { describeLimit, leastAnswerMs, limitOfSeed, settingsUnder } from '../service-limit.ts';
import type { Weather } from '../weather.ts';
import { createActs } from './acts.ts';
import { folderBases, FolderSync } from './folder-sync.ts';
import { createLuck, type Luck } from './luck.ts';
import { createNames, withoutChance } from './names.ts';
import type { Person } from './person.ts';
import { SharedWorld } from './shared-world.ts';
import { createStranger } from './strangers.ts';

const steps = 45;
const dayMs = 24 * 3_600_000;
const jumpsMs = [3_600_000, 5 * 3_600_000, 31 * dayMs, 365 * dayMs];
const weathers: readonly Weather[] = [
  { kind: 'fine' },
  { kind: 'fine' },
  { kind: 'fine' },
  { kind: 'lossy' },
  { kind: 'cutting' },
  { kind: 'errors' },
  { kind: 'unreachable' },
  { kind: 'tooMany', retryAfterMs: null },
];

/** Relative frequency of events; `act` is any action of a person. */
const weights = {
  act: 60,
  time: 16,
  kill: 2,
  dieSoon: 3,
  copy: 3,
  putBack: 3,
  jump: 2,
  weather: 3,
  token: 2,
};
const strangersWeights = { strangerStores: 2, strangerDeletes: 1, strangerStoresList: 2 };
type Event = keyof typeof weights | keyof typeof strangersWeights;

/**
 * Runs one world of several installations from its seed, over few names so that they collide. The same seed replays it.
 * @throws all broken invariants
 */
export async function runSharedWorld(
  seed: number,
  log: (line: string) => void = () => undefined,
): Promise<void> {
  const luck = createLuck(seed);
  const { pick, upTo, next } = luck;
  const world = await SharedWorld.begin();
  const { service } = world;
  Object.assign(service, {
    answerMs: pick([0, 0, 20, 400]),
    processingMs: pick([0, 500, 5_000]),
    deletionMs: pick([0, 0, 3_000, 40_000]),
    lostDeletions: pick([0, 0, 0, 2]),
    headLength: next() < 0.85,
    contentEncoding: next() < 0.1 ? 'gzip' : null,
  });
  // Every second service refuses what is beyond its limit. A generator of its own keeps the other events of a seed unchanged.
  const limit = limitOfSeed(seed);
  Object.assign(service, { limit, answerMs: Math.max(service.answerMs, leastAnswerMs(limit)) });
  log(`the service ${describeLimit(limit)}`);
  // In every third world one or two persons synchronise a folder. Own generator, as above.
  const folders = createLuck(seed ^ 0x3c6ef372);
  const hasFolders = folders.next() < 1 / 3;
  const names = createNames(luck, hasFolders ? folderBases : undefined);
  const stranger = createStranger(service, names, luck);
  const hasStrangers = next() < 0.4;
  const interferes = createLuck(~seed);
  world.between = (identifier) => {
    if (hasStrangers && interferes.next() < 0.02 && names.bases.includes(identifier))
      stranger.replaces(identifier);
  };
  const lie = createLies(world, createLuck(seed ^ 0x2545f491));
  const tokens = limitTokens(world, luck, names.bases);
  const drawAct = createActs(luck, names, service, (person) => world.forgetUndoCopies(person));
  const copies = new Map<Person, string[]>();

  /** Returns a line for the log. */
  async function happen(event: Exclude<Event, 'act'>, person: Person): Promise<string> {
    switch (event) {
      case 'time': {
        const ms = pick([0, 100, 1_000, 20_000, 60_000, 300_000]);
        await world.clock.advance(ms);
        return `${ms} ms`;
      }
      case 'kill':
        await person.restart();
        return '';
      case 'dieSoon':
        person.stopsAt = person.steps + 1 + upTo(12);
        return `in ${person.stopsAt - person.steps} steps`;
      case 'copy':
        copies.set(person, [...(copies.get(person) ?? []), person.copyDatabase()]);
        return '';
      case 'putBack': {
        const own = copies.get(person) ?? [];
        if (own.length === 0) return 'there is none';
        await person.putBack(pick(own));
        return `one of ${own.length}`;
      }
      case 'jump': {
        const ms = pick(jumpsMs) * pick([1, -1]);
        person.clock.setWall(ms);
        return `${ms} ms`;
      }
      case 'weather':
        service.weather = pick(weathers);
        if (service.weather.kind === 'fine') world.tellFine();
        return service.weather.kind;
      case 'token':
        return tokens.change(person);
      case 'strangerStores':
        return stranger.stores();
      case 'strangerDeletes':
        return stranger.deletes();
      case 'strangerStoresList':
        return stranger.storesList();
    }
  }

  async function go(step: number): Promise<void> {
    const event: Event = luck.weighed(hasStrangers ? { ...weights, ...strangersWeights } : weights);
    const person = pick(world.persons);
    const tell = (what: string) => log(withoutChance(`${step} ${person.who}: ${what}`));
    const lies = lie();
    if (lies !== null) log(`${step} the service will lie: ${lies}`);
    world.now = `step ${step}, ${event} of ${person.who}`;
    if (event !== 'act') return tell(`${event} ${await happen(event, person)}`);
    // A killed installation is restarted only when its person acts.
    if (!person.isAlive) await person.restart();
    const act = await drawAct(person);
    world.now = `step ${step}, ${act.name} of ${person.who}`;
    if (act.isAtOnce) await act.work();
    const came = act.isAtOnce ? 'done' : await world.attempt(person, act.work);
    tell(`${act.name} ${act.words}: ${came}`);
  }

  async function goInFolders(step: number): Promise<void> {
    for (const folder of world.folders) {
      if (folders.next() < 0.3) continue;
      world.now = `step ${step}, the folder of ${folder.person.who}`;
      log(withoutChance(`${step} the folder of ${folder.person.who}: ${await folder.happen()}`));
      // Time for a look of a command that watches it.
      await world.clock.advance(folders.pick([0, 1_000, 3_000]));
    }
  }

  try {
    const count = pick([2, 2, 3]);
    for (let number = 1; number <= count; number += 1) {
      const serviceIds = number === 1 && next() < 0.25 ? ['p', 'q'] : ['p'];
      const mark = next() < 0.1 ? '-v{number}' : undefined;
      const person = await world.join(`person ${number}`, serviceIds, mark);
      person.settings = settingsUnder(limit);
    }
    if (hasFolders)
      for (const person of world.persons.slice(0, folders.pick([1, 2])))
        world.folders.push(new FolderSync(world, person, folders));
    for (let step = 0; step < steps; step += 1) {
      await go(step);
      await goInFolders(step);
      await world.look();
    }
    await world.end();
  } finally {
    await world.leave();
  }
  if (world.faults.size === 0) return;
  const lines = [...world.faults].map(([fault, now]) => `${fault} (${now})`);
  throw new AssertionError({ message: `seed ${seed}:\n${lines.join('\n')}` });
}

/**
 * Lets every third service now and then say what is not so: success for what it did not do, 409 for what it has just
 * stored, a gateway's page for an answer. Returns a line for the log; null: it goes on as before.
 */
function createLies({ service }: SharedWorld, { next, pick, upTo }: Luck): () => string | null {
  if (next() > 1 / 3) return () => null;
  return () => {
    if (next() > 0.15) return null;
    const kind = pick(['lostUploads', 'falseConflicts', 'lostDeletions', 'pages'] as const);
    service[kind] = 1 + upTo(3);
    return kind;
  };
}

/** Restricts tokens to some objects; the service may answer 404 for the others. */
function limitTokens({ service }: SharedWorld, { pick }: Luck, bases: readonly string[]) {
  const hidden = new Map<string, { mark: string; status: 403 | 404 }>();
  service.refuses = ({ what, identifier, who }) => {
    const rule = hidden.get(who);
    if (!rule || what === 'POST' || what === 'start' || !identifier.includes(rule.mark)) return null;
    return rule.status === 403 ? { code: 'forbidden', status: 403 } : { code: 'missing', status: 404 };
  };
  return {
    change(person: Person): string {
      const { who } = person;
      person.isListUnsure = true;
      if (hidden.delete(who)) return 'may see all';
      const rule = { mark: pick(['~p-', '@', '~', pick(bases)]), status: pick([403, 404] as const) };
      hidden.set(who, rule);
      return `may not see ${rule.mark}, ${rule.status}`;
    },
  };
}
