import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openWorld, type World } from '../../../test-support/command/command-world.ts';
import { openNowhere, startInMemory } from '../../../test-support/command/in-process.ts';
import { openProcessWorld } from '../../../test-support/command/process-world.ts';

const hasKeychain = process.platform === 'linux' && process.env['DBUS_SESSION_BUS_ADDRESS'] !== undefined;

async function coffer({ files, env }: Pick<World, 'files' | 'env'>, ...words: string[]) {
  const running = startInMemory(words, { cwd: files, env });
  running.end();
  const code = await running.ended;
  return { code, stdout: running.stdout(), stderr: running.stderr() };
}

test.each([
  ['--limit-rate', 'fast', 'not a number of bytes'],
  ['--limit-rate', '1', 'not a number of bytes'],
  ['--limit-rate', '-1k', 'not a number of bytes'],
  ['--transfers', '0', 'not a number from 1 to 64'],
  ['--transfers', '65', 'not a number from 1 to 64'],
])('refuses %s %s', async (option, value, said) => {
  const { code, stderr } = await coffer(await openNowhere(), 'put', 'a.txt', `${option}=${value}`);
  expect(code).toBe(2);
  expect(stderr).toContain(said);
});

test('a command does not change the limits of the app', async () => {
  const world = await openWorld({ with: 'app' });
  for (const words of [
    ['put', 'a.txt', '--limit-rate', '10M'],
    ['sync', 'photos', 'p', '--transfers', '2'],
    ['watch', 'photos', 'p', '--transfers', '2'],
  ])
    expect(await coffer(world, ...words)).toEqual({
      code: 5,
      stdout: '',
      stderr: expect.stringContaining('The app does the work, with the limits of its settings'),
    });
  expect((await coffer(world, 'ls')).stderr).toBe('The list is empty.\n');
});

test.skipIf(!hasKeychain)('--transfers limits the number of simultaneous transfers', async () => {
  const world = await openProcessWorld({ isReal: false });
  const names = Array.from({ length: 12 }, (_, index) => `${index}.bin`);
  for (const name of names) writeFileSync(join(world.files, name), name);
  let most = 0;
  world.service.plan = ({ method }) => {
    if (method !== 'POST') return null;
    most = Math.max(most, world.service.openUploads() + 1);
    // Hold the first until the second arrives, and give a third time to arrive.
    return { holdRequest: () => most > 1, delayMs: 50 };
  };
  const { code } = await world.coffer('put', ...names, '--transfers', '2').ended;
  expect(code).toBe(0);
  expect(most).toBe(2);
});

test.skipIf(process.platform !== 'linux')('--limit-rate slows down', async () => {
  const world = await openWorld({ with: 'memory' });
  const names = ['1', '2', '3', '4'];
  for (const name of names) writeFileSync(join(world.files, name), Buffer.alloc(200_000));
  const beginMs = performance.now();
  expect((await coffer(world, 'put', ...names, '--limit-rate', '200k')).code).toBe(0);
  // 800 KB at 200 KiB a second, of which the first piece is sent at once.
  expect(performance.now() - beginMs).toBeGreaterThan(2000);
});
