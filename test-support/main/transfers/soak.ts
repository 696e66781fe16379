import '../local-files/one-file-worker.ts';
import './open-files.ts';
import './folder-faults.ts';
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import { startVitest } from 'vitest/node';
import { runWorld } from './random-world.ts';
import { allMishaps, runReplace } from './replace-world.ts';
import { describeLimit, limitOfSeed } from './service-limit.ts';
import type { Verdict, WorldKind } from './soak-worker.ts';
import { runTeamWorlds } from '../team/team-soak.ts';
import { runSharedWorld } from './shared-world/random-shared-world.ts';
import { runUndoWorld } from './undo-world.ts';
import { changes, runStepped } from './stepped-world.ts';

const usage = `npm run soak -- --seeds N [--from N]   worlds from N seeds, the first is 1
npm run soak -- --versions N [--from N] worlds in which the same contents are new versions again and again
npm run soak -- --undos N [--from N]   worlds in which a person undoes what was done
npm run soak -- --shared N [--from N]  worlds of several installations over one service
npm run soak -- --team N [--from N]    worlds of a team's list over a real server, on all cores
npm run soak -- --team-steps N [--from N] as --team, each world killed at each of its transactions in turn
npm run soak -- --kills N [--from N]   the real process, killed N times or a few more
npm run soak -- --nightly N [--from N] a folder uploaded by the command for some nights, N rounds
npm run soak -- --signals N [--from N] a command with COFFER_ADDRESS alone, ended by a signal, N rounds
npm run soak -- --seed N               replays one world and says what happens in it
npm run soak -- --shared-seed N        as --seed, of several installations
npm run soak -- --undo-seed N          as --seed, of a person who undoes
npm run soak -- --replace              one Replace with each mishap at each of its steps
npm run soak -- --steps                other changes of an object, killed at each of their steps
`;
/** Kills per seed of the kill test, if there are at least three seeds. */
const killsPerSeed = 4;
const leastKillSeeds = 3;
/** Real time; a world usually takes a third of a second. */
const longestWorldMs = 30_000;

const values = readArguments();
if (values) {
  const {
    seed,
    sharedSeed,
    undoSeed,
    from,
    seeds,
    versions,
    undos,
    shared,
    team,
    teamSteps,
    kills,
    nightly,
    signals,
    replaces,
    isStepped,
  } = values;
  let failed = seed === null ? 0 : await replay(runWorld, seed);
  if (sharedSeed !== null) failed += await replay(runSharedWorld, sharedSeed);
  if (undoSeed !== null) failed += await replay(runUndoWorld, undoSeed);
  if (kills > 0) failed += await kill(kills, from);
  if (nightly > 0) failed += await runNightly(nightly, from);
  if (signals > 0) failed += await runSignals(signals, from);
  if (replaces) failed += await runReplaces();
  if (isStepped) failed += await runAllSteps();
  if (versions > 0) failed += await runWorlds('versions', from, versions);
  if (undos > 0) failed += await runWorlds('undos', from, undos);
  if (shared > 0) failed += await runWorlds('shared worlds', from, shared);
  if (team > 0) failed += await runTeamWorlds(from, team, false);
  if (teamSteps > 0) failed += await runTeamWorlds(from, teamSteps, true);
  if (seeds > 0) failed += await runWorlds('worlds', from, seeds);
  process.exitCode = failed > 0 ? 1 : 0;
}

/** null: the arguments are invalid; a usage message was printed. */
function readArguments() {
  const options = {
    seeds: { type: 'string' },
    from: { type: 'string' },
    versions: { type: 'string' },
    undos: { type: 'string' },
    kills: { type: 'string' },
    nightly: { type: 'string' },
    signals: { type: 'string' },
    seed: { type: 'string' },
    shared: { type: 'string' },
    team: { type: 'string' },
    'team-steps': { type: 'string' },
    'shared-seed': { type: 'string' },
    'undo-seed': { type: 'string' },
    replace: { type: 'boolean' },
    steps: { type: 'boolean' },
  } as const;
  try {
    const { values: given } = parseArgs({ options });
    const number = (name: Exclude<keyof typeof options, 'replace'>) => {
      const value = Number(given[name] ?? NaN);
      if (given[name] === undefined) return null;
      if (!Number.isSafeInteger(value) || value < 0)
        throw new Error(`--${name} takes a whole number from 0 on`);
      return value;
    };
    const versions = number('versions');
    const undos = number('undos');
    const kills = number('kills');
    const nightly = number('nightly');
    const signals = number('signals');
    const seed = number('seed');
    const shared = number('shared');
    const team = number('team');
    const teamSteps = number('team-steps');
    const sharedSeed = number('shared-seed');
    const undoSeed = number('undo-seed');
    // Only kills or a replay were asked for.
    const replaces = given.replace === true;
    const isStepped = given.steps === true;
    const isAlone =
      [versions, undos, shared, team, teamSteps, sharedSeed, undoSeed, kills, nightly, signals, seed].some(
        (each) => each !== null,
      ) ||
      replaces ||
      isStepped;
    const seeds = number('seeds') ?? (isAlone ? 0 : 100);
    return {
      seeds,
      versions: versions ?? 0,
      undos: undos ?? 0,
      shared: shared ?? 0,
      team: team ?? 0,
      teamSteps: teamSteps ?? 0,
      from: number('from') ?? 1,
      kills: kills ?? 0,
      nightly: nightly ?? 0,
      signals: signals ?? 0,
      seed,
      sharedSeed,
      undoSeed,
      replaces,
      isStepped,
    };
  } catch (cause) {
    process.stderr.write(`${cause instanceof Error ? cause.message : String(cause)}\n\n${usage}`);
    process.exitCode = 2;
    return null;
  }
}

