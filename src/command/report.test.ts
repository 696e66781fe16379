import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { openWorld, serveInPlaceOfApp, type World } from '../../test-support/command/command-world.ts';
import { createGathering, startInMemory, startInProcess } from '../../test-support/command/in-process.ts';
import { testToken } from '../../test-support/local-service/test-service.ts';

const hasKeychain = process.platform === 'linux' && process.env['DBUS_SESSION_BUS_ADDRESS'] !== undefined;

/** Marks in Coffer's data, in different spellings: none may appear in a report. */
const marks = [
  'xyzzy',
  'Xyzzy',
  Buffer.from('xyzzy').toString('base64').slice(0, 6),
  Buffer.from('xyzzy').toString('hex'),
];

/** Log lines that a version of Coffer may have written, by mistake too. */
const logLines = [
  { level: 'warn', msg: 'a folder could not be looked through', folder: '/home/xyzzy/Coffer/kept' },
  {
    level: 'error',
    msg: 'procedure failed',
    procedure: 'xyzzy',
    reference: 'xyzzyxyz',
    origin: 'https://xyzzy.example',
  },
  {
    level: 'error',
    msg: 'not written',
    cause: {
      name: 'Error',
      message: 'no xyzzy\n    at xyzzy.js:1:1',
      stack: 'Error: no xyzzy\n    at xyzzy.js:1:1\n    at write (/home/xyzzy/app/out/main/index.js:10:2)',
      error: { code: 'diskFull', folderName: 'xyzzy' },
      cause: { name: 'xyzzy!', code: 'xy/zzy', path: '/xyzzy', stack: 'at /xyzzy/' },
    },
  },
  {
    level: 'warn',
    msg: 'slow SQL',
    sql: "SELECT 'xyzzy' FROM object WHERE identifier = 'it''s xyzzy",
    elapsedMs: 60,
    xyzzy: 1,
    account: 'token/xyzzy',
  },
  {
    level: 'error',
    msg: 'a part of the window could not be drawn',
    pane: 'xyz/zy',
    error: '/xyzzy',
    frames: ['at Row (file:///home/xyzzy/a.js:1:2)', 'xyzzy'],
  },
];

function coffer({ files, env, keychain }: World, words: readonly string[], input = '') {
  const running = startInMemory(words, { cwd: files, env, keychain });
  running.end(input);
  return running.ended.then((code) => ({ code, stdout: running.stdout(), stderr: running.stderr() }));
}

/** Adds a service, an object, a secret, and a failure of each kind, all with names that contain xyzzy. */
async function fill(world: World): Promise<void> {
  const { baseAddress } = world.service.service;
  writeFileSync(join(world.files, 'xyzzy.txt'), 'xyzzy');
  const run = async (code: number, words: readonly string[], input?: string) =>
    expect(await coffer(world, words, input)).toMatchObject({ code });
  const options = ['--allow-http', '--download-folder', world.files];
  await run(0, ['service', 'add', 'Xyzzy Archive', baseAddress, ...options], testToken);
  await run(0, ['put', 'xyzzy.txt', '--as', 'xyzzy/one']);
  await run(1, ['put', 'xyzzy.txt', '--as', 'xyzzy/two', '--classification', 'Xyzzy']);
  await run(0, ['secret', 'new', 'xyzzy/key'], 'xyzzy');
  await run(0, ['get', 'xyzzy/one', '--to', world.files]);
  await run(3, ['get', 'xyzzy/none']);
  await run(6, ['put', 'b.txt', '--as', 'xyzzy/one', '--if-exists', 'fail']);
  const lines = logLines.map((line) => JSON.stringify({ ...line, time: '2026-11-24T10:00:00.000Z' }));
  appendFileSync(
    join(world.dataFolder, 'logs', 'coffer.log'),
    `${[...lines, 'xyzzy, and no JSON'].join('\n')}\n`,
  );
}

describe.skipIf(!hasKeychain)('coffer doctor --report', () => {
  test('contains no token, secret, identifier, path, name or address', async () => {
    const world = await openWorld({ with: 'none' });
    await fill(world);
    const { code, stdout } = await coffer(world, ['doctor', '--report', 'report.txt']);
    expect([code, stdout]).toEqual([0, expect.stringContaining('report.txt: saved')]);
    const report = readFileSync(join(world.files, 'report.txt'), 'utf8');
    const { baseAddress } = world.service.service;
    const { host } = new URL(baseAddress);
    for (const mark of [...marks, testToken, world.dataFolder, world.files, host])
      expect(report).not.toContain(mark);
    expect(report).toMatch(/^Services\n {2}1: http, ready, token in keychain, proxy system/m);
    expect(report).toMatch(
      /^Objects, by service\n {2}1: objects 2, stored 1, failed 1; secrets 1, stored 1$/m,
    );
    expect(report).toContain('transfer step  ');
    expect(report).toContain('write index.js:10:2');
    expect(report).toContain('"code":"diskFull"');
    expect(report).toMatch(/^Checks of coffer doctor\n {2}node: ok\n {2}dataFolder: ok$/m);
    expect((await coffer(world, ['doctor', '--report', 'report.txt'])).code).toBe(6);

    const named = await coffer(world, ['doctor', '--report', '-', '--with-names']);
    expect(named.stdout).toContain(`"Xyzzy Archive", ${baseAddress}`);
    expect(named.stdout.replaceAll('Xyzzy Archive', '')).not.toMatch(/xyzzy/i);
  });

  test('says "not known" for the services when something else answers in place of the app, and reads the crash note itself', async () => {
    const world = await openWorld({ with: 'none' });
    await serveInPlaceOfApp(world, 'nonsense\n');
    const running = startInMemory(['doctor', '--report', '-'], { cwd: world.files, env: world.env });
    running.end();
    expect(await running.ended).toBe(0);
    expect(running.stdout()).toMatch(/^Services\n {2}not known$/m);
    expect(running.stdout()).toMatch(/^Last crash\n {2}none$/m);
  });
});

test.each([
  ['y', true],
  ['n', false],
])('shows it first in a terminal, and saves it after %s', async (answer, isSaved) => {
  const world = await openWorld({ with: 'memory' });
  const stdin = Object.assign(new PassThrough(), { isTTY: true as const });
  const [stdout, stderr] = [createGathering(), createGathering()];
  const running = startInProcess(['doctor', '--report', 'report.txt'], {
    cwd: world.files,
    env: world.env,
    stdin,
    stdout,
    stderr,
  });
  stdin.end(`${answer}\n`);
  expect(await running.ended).toBe(0);
  expect(stderr.text()).toContain('Coffer report');
  expect(existsSync(join(world.files, 'report.txt'))).toBe(isSaved);
});
