/*
 * All checks, one after the other; one that fails does not stop the others. The last line is `N passed, N failed`:
 * the tests, and each static check as one.
 */
import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { commandOf, environment } from './tools.js';

const results = 'test-results';

const readJson = (path) => {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return null; // the runner failed before it could write
  }
};

const readUnit = () => {
  const report = readJson(`${results}/unit.json`);
  return (
    report && {
      passed: report.numPassedTests,
      failed: report.numFailedTests,
      skipped: report.numPendingTests,
    }
  );
};

const readPlaywright = (name) => () => {
  const stats = readJson(`${results}/${name}.json`)?.stats;
  return stats && { passed: stats.expected, failed: stats.unexpected + stats.flaky, skipped: stats.skipped };
};

const vitest = [
  'vitest',
  'run',
  '--reporter=default',
  '--reporter=json',
  `--outputFile.json=${results}/unit.json`,
];
const steps = [
  { name: 'types', command: ['tsc', '-b'] },
  { name: 'lint', command: ['oxlint', '--type-aware'] },
  { name: 'format', command: ['prettier', '--check', '--log-level=warn', '.'] },
  { name: 'dead code', command: ['knip'] },
  { name: 'unit, component and boundary tests', command: vitest, read: readUnit },
  { name: 'build', command: ['electron-vite', 'build', '--logLevel', 'warn'] },
  { name: 'end-to-end tests', command: ['playwright', 'test'], read: readPlaywright('e2e') },
  {
    name: 'packages',
    command: ['playwright', 'test', '--config', 'packaging/playwright.config.ts'],
    read: readPlaywright('packages'),
  },
];

const run = ([name, ...args]) =>
  new Promise((resolve) => {
    const [program, ...before] = commandOf(name, name === 'tsc' ? 'typescript' : name);
    const child = spawn(program, [...before, ...args], { stdio: 'inherit', env: environment() });
    child.on('error', () => resolve(1));
    child.on('exit', (code) => resolve(code ?? 1));
  });

rmSync(results, { recursive: true, force: true });
mkdirSync(results);
const total = { passed: 0, failed: 0, skipped: 0 };
for (const { name, command, read } of steps) {
  console.log(`\n== ${name}`);
  const startMs = performance.now();
  const isOk = (await run(command)) === 0;
  const seconds = ((performance.now() - startMs) / 1000).toFixed(1);
  const counted = read?.() ?? { passed: isOk ? 1 : 0, failed: isOk ? 0 : 1, skipped: 0 };
  // A runner can fail without a failing test (an error outside of all of them).
  if (!isOk && counted.failed === 0) counted.failed = 1;
  for (const key of Object.keys(total)) total[key] += counted[key];
  console.log(`== ${isOk ? 'ok' : 'FAILED'}: ${name}, ${seconds} s`);
}
if (total.skipped > 0) console.log(`\n${total.skipped} skipped`);
console.log(`\n${total.passed} passed, ${total.failed} failed`);
process.exitCode = total.failed === 0 ? 0 : 1;