/** Returns the number of failures. */
async function runWorlds(kind: WorldKind, from: number, count: number): Promise<number> {
  let failed = 0;
  let worker: Worker | null = null;
  for (let seed = from; seed < from + count; seed += 1) {
    worker ??= new Worker(new URL('soak-worker.ts', import.meta.url));
    const { verdict, isUsable } = await runIn(worker, kind, seed);
    if (!isUsable) {
      await worker.terminate();
      worker = null;
    }
    if (verdict === null) continue;
    failed += 1;
    const limit =
      kind === 'versions' || kind === 'undos' ? '' : `, the service ${describeLimit(limitOfSeed(seed))}`;
    process.stdout.write(`seed ${String(seed)}${limit}: ${verdict.split('\n').slice(0, 3).join('\n')}\n`);
  }
  await worker?.terminate();
  process.stdout.write(`${String(count)} ${kind}, ${String(failed)} failed\n`);
  return failed;
}

/** A world that hangs counts as failed, and the next one starts in a new worker. */
async function runIn(
  worker: Worker,
  kind: WorldKind,
  seed: number,
): Promise<{ verdict: Verdict; isUsable: boolean }> {
  const signal = AbortSignal.timeout(longestWorldMs);
  worker.postMessage({ kind, seed });
  try {
    const [verdict] = (await once(worker, 'message', { signal })) as [Verdict];
    return { verdict, isUsable: true };
  } catch (cause) {
    const verdict = signal.aborted ? 'it did not come to its end' : String(cause);
    return { verdict, isUsable: false };
  }
}

/** Returns the number of failures. */
async function runReplaces(): Promise<number> {
  let failed = 0;
  let count = 0;
  for (const mishap of await allMishaps()) {
    count += 1;
    await runReplace(mishap).catch((cause: unknown) => {
      failed += 1;
      process.stdout.write(
        `${JSON.stringify(mishap)}: ${cause instanceof Error ? cause.message : String(cause)}\n`,
      );
    });
  }
  process.stdout.write(`${String(count)} Replaces, ${String(failed)} failed\n`);
  return failed;
}

/** Returns the number of failures. */
async function runAllSteps(): Promise<number> {
  let failed = 0;
  let count = 0;
  for (const change of changes) {
    const steps = await runStepped(change, null);
    for (let stopsAt = 1; stopsAt <= steps; stopsAt += 1) {
      count += 1;
      await runStepped(change, stopsAt).catch((cause: unknown) => {
        failed += 1;
        process.stdout.write(`${change.name}, step ${String(stopsAt)}: ${String(cause)}\n`);
      });
    }
  }
  process.stdout.write(`${String(count)} kills, ${String(failed)} failed\n`);
  return failed;
}

async function replay(run: typeof runWorld, seed: number): Promise<number> {
  try {
    await run(seed, (line) => process.stdout.write(`${line}\n`));
    return 0;
  } catch (cause) {
    process.stdout.write(`${cause instanceof Error ? (cause.stack ?? cause.message) : String(cause)}\n`);
    return 1;
  }
}

/**
 * Runs `kill.test.ts` over enough seeds for this many kills, and `recover-kills.test.ts` over as many.
 * @returns the number of failures, which the test runner lists
 */
async function kill(kills: number, from: number): Promise<number> {
  const seeds = Math.max(Math.ceil(kills / killsPerSeed), leastKillSeeds);
  process.env['COFFER_KILL_SEEDS'] = String(seeds);
  process.env['COFFER_KILL_FROM'] = String(from);
  const failed =
    (await runTests('src/main/transfers/worlds/kill.test.ts', seeds)) +
    (await runTests('src/command/recover-kills.test.ts', seeds));
  process.stdout.write(`${String(seeds * killsPerSeed)} kills over ${String(seeds)} seeds, `);
  process.stdout.write(`${String(failed)} seeds failed\n`);
  return failed;
}

/** Runs `nightly.test.ts`, which needs a keychain; on Linux a temporary one. Returns the number of failures. */
async function runNightly(rounds: number, from: number): Promise<number> {
  if (process.env['DBUS_SESSION_BUS_ADDRESS'] === undefined) {
    const own = [...process.execArgv, ...process.argv.slice(1)];
    const script = join(import.meta.dirname, '..', '..', '..', 'scripts', 'with-keyring.sh');
    const { status } = spawnSync(script, [process.execPath, ...own], { stdio: 'inherit' });
    return status === 0 ? 0 : 1;
  }
  process.env['COFFER_NIGHTLY_ROUNDS'] = String(rounds);
  process.env['COFFER_NIGHTLY_FROM'] = String(from);
  const failed = await runTests('src/command/nightly.test.ts', rounds);
  process.stdout.write(`${String(rounds)} rounds, ${String(failed)} failed\n`);
  return failed;
}

/** Runs `signal-worlds.test.ts`. Returns the number of failures, which the test runner lists. */
async function runSignals(rounds: number, from: number): Promise<number> {
  process.env['COFFER_SIGNAL_ROUNDS'] = String(rounds);
  process.env['COFFER_SIGNAL_FROM'] = String(from);
  const failed = await runTests('src/command/signal-worlds.test.ts', rounds);
  process.stdout.write(`${String(rounds)} signals, ${String(failed)} failed\n`);
  return failed;
}

/** Returns the number of tests that failed or did not run. */
async function runTests(file: string, count: number): Promise<number> {
  const vitest = await startVitest('test', [file], { watch: false });
  const tests = vitest.state.getTestModules().flatMap(({ children }) => [...children.allTests()]);
  const failed = tests.filter((test) => !test.ok()).length + Math.abs(count - tests.length);
  await vitest.close();
  return failed;
}
