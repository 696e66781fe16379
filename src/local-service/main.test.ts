import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

import { describe, expect, test } from 'vitest';

import {
  cleanLater,
  makeFolder,
  TestClient,
  testToken,
} from '../../test-support/local-service/test-service.ts';
import { programFile } from '../../test-support/main/program.ts';

/** The file that `npm run service` starts. */
const sourceFile = fileURLToPath(new URL('main.ts', import.meta.url));
const mainFile = programFile('src/local-service/main.ts');

function start(args: string[], token?: string, file = mainFile): ChildProcess {
  const { COFFER_TOKEN: _own, ...env } = process.env;
  const child = spawn(process.execPath, [file, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...env, ...(token !== undefined && { COFFER_TOKEN: token }) },
  });
  cleanLater(async () => {
    if (child.exitCode === null && child.signalCode === null) await end(child, 'SIGKILL');
  });
  return child;
}

async function end(child: ChildProcess, signal: 'SIGKILL' | 'SIGTERM' | 'SIGINT'): Promise<number | null> {
  const exited = once(child, 'exit');
  child.kill(signal);
  await exited;
  return child.exitCode;
}

async function readOutputUntilListening(
  child: ChildProcess,
): Promise<{ output: string; client: TestClient }> {
  let output = '';
  for await (const piece of child.stdout?.iterator({ destroyOnReturn: false }) ?? []) {
    output += String(piece);
    const baseAddress = /Listening on (\S+)\n/.exec(output)?.[1];
    const token = /shown once\): (\S+)/.exec(output)?.[1] ?? testToken;
    if (baseAddress !== undefined) return { output, client: new TestClient(baseAddress, token) };
  }
  throw new Error('ended without listening');
}

async function run(
  args: string[],
  token?: string,
): Promise<{ exitCode: number | null; stdout: string; stderr: string }> {
  const child = start(args, token);
  if (child.stdout === null || child.stderr === null) throw new Error('no pipes');
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  return { exitCode: child.exitCode, stdout, stderr };
}

// Windows has no signals: there Node ends the process at once (its documentation of process.kill).
test.skipIf(process.platform === 'win32').each([
  ['SIGTERM', sourceFile],
  ['SIGINT', mainFile],
] as const)('it serves and ends cleanly on %s', async (signal, file) => {
  const data = join(await makeFolder(), 'made');
  const child = start(['--data', data], testToken, file);
  const { output, client } = await readOutputUntilListening(child);
  expect(output).toMatch(/^Listening on http:\/\/127\.0\.0\.1:\d+\n$/);
  expect((await client.send('POST', '/api/data/x', 'x')).status).toBe(200);
  expect(await end(child, signal)).toBe(0);
  expect((await readdir(data)).toSorted()).toEqual(['blobs', 'master.key', 'metadata.sqlite']);
});

test.skipIf(process.platform === 'win32')(
  'only the owner may read the folder, the key and the metadata',
  async () => {
    const data = join(await makeFolder(), 'made');
    await readOutputUntilListening(start(['--data', data]));
    expect((await stat(join(data, 'master.key'))).mode & 0o777).toBe(0o600);
    expect((await stat(data)).mode & 0o777).toBe(0o700);
    const open = join(await makeFolder(), 'open to others');
    await mkdir(open, { mode: 0o755 });
    await readOutputUntilListening(start(['--data', open]));
    for (const name of await readdir(open)) expect((await stat(join(open, name))).mode & 0o077).toBe(0);
  },
);

test('takes the token from a file, too, and never prints it', async () => {
  const folder = await makeFolder();
  const file = join(folder, 'token');
  await writeFile(file, `${testToken}\n`, { mode: 0o600 });
  const child = start(['--data', join(folder, 'a'), '--token-file', file]);
  const { output, client } = await readOutputUntilListening(child);
  expect(output).not.toContain(testToken);
  expect(child.spawnargs.join(' ')).not.toContain(testToken);
  expect((await client.send('HEAD', '/api/data/x')).status).toBe(404);
  expect(await run(['--data', join(folder, 'c')], 'a b')).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining('The token must not be empty'),
  });
});

test('reports missing metadata and deletes nothing', async () => {
  const data = await makeFolder();
  const first = start(['--data', data], testToken);
  const { client } = await readOutputUntilListening(first);
  await client.send('POST', '/api/data/x', 'x');
  await end(first, 'SIGTERM');
  await rm(join(data, 'metadata.sqlite'));
  const { output } = await readOutputUntilListening(start(['--data', data], testToken));
  const name = /lies in (set-aside-\S+)\.\n/.exec(output)?.[1];
  expect(await readdir(join(data, name ?? 'nowhere', 'blobs'))).toHaveLength(1);
});

test.each([
  [['--dta', 'my-token'], "Unknown option '--dta'"],
  [['--data', mainFile], 'The data folder is not a folder'],
])('refuses %j in words', async (args, words) => {
  const { exitCode, stdout, stderr } = await run(args);
  expect([exitCode, stdout]).toEqual([1, '']);
  expect(stderr).toContain(words);
  expect(stderr).not.toMatch(/my-token|\n {4}at /);
});

