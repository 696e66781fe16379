/*
 * All checks: the build and then the unit tests, in parallel with the static checks, followed by the packages and end-to-end
 * tests. A failing one does not stop the others. Tests tagged `all` (Vitest) or `@all` (Playwright) run only with the argument `all`;
 * over Electron, where its binary is, all of Playwright's do.
 * The last line is `N passed, N failed`: the tests, and each static check as one.
 */
import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { commandOf, environment } from './tools.js';

const results = 'test-results';

const readJson = (path) => {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return null; // the runner failed before it could write
  }
};

const readUnit = () => readJson(`${results}/unit.json`);

const specsOf = ({ specs = [], suites = [] }) => [...specs, ...suites.flatMap(specsOf)];

const readPlaywright = () => {
  const report = readJson(`${results}/playwright.json`);
  return (
    report && {
      passed: report.stats.expected,
      failed: report.stats.unexpected + report.stats.flaky,
      skipped: report.stats.skipped,
      failures: specsOf(report)
        .filter(({ ok }) => !ok)
        .map(({ file, title, tests }) => {
          const { error, attachments = [] } =
            tests.flatMap((test) => test.results).find((result) => result.error) ?? {};
          const log = attachments.find(({ name }) => name === 'log')?.body ?? '';
          return `${file} > ${title}\n${error?.message ?? ''}\n${Buffer.from(log, 'base64').toString()}`;
        }),
    }
  );
};

const isAll = process.argv.includes('all');
const vitest = [
  'vitest',
  'run',
  `--maxWorkers=${availableParallelism() + 1}`,
  '--reporter=default',
  '--reporter=./scripts/vitest-results.js',
  ...(isAll ? [] : ['--tags-filter=!all']),
];
const playwright = ['playwright', 'test', `--workers=${availableParallelism()}`];
// Go programs spend a fifth of their time on garbage collection. Without it these need 1.7 and 2.5 GB, one after the other.
const noCollections = { GOGC: 'off', GOMEMLIMIT: '3GiB' };
const staticChecks = [
  // On one thread each: several threads each check the shared types, and take twice the CPU time in total.
  { name: 'types', command: ['tsc', '-b', '--singleThreaded'], env: noCollections },
  { name: 'lint', command: ['oxlint', '--type-aware'], env: { ...noCollections, GOMAXPROCS: '1' } },
  { name: 'format', command: ['oxfmt', '--check'] },
  { name: 'dead code', command: ['knip'] },
];
const build = { name: 'build', command: ['electron-vite', 'build', '--logLevel', 'warn'] };
const unitTests = { name: 'unit, component and boundary tests', command: vitest, read: readUnit };
const windowTests = {
  name: 'packages and end-to-end tests',
  command: playwright,
  // Node itself strips the types of the specs, in half the time that Playwright's compiler takes.
  env: { PW_DISABLE_TS_ESM: '1', ...(!isAll && { COFFER_TESTS: 'quick' }) },
  read: readPlaywright,
};

/** @param out 'inherit', or 'pipe': printed in one piece at the end */
const run = ({ command: [name, ...args], env = {} }, out) =>
  new Promise((resolve) => {
    const [program, ...before] = commandOf(name, name === 'tsc' ? 'typescript' : name);
    const stdio = ['inherit', out, out];
    const child = spawn(program, [...before, ...args], { stdio, env: environment(env) });
    const said = [];
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (data) => said.push(data));
    child.on('error', () => resolve({ isOk: false, said }));
    child.on('close', (code) => resolve({ isOk: code === 0, said }));
  });

const total = { passed: 0, failed: 0, skipped: 0 };
const failures = [];
const perform = async (check, out) => {
  const { name, read } = check;
  if (out === 'inherit') console.log(`\n== ${name}`);
  const startMs = performance.now();
  const { isOk, said } = await run(check, out);
  const seconds = ((performance.now() - startMs) / 1000).toFixed(1);
  const counted = read?.() ?? { passed: isOk ? 1 : 0, failed: isOk ? 0 : 1, skipped: 0 };
  // A runner can fail without a failing test, by an error outside of all tests.
  if (!isOk && counted.failed === 0) counted.failed = 1;
  for (const key of Object.keys(total)) total[key] += counted[key];
  failures.push(...(counted.failures ?? (isOk ? [] : [name])));
  process.stdout.write(Buffer.concat(said));
  console.log(`== ${isOk ? 'ok' : 'FAILED'}: ${name}, ${seconds} s`);
};

async function inTurn(checks) {
  for (const check of checks) await perform(check, 'pipe');
}

rmSync(results, { recursive: true, force: true });
mkdirSync(results);
// Side by side: both mostly wait, one for disks, clocks and other processes, the other for windows. Only the static checks need no build.
const built = perform(build, 'pipe');
await Promise.all([
  built.then(() => perform(unitTests, 'inherit')),
  inTurn(staticChecks)
    .then(() => built)
    .then(() => perform(windowTests, 'pipe')),
]);
// Repeated at the end, after thousands of lines of output.
for (const failure of failures) console.log(`\nFAILED: ${failure.split('\n').slice(0, 30).join('\n')}`);
if (total.skipped > 0) console.log(`\n${total.skipped} skipped`);
console.log(`\n${total.passed} passed, ${total.failed} failed`);
process.exitCode = total.failed === 0 ? 0 : 1;
