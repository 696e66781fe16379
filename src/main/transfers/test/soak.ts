import { parseArgs } from 'node:util';
import { startVitest } from 'vitest/node';
import { runWorld } from './random-world.ts';

const usage = `npm run soak -- --seeds N [--from N]   worlds from N seeds, the first is 1
npm run soak -- --kills N [--from N]   the real process, killed N times or a few more
npm run soak -- --seed N               replays one world and says what happens in it
`;
/** Each seed of the kill test kills as often, when there are at least three of them. */
const killsPerSeed = 4;
const leastKillSeeds = 3;

const values = readArguments();
if (values) {
  const hasFailed = values.kills > 0 && (await kill(values.kills, values.from)) > 0;
  const isOne = values.seed !== null;
  const worlds = isOne ? 1 : values.seeds;
  const failed = worlds > 0 ? await runWorlds(values.seed ?? values.from, worlds, isOne) : 0;
  process.exitCode = hasFailed || failed > 0 ? 1 : 0;
}

/** null: they make no sense, and that was said. */
function readArguments() {
  const options = {
    seeds: { type: 'string' },
    from: { type: 'string' },
    kills: { type: 'string' },
    seed: { type: 'string' },
  } as const;
  try {
    const { values: given } = parseArgs({ options });
    const number = (name: keyof typeof options) => {
      const value = Number(given[name] ?? NaN);
      if (given[name] === undefined) return null;
      if (!Number.isSafeInteger(value) || value < 0)
        throw new Error(`--${name} takes a whole number from 0 on`);
      return value;
    };
    const kills = number('kills');
    // Kills alone are just that.
    const seeds = number('seeds') ?? (kills === null ? 100 : 0);
    return { seeds, from: number('from') ?? 1, kills: kills ?? 0, seed: number('seed') };
  } catch (cause) {
    process.stderr.write(`${cause instanceof Error ? cause.message : String(cause)}\n\n${usage}`);
    process.exitCode = 2;
    return null;
  }
}

/** Answers how many failed. */
async function runWorlds(from: number, count: number, isTold: boolean): Promise<number> {
  let failed = 0;
  for (let seed = from; seed < from + count; seed += 1) {
    try {
      await runWorld(seed, (line) => isTold && process.stdout.write(`${line}\n`));
    } catch (cause) {
      failed += 1;
      const text = cause instanceof Error ? (cause.stack ?? cause.message) : String(cause);
      const lines = text.split('\n').slice(0, isTold ? undefined : 3);
      process.stdout.write(`seed ${String(seed)}: ${lines.join('\n')}\n`);
    }
  }
  process.stdout.write(`${String(count)} worlds, ${String(failed)} failed\n`);
  return failed;
}

/** Runs `kill.test.ts` over as many seeds as it takes. Answers how many failed; the runner names them. */
async function kill(kills: number, from: number): Promise<number> {
  const seeds = Math.max(Math.ceil(kills / killsPerSeed), leastKillSeeds);
  process.env['COFFER_KILL_SEEDS'] = String(seeds);
  process.env['COFFER_KILL_FROM'] = String(from);
  const vitest = await startVitest('test', ['src/main/transfers/kill.test.ts'], { watch: false });
  const tests = vitest.state.getTestModules().flatMap(({ children }) => [...children.allTests()]);
  const failed = tests.filter((test) => !test.ok()).length + Number(tests.length !== seeds);
  await vitest.close();
  process.stdout.write(`${String(seeds * killsPerSeed)} kills over ${String(seeds)} seeds, `);
  process.stdout.write(`${String(failed)} seeds failed\n`);
  return failed;
}
