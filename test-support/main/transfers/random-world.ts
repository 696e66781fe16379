import { createRandom } from '../../random.ts';
import { describeLimit, leastAnswerMs, limitOfSeed, settingsUnder } from './service-limit.ts';
import type { Weather } from './weather.ts';
import { World } from './world.ts';

const steps = 40;

/**
 * Runs one world from its seed: a person, a stranger, outages, the clock and kills act in random order, over few names so
 * they collide. The same seed replays it except for the timing of file reads on threads: a failure may need several
 * replays. @throws a broken invariant
 */
export async function runWorld(seed: number, log: (line: string) => void = () => undefined): Promise<void> {
  const random = createRandom(seed);
  const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)] as T;
  const upTo = (most: number) => Math.floor(random() * most);
  const names = ['a/1', 'a/2', 'b/1', 'b/2', 'c/1'];
  // Every fifth service changes its address. A generator of its own keeps the other events of a seed unchanged.
  const moves = createRandom(~seed);
  const movesAt = seed % 5 === 0 ? Math.floor(moves() * steps) : null;
  const world = await World.begin();
  world.service.processingMs = pick([0, 500, 5_000, 60_000]);
  world.service.answerMs = pick([0, 20, 400]);
  world.service.deletionMs = pick([0, 3_000, 40_000]);
  world.service.deletionKind = pick(['usual', 'usual', 'usual', 'hidden']);
  // Every second service refuses what is beyond its limit. Own generator, as above.
  const limit = limitOfSeed(seed);
  world.service.limit = limit;
  world.service.answerMs = Math.max(world.service.answerMs, leastAnswerMs(limit));
  world.settings = settingsUnder(limit);
  log(`the service ${describeLimit(limit)}`);

  // In two of three worlds the service's clock differs.
  world.service.aheadMs = ((seed % 3) - 1) * 90_000;
  // Every seventh service confirms some deletions that have no effect. Own generator, as above.
  const losses = createRandom(seed ^ 0x27d4eb2f);
  if (seed % 7 === 0) world.service.lostDeletions = 1 + Math.floor(losses() * 3);

  // At every third service a stranger writes between two requests. Own generator, as above.
  const strangers = createRandom(seed ^ 0x5bd1e995);
  if (seed % 3 === 0) {
    world.service.weatherOf = (_, identifier) => {
      if (strangers() < 0.04 && names.includes(identifier)) {
        world.service.remove(identifier, 'stranger');
        if (strangers() < 0.7)
          world.service.put(identifier, Buffer.from(`in between ${strangers()}`), 'stranger');
      }
      return null;
    };
  }

  // Every eleventh service stores some uploads that it answers with 409. Own generator, as above.
  const denials = createRandom(seed ^ 0x2545f491);
  if (seed % 11 === 0) world.service.falseConflicts = 1 + Math.floor(denials() * 6);

  // In every second world a person changes classifications. Own generator, as above.
  const classes = createRandom(seed ^ 0x1b873593);
  const reclassify = async () => {
    const [name, classification] = [
      names[Math.floor(classes() * names.length)],
      [null, 'Internal', 'Secret'][Math.floor(classes() * 3)],
    ];
    if (seed % 2 === 0 && classes() < 0.1) await world.reclassify(name ?? '', classification ?? null);
  };

  // In the other ones a person gives objects other identifiers. Own generator, as above.
  const renames = createRandom(seed ^ 0x165667b1);
  const rename = async () => {
    const [from = '', to = ''] = [names, [...names, 'd/1']].map(
      (all) => all[Math.floor(renames() * all.length)],
    );
    if (seed % 2 === 1 && renames() < 0.1 && from !== to) await world.rename(from, to);
  };

  // A person deletes in the window, and undoes some of it. Own generator, as above.
  const doubts = createRandom(seed ^ 0x632be59b);
  const deleteHeld = async () => {
    if (doubts() < 0.15) await world.deleteHeld(names[Math.floor(doubts() * names.length)] ?? '');
    if (doubts() < 0.1) world.undoDeletion();
  };

  const weathers: Weather[] = [
    { kind: 'fine' },
    { kind: 'fine' },
    { kind: 'lossy' },
    { kind: 'cutting' },
    { kind: 'errors' },
    { kind: 'unreachable' },
    { kind: 'refused' },
    { kind: 'tooMany', retryAfterMs: null },
    { kind: 'tooMany', retryAfterMs: 30_000 },
    { kind: 'unavailable', retryAfterMs: 120_000 },
  ];
  const ids = async () => [...(await world.transfers()), ...(await world.jobs())].map(({ id }) => id);
  const classification = () =>
    pick([{}, {}, ...[null, 'Internal', 'Secret'].map((classification) => ({ classification }))]);
  const route = () => pick(['direct', 'direct', 'deferred'] as const);

  const acts: readonly [weight: number, name: string, act: () => Promise<void>][] = [
    [
      6,
      'upload',
      () =>
        world.upload(pick(names), {
          ifExists: pick(['ask', 'skip', 'keepBoth', 'newVersion', 'newVersion', 'replace', 'replace']),
          route: route(),
          ...classification(),
        }),
    ],
    [
      3,
      'upload in parts',
      () =>
        world.upload(pick(names), {
          ifExists: pick(['ask', 'skip', 'keepBoth', 'newVersion', 'replace']),
          route: route(),
          ...classification(),
          sizeBytes: pick([4_001, 6_000, 9_500]),
        }),
    ],
    [4, 'download', async () => world.download(pick(names), route())],
    [2, 'delete', () => world.delete(pick(names))],
    [1, 'delete a version', () => world.delete(pick([...world.service.versions.keys(), 'a/1']))],
    [1, 'storeSecret', () => world.storeSecret()],
    [1, 'readSecret', () => world.readSecret()],
    [
      2,
      'stranger stores',
      async () => {
        const name = pick(names);
        if (world.service.get(name) === undefined)
          world.service.put(name, Buffer.from(`a stranger's ${upTo(1e6)}`), 'stranger');
      },
    ],
    [1, 'stranger stores a version', async () => world.storeVersionAsStranger(pick(names), upTo(1e6))],
    [1, 'stranger deletes', async () => world.service.remove(pick(names), 'stranger')],
    [3, 'weather', async () => world.setWeather(pick(weathers))],
    [6, 'time', () => world.clock.advance(pick([0, 10, 100, 1_000, 20_000, 200_000]))],
    [2, 'kill', () => world.kill(pick([0, 1_000, 600_000]))],
    [
      1,
      'cancel',
      async () => {
        const all = await ids();
        if (all.length > 0)
          await world.settle(world.engine.actions.cancel({ kind: 'ids', ids: [pick(all)] }));
      },
    ],
    [
      1,
      'retry',
      async () => {
        const all = await ids();
        if (all.length > 0) await world.retry(pick(all));
      },
    ],
    [1, 'pause', () => world.settle(world.engine.actions.pause('all', random() < 0.5))],
    [1, 'stop now', () => world.settle(world.engine.actions.stopNow())],
    [2, 'answer', () => world.answer(pick(['skip', 'keepBoth', 'newVersion', 'replace']), random() < 0.5)],
    [1, 'undo', () => world.undo(pick(names))],
    [
      1,
      'keep on the service',
      async () => {
        const failed = (await world.transfers()).find(({ error }) => error?.code === 'noRoomToKeep');
        if (failed) await world.keepOnService(failed.id);
      },
    ],
    [1, 'disk', async () => void (world.freeBytes = world.freeBytes === null ? 1000 : null)],
  ];
  const total = acts.reduce((sum, [weight]) => sum + weight, 0);
  const choose = () => {
    let left = random() * total;
    for (const act of acts) {
      left -= act[0];
      if (left < 0) return act;
    }
    return acts[0] as (typeof acts)[number];
  };
  try {
    for (let step = 0; step < steps; step += 1) {
      if (step === movesAt) {
        log(`${step} move`);
        await world.move(moves() < 0.3);
      }
      await reclassify();
      await rename();
      await deleteHeld();
      const [, name, act] = choose();
      log(`${step} ${name}`);
      await act();
      if (step % 8 === 7) await world.look();
    }
    log('end');
    await world.end();
  } finally {
    await world.leave();
  }
}
