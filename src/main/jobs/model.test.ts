import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Weather } from './test/simulated-service.ts';
import { World } from './test/world.ts';

const minuteMs = 60_000;
const runs = Number(process.env['COFFER_MODEL_RUNS'] ?? 15);
const maxCommands = 40;

type Act = (world: World) => Promise<void> | void;
interface Said {
  readonly says: string;
  readonly act: Act;
}

/** A command is what happens next; everything that must hold is looked at after it. */
class Happening implements fc.AsyncCommand<object, World> {
  readonly #said: Said;
  constructor(said: Said) {
    this.#said = said;
  }
  check = () => true;
  async run(_model: object, world: World): Promise<void> {
    await this.#said.act(world);
    await world.clock.advance(0);
    await world.look();
  }
  toString(): string {
    return this.#said.says;
  }
}

function happening(says: string, act: Act): fc.Arbitrary<Happening> {
  return fc.constant(new Happening({ says, act }));
}

const weathers: Weather[] = [
  { kind: 'fine' },
  { kind: 'unreachable' },
  { kind: 'refused' },
  { kind: 'tooMany', retryAfterMs: null },
  { kind: 'tooMany', retryAfterMs: 90_000 },
  { kind: 'errors' },
  { kind: 'lossy' },
  { kind: 'lossyStarts' },
  { kind: 'cutting' },
];

const commands = [
  happening('download', (world) => world.download()),
  happening('upload', (world) => world.upload()),
  happening('store secret', (world) => world.storeSecret()),
  happening('read secret', (world) => world.readSecret()),
  fc
    .constantFrom(0, 500, 5000, minuteMs, 10 * minuteMs, 25 * minuteMs, 40 * minuteMs)
    .map(
      (ms) => new Happening({ says: `takes ${ms}`, act: (world) => void (world.service.processingMs = ms) }),
    ),
  fc
    .constantFrom(0, 20, 3000)
    .map(
      (ms) => new Happening({ says: `answers in ${ms}`, act: (world) => void (world.service.answerMs = ms) }),
    ),
  fc
    .constantFrom(1000, 30_000, 5 * minuteMs, 28 * minuteMs)
    .map((ms) => new Happening({ says: `wait ${ms}`, act: (world) => world.clock.advance(ms) })),
  fc
    .constantFrom(2 * minuteMs, 20 * minuteMs, 45 * minuteMs)
    .map((ms) => new Happening({ says: `sleep ${ms}`, act: (world) => world.sleep(ms) })),
  fc.oneof(
    fc
      .constantFrom(-120 * minuteMs, -5 * minuteMs, 10 * minuteMs, 60 * minuteMs)
      .map((ms) => new Happening({ says: `set clock ${ms}`, act: (world) => world.setWall(ms) })),
    fc
      .constantFrom(0, minuteMs, 40 * minuteMs)
      .map((ms) => new Happening({ says: `restart after ${ms}`, act: (world) => world.restart(ms) })),
  ),
  fc
    .constantFrom(...weathers)
    .map(
      (weather) =>
        new Happening({ says: JSON.stringify(weather), act: (world) => world.setWeather(weather) }),
    ),
  fc.oneof(
    happening('check now', (world) => world.jobs.checkNow('all')),
    happening('start again', (world) => world.jobs.startAgain('all')),
    happening('clear', (world) => world.clear()),
    fc.nat().map(
      (number) =>
        new Happening({
          says: `cancel ${number}`,
          async act(world) {
            const jobs = world.all();
            const job = jobs[number % Math.max(jobs.length, 1)];
            if (job) await world.jobs.cancel([job.id]);
          },
        }),
    ),
  ),
];

test.each(['fixed', 'sliding'] as const)(
  'whatever happens, nothing is forgotten, lost while it could be had, or fetched twice: %s window',
  { timeout: 240_000 },
  async (window) => {
    const run = fc.assert(
      fc.asyncProperty(fc.commands(commands, { maxCommands, size: 'max' }), async (happenings) => {
        const world = await World.begin(window);
        try {
          await fc.asyncModelRun(() => ({ model: {}, real: world }), happenings);
          await world.end();
        } finally {
          await world.leave();
        }
      }),
      { numRuns: runs },
    );
    await expect(run).resolves.toBeUndefined();
  },
);