test('makes a token when none is given; reports a port in use and releases the folder', async () => {
  const first = await readOutputUntilListening(start(['--data', await makeFolder()]));
  expect(first.output).toMatch(/^Access token \(shown once\): [\da-f]{48}\n/);
  expect((await first.client.send('HEAD', '/api/data/x')).status).toBe(404);
  const data = await makeFolder();
  const { port } = new URL(first.client.baseAddress);
  const second = await run(['--data', data, '--port', port]);
  expect([second.exitCode, second.stderr]).toEqual([
    1,
    expect.stringContaining('The port is used by another'),
  ]);
  await readOutputUntilListening(start(['--data', data]));
});

/** Content derived from the identifier. */
function bodyOf(identifier: string): Buffer {
  const digest = createHash('sha512').update(identifier).digest();
  return Buffer.alloc(1000 + 40_000 * (digest.readUInt8(0) % 8), digest);
}

/** Kills the service repeatedly during uploads: everything it acknowledged is complete, and nothing is stored in part. */
async function killAgainAndAgain(rounds: number): Promise<void> {
  const data = await makeFolder();
  const stored: string[] = [];
  const deferred = new Map<string, string>();
  let next = 0;
  const uploadsAtOnce = 8;
  for (let round = 0; round < rounds; round += 1) {
    const child = start(['--data', data, '--processing-ms', '1'], testToken);
    const { client } = await readOutputUntilListening(child);
    const killAfter = stored.length + 5 + (randomBytes(1).readUInt8() % 40);
    const upload = async (): Promise<void> => {
      while (child.exitCode === null && !child.killed) {
        const id = `object-${next++}`;
        if (next % 5 === 0) deferred.set(id, await client.startDeferred('POST', 'data', id, bodyOf(id)));
        else if ((await client.send('POST', `/api/data/${id}`, bodyOf(id))).status === 200) stored.push(id);
        else throw new Error('refused');
        if (stored.length >= killAfter) child.kill('SIGKILL');
      }
    };
    const exited = once(child, 'exit');
    await Promise.allSettled(Array.from({ length: uploadsAtOnce }, upload));
    await exited;
  }

  const child = start(['--data', data, '--processing-ms', '1'], testToken);
  const { client } = await readOutputUntilListening(child);
  for (const id of deferred.keys()) await client.defer('GET', 'data', id);
  for (let index = 0; index < next; index += 1) {
    const id = `object-${index}`;
    const answer = await client.send('GET', `/api/data/${id}`);
    const isWhole = answer.status === 200 && answer.bytes.equals(bodyOf(id));
    const mayBeMissing = answer.status === 404 && !stored.includes(id);
    expect([id, isWhole || mayBeMissing]).toEqual([id, true]);
  }
  for (const token of deferred.values()) {
    const check = await client.send('GET', `/api/data/deferred/check/${token}`);
    expect([check.status, check.bytes.toString()]).toEqual([200, expect.stringContaining('"success":true')]);
  }
  const files = await readdir(join(data, 'blobs'));
  const heads = Array.from({ length: next }, (_, index) => client.send('HEAD', `/api/data/object-${index}`));
  const present = (await Promise.all(heads)).filter((head) => head.status === 200);
  expect(files.filter((name) => name.endsWith('.part'))).toEqual([]);
  // For each upload interrupted by a kill, a complete file may remain that the metadata does not reference.
  expect(files.length).toBeGreaterThanOrEqual(present.length);
  expect(files.length).toBeLessThanOrEqual(present.length + rounds * uploadsAtOnce);
}

describe('after a kill at any moment, acknowledged objects are complete and no partial ones exist', () => {
  test('1 kill', () => expect(killAgainAndAgain(1)).resolves.toBeUndefined());
  test('6 kills', { tags: 'all' }, () => expect(killAgainAndAgain(6)).resolves.toBeUndefined());
});

test.runIf(process.platform === 'linux')(
  'what is sent does not lie in memory: 600 MB up and 100 MB down',
  { tags: 'all' },
  async () => {
    const child = start(['--data', await makeFolder()], testToken);
    const { client } = await readOutputUntilListening(child);
    const peakBytes = async (): Promise<number> => {
      const status = await readFile(`/proc/${child.pid}/status`, 'utf8');
      return 1024 * Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]);
    };
    await client.send('POST', '/api/data/warm', Buffer.alloc(1_000_000));
    await client.send('GET', '/api/data/warm');
    const before = await peakBytes();
    const body = Buffer.alloc(50_000_000);
    const names = ['a', 'b', 'c', 'd', 'e', 'f'];
    for (const round of ['1', '2']) {
      const sent = names.map((name) => client.send('POST', `/api/data/${name}${round}`, body));
      expect((await Promise.all(sent)).map((answer) => answer.status)).toEqual(names.map(() => 200));
    }
    const got = await Promise.all(['a1', 'b1'].map((name) => client.send('GET', `/api/data/${name}`)));
    expect(got.map((answer) => answer.bytes.length)).toEqual([body.length, body.length]);
    // On a busy computer up to 140 MB await garbage collection: less than one round, however much is sent.
    expect((await peakBytes()) - before).toBeLessThan(250_000_000);
  },
);
