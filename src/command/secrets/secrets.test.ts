import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { modeHere, modeOf } from '../../../test-support/file-mode.ts';
import { startLocalService } from '../../local-service/service.ts';
import { connectAgent } from '../../main/agent/agent-client.ts';
import { knownAddress } from '../../main/agent/address.ts';
import { markProcess, signRequest } from '../../main/agent/process-mark.ts';
import { createValueKey } from '../../main/agent/sealed-value.ts';
import { AppFailure, toAppError } from '../../shared/app-failure.ts';
import type { Input, Output, ProcedureName } from '../../shared/contract.ts';
import { draftOf } from '../services/draft.ts';
import {
  coffer,
  startInPipe,
  startInTerminal,
  type Running,
} from '../../../test-support/command/start-command.ts';
import type { Typed } from '../../../test-support/command/fake-terminal.ts';
import { startInMemory } from '../../../test-support/command/in-process.ts';
import { runLine } from '../../../test-support/command/run-line.ts';
import { checkLines } from '../../../test-support/command/json-schemas.ts';
import { openApp } from '../../../test-support/main/test-app.ts';
import { eventually } from '../../../test-support/eventually.ts';
import { makeTestFolder } from '../../../test-support/main/test-ports.ts';

/*
 * Transcripts of commands with the whole application over a real service. Where terminals, signals or inherited descriptors
 * matter, they are real processes, in pipes or in a pseudo terminal; otherwise they run in memory. The test plays the window.
 */

/** A pseudo terminal is made by `script` of util-linux, whose options only Linux knows. */
const hasTerminals = process.platform === 'linux';
/** The program that gets the secrets is a POSIX shell, and is ended by signals, which Windows has not. */
const hasShell = process.platform !== 'win32';

const token = 'token-of-ada';
const value = 'Zq9-tin-otter-lantern';

async function openService() {
  const dataFolder = await makeTestFolder();
  const server = await startLocalService({
    dataFolder,
    token,
    masterKey: new Uint8Array(32).fill(7),
    processingMs: 5,
  });
  onTestFinished(() => server.close());
  return server;
}

/** An app with the secret `db/pw`, and helpers that run commands beside it. */
async function open() {
  const server = await openService();
  const { app, userData, log, close } = await openApp();
  async function call<N extends ProcedureName>(name: N, input: Input<N>): Promise<Output<N>> {
    const reply = await app.router(name, input);
    if (!reply.ok) throw new AppFailure(reply.error);
    return reply.value as Output<N>;
  }
  const service = await call('services.add', { draft: draftOf('Archive', server.baseAddress), token });
  const cwd = await makeTestFolder();
  const given = (words: readonly string[]) => ['--user-data-dir', userData, ...words];
  const pipe = (...words: string[]) => startInPipe(given(words), { cwd });
  const memory = (...words: string[]) => startInMemory(given(words), { cwd, env: {} });
  const source = { kind: 'text', text: value } as const;
  await call('secrets.store', { serviceId: service.id, identifier: 'db/pw', classification: null, source });
  const stateOf = async (identifier: string) => {
    const which: Input<'command.find'> = { serviceId: service.id, kind: 'secret', identifiers: [identifier] };
    return (await call('command.find', which)).objects[0]?.state ?? null;
  };
  await eventually(async () => expect(await stateOf('db/pw')).toBe('stored'));
  const asked = () =>
    eventually(async () => {
      const [ask] = (await call('approvals.list', undefined)).asks;
      if (!ask) throw new Error('nobody asks');
      return ask;
    });
  const answer = async (which: Input<'approvals.answer'>['answer']) => {
    const ask = await asked();
    await call('approvals.answer', { id: ask.id, answer: which });
    return ask;
  };
  const file = (name: string, content: string) => {
    writeFileSync(join(cwd, name), content);
    return name;
  };
  const terminal = (...words: string[]) => startInTerminal(given(words), { cwd });
  /** Runs the words in this process, on a terminal in memory. */
  const typing = (words: string, types: readonly Typed[]) =>
    runLine(`coffer --user-data-dir '${userData}' ${words}`, {
      cwd,
      env: {},
      signal: new AbortController().signal,
      types,
    });
  return {
    call,
    stateOf,
    service,
    pipe,
    memory,
    terminal,
    typing,
    asked,
    answer,
    file,
    cwd,
    server,
    log,
    userData,
    close,
  };
}

async function transcript(
  running: Omit<Running, 'pid'>,
): Promise<{ code: number; stdout: string; stderr: string }> {
  const code = await running.ended;
  // Printed only if an approval takes long, so ignore it.
  const waiting = /Waiting for the secrets\..*?\r?\n/g;
  return {
    code,
    stdout: running.stdout().replaceAll(waiting, ''),
    stderr: running.stderr().replaceAll(waiting, ''),
  };
}

test.runIf(hasShell)(
  'in a pipe, a program gets its secrets after approval, and its output is masked',
  async () => {
    const { pipe, file, answer, cwd, call, service } = await open();
    file('.env', 'PLAIN=1\nPW=coffer://Archive/secret/db/pw\n');
    const script = 'echo "$PLAIN $PW"; echo "$PW" | base64 >&2; test -z "$COFFER_TOKEN" && exit 7';
    const run = pipe('run', '--env-file', '.env', '--', 'sh', '-c', script);
    const ask = await answer('once');
    expect(ask).toMatchObject({
      serviceId: service.id,
      program: ['sh', '-c', script],
      folder: cwd,
      terminal: null,
      isProven: process.platform === 'linux',
      secrets: [{ name: 'PW', identifier: 'db/pw', objectId: expect.any(Number) }],
    });
    expect(ask.command.slice(-7)).toEqual(['run', '--env-file', '.env', '--', 'sh', '-c', script]);
    const said = await transcript(run);
    expect(said).toMatchObject({ code: 7, stdout: '1 <hidden by coffer>\n' });
    expect(said.stderr).toContain('<hidden by coffer>');
    expect(said.stderr).not.toContain(Buffer.from(value).toString('base64'));
    const { history } = await call('objects.get', { id: ask.secrets[0]?.objectId ?? 0 });
    expect(history[0]).toMatchObject({ action: 'secretRead', detail: 'given' });
  },
);

test('in a pipe, a refusal exits with 7 and runs nothing', { tags: 'all' }, async () => {
  const { memory, answer, file, cwd } = await open();
  file('.env', 'PW=coffer://Archive/secret/db/pw\n');
  const run = memory('run', '--env-file', '.env', '--', 'touch', 'ran');
  await answer('refuse');
  expect(await transcript(run)).toEqual({
    code: 7,
    stdout: '',
    stderr: 'Error: The program wasn’t given the secrets. The request was refused.\n',
  });
  expect(existsSync(join(cwd, 'ran'))).toBe(false);
});

test('an interrupted command withdraws its request', async () => {
  const { memory, asked, call } = await open();
  const get = memory('secret', 'get', 'db/pw');
  await asked();
  get.kill('SIGINT');
  expect(await get.ended).toBe(130);
  await eventually(async () => expect((await call('approvals.list', undefined)).asks).toEqual([]));
});

test('asks about three of 300 requests of one process, and the person can refuse them all', async () => {
  const { call, asked, service, userData, cwd } = await open();
  const address = knownAddress(userData);
  const attacker = address && (await connectAgent(address, '1.0.0'));
  if (!attacker) throw new Error('The app does not answer');
  onTestFinished(() => attacker.close());
  if (process.platform === 'linux') markProcess();
  /** Each with a key of its own for its value. @returns the reason of the refusal */
  const request = async (_: unknown, at: number): Promise<string> => {
    const { ticket } = await attacker.call('command.introduce', undefined);
    const { publicKey: key } = createValueKey();
    const secrets = [{ name: `PW${String(at)}`, identifier: 'db/pw' }];
    const asked = { ticket, key, serviceId: service.id, secrets };
    const statedIdentity = { pid: process.pid, words: ['run'], folder: cwd, hasTerminal: false };
    try {
      await attacker.call('command.readSecrets', { ...asked, signed: signRequest(asked), statedIdentity });
      return 'given';
    } catch (cause) {
      const error = toAppError(cause);
      return error?.code === 'approvalRefused' ? error.reason : 'failed';
    }
  };
  const ends: string[] = [];
  const asking = Promise.all(
    Array.from({ length: 300 }, request).map(async (each) => void ends.push(await each)),
  );
  await eventually(() => expect(ends).toHaveLength(297));
  expect(new Set(ends)).toEqual(new Set(['tooMany']));
  expect((await call('approvals.list', undefined)).asks).toHaveLength(3);
  await call('approvals.answer', { id: (await asked()).id, answer: 'refuseAll' });
  await asking;
  expect(ends.slice(297)).toEqual(['refused', 'refused', 'refused']);
  expect(await request(null, 300)).toBe('allRefused');
  expect((await call('approvals.list', undefined)).asks).toEqual([]);
});

test('commands beyond three at once take their turn', async () => {
  const { memory, asked, answer, call } = await open();
  const gets = Array.from({ length: 5 }, () => memory('secret', 'get', 'db/pw'));
  await eventually(async () => expect((await call('approvals.list', undefined)).asks).toHaveLength(3));
  const { id } = await asked();
  await call('approvals.answer', { id, answer: 'once' });
  await eventually(async () => {
    const { asks } = await call('approvals.list', undefined);
    expect([asks.length, asks.some((ask) => ask.id === id)]).toEqual([3, false]);
  });
  for (let left = 4; left > 0; left -= 1) await answer('once');
  for (const get of gets) expect(await transcript(get)).toMatchObject({ code: 0, stdout: value });
});

test.runIf(hasTerminals)(
  'on a terminal, an approval is for that terminal, and nothing is shown without --reveal',
  async () => {
    const { terminal, typing, answer, call } = await open();
    const refused = await typing('secret get db/pw', []);
    expect(refused).toMatchObject({ code: 2, stdout: expect.stringContaining('use --reveal.') });
    const shown = terminal('secret', 'get', 'db/pw', '--reveal');
    const ask = await answer('holder');
    expect(ask.terminal?.name).toMatch(/^pts\/\d+$/);
    expect((await transcript(shown)).stdout).toContain(`${value}\r\n`);
    const { approvals } = await call('approvals.list', undefined);
    expect(approvals).toMatchObject([{ identifiers: ['db/pw'], terminal: ask.terminal }]);
    // Another terminal needs its own approval.
    const other = terminal('secret', 'get', 'db/pw', '--reveal');
    await answer('refuse');
    expect((await transcript(other)).code).toBe(7);
  },
);

test.runIf(hasTerminals)(
  'does not ask the next command in an approved terminal again',
  { tags: 'all' },
  async () => {
    const { terminal, answer, userData, call } = await open();
    const again = [...coffer, '--user-data-dir', userData, 'secret', 'get', 'db/pw']
      .map((word) => `'${word}'`)
      .join(' ');
    const run = terminal('run', '--no-masking', '--', 'sh', '-c', `${again} | wc -c; ${again} | wc -c`);
    await answer('holder');
    expect(await transcript(run)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(`${value.length}\r\n${value.length}\r\n`),
    });
    expect((await call('approvals.list', undefined)).asks).toEqual([]);
  },
);

test('a reference resolves to the newest version', async () => {
  const { memory, answer } = await open();
  const rotated = memory('secret', 'new', 'db/pw', '--new-version', '--renew-by', '2031-01-15');
  rotated.end('second-value');
  expect(await transcript(rotated)).toMatchObject({ code: 0, stdout: 'db/pw@2: stored\n' });
  const bad = memory('secret', 'new', 'x', '--renew-by', 'tomorrow');
  bad.end('value');
  expect(await transcript(bad)).toMatchObject({
    code: 2,
    stderr: 'Error: --renew-by takes a day, YYYY-MM-DD.\n',
  });
  const taken = memory('secret', 'new', 'db/pw');
  taken.end('third-value');
  expect((await transcript(taken)).code).toBe(6);
  const get = memory('secret', 'get', 'coffer://Archive/secret/db/pw');
  expect((await answer('once')).secrets).toMatchObject([{ identifier: 'db/pw@2' }]);
  expect(await transcript(get)).toMatchObject({ code: 0, stdout: 'second-value' });
});

test.runIf(hasShell)(
  'a reference never means a version that only an imported list names, and the request names what is read',
  async () => {
    const { memory, answer, file, call, service } = await open();
    const told = { kind: 'secret', identifier: 'db/pw@99', state: 'stored', classification: 'Public' };
    file('list.jsonl', [{ cofferCatalogue: 1 }, told].map((line) => JSON.stringify(line)).join('\n'));
    expect((await transcript(memory('import', 'list.jsonl'))).code).toBe(0);
    file('.env', 'PW=coffer://Archive/secret/db/pw\n');
    const run = memory(
      'run',
      '--no-masking',
      '--env-file',
      '.env',
      '--',
      'sh',
      '-c',
      'test "$PW" = "$0"',
      value,
    );
    expect((await answer('once')).secrets).toMatchObject([{ name: 'PW', identifier: 'db/pw' }]);
    expect(await transcript(run)).toMatchObject({
      code: 0,
      stderr:
        'db/pw: an imported list or the team also names db/pw@99. Nobody here has read it, so it isn’t taken. If it is the newest, read it once: ' +
        'coffer secret get db/pw@99\n',
    });
    const query = { serviceId: service.id, kind: 'secret', place: { kind: 'all' }, search: '' } as const;
    const sort = { column: 'identifier', direction: 'ascending' } as const;
    const { rows } = await call('objects.page', { query: { ...query, sort }, offset: 0, limit: 10 });
    expect(rows.map(({ identifier }) => identifier)).toEqual(['db/pw']);
    // Who knows better says so.
    const exact = memory('secret', 'get', 'db/pw@99');
    expect((await answer('once')).secrets).toMatchObject([{ identifier: 'db/pw@99' }]);
    expect(await transcript(exact)).toMatchObject({
      code: 3,
      stderr: expect.stringMatching(/^db\/pw@99: not found/),
    });
  },
);

test('stores a secret that is only said to exist on request, at a service that never replaces secrets', async () => {
  const { memory, file } = await open();
  const lines = [
    { cofferCatalogue: 1 },
    { kind: 'secret', identifier: 'told', state: 'stored', lengthBytes: 3 },
  ];
  file('list.jsonl', lines.map((line) => JSON.stringify(line)).join('\n'));
  expect((await transcript(memory('import', 'list.jsonl'))).code).toBe(0);
  const refused = memory('secret', 'new', 'told');
  refused.end('mine');
  const said = await transcript(refused);
  expect(said.code).toBe(6);
  expect(said.stderr).toContain('The service was not asked. Choose another identifier');
  const stored = memory('secret', 'new', 'told', '--store-anyway');
  stored.end('mine');
  expect(await transcript(stored)).toMatchObject({ code: 0, stdout: 'told: stored\n' });
});

test('copy uses the clipboard of the app', async () => {
  const { memory, answer, call } = await open();
  const copy = memory('secret', 'copy', 'db/pw');
  const beforeMs = performance.now();
  expect(await answer('once')).toMatchObject({ isCopy: true });
  const said = await transcript(copy);
  const passedSeconds = (performance.now() - beforeMs) / 1000;
  expect(said.code).toBe(0);
  const [, seconds] = /^db\/pw: on the clipboard, for (\d+) s\n$/.exec(said.stdout) ?? [];
  expect(Number(seconds)).toBeLessThanOrEqual(45);
  // Allow for the time that the answer took.
  expect(Number(seconds)).toBeGreaterThanOrEqual(Math.floor(45 - passedSeconds));
  expect((await call('secrets.clipboard', undefined)).objectId).not.toBeNull();
  const again = memory('--json', 'secret', 'copy', 'db/pw');
  await answer('once');
  const { stdout } = await transcript(again);
  checkLines(stdout);
  expect(JSON.parse(stdout)).toMatchObject({ identifier: 'db/pw', clears: expect.any(String) });
});

test('inject writes a file only its owner can read, and replaces none', async () => {
  const { memory, answer, file, cwd } = await open();
  file('template', 'pw: {{ coffer://Archive/secret/db/pw }}\n{{ other }}\n');
  const words = ['inject', '-i', 'template', '-o', 'out'];
  const first = memory(...words);
  await answer('once');
  expect(await transcript(first)).toMatchObject({ code: 0, stdout: 'out: written, 1 secret in it\n' });
  expect(readFileSync(join(cwd, 'out'), 'utf8')).toBe(`pw: ${value}\n{{ other }}\n`);
  expect(modeOf(join(cwd, 'out'))).toBe(modeHere(0o600));
  expect(await transcript(memory(...words))).toMatchObject({
    code: 6,
    stderr: 'Error: out exists. --force replaces it.\n',
  });
  const again = memory('--json', ...words, '--force');
  await answer('once');
  const { stdout } = await transcript(again);
  checkLines(stdout);
  expect(JSON.parse(stdout)).toEqual({ path: join(cwd, 'out'), secrets: 1 });
});

test.runIf(hasTerminals)(
  'asks for the value of a new secret on a terminal without echo; Ctrl+C there exits with 130 and prints nothing',
  async () => {
    const { terminal, typing, stateOf } = await open();
    const prompt = 'Value of typed (not shown): ';
    const interrupted = await typing('secret new typed', [[prompt, 'hunter\u0003']]);
    expect(interrupted.code).toBe(130);
    expect(interrupted.stdout.trim()).toBe(prompt.trim());
    expect(await stateOf('typed')).toBeNull();
    const run = terminal('secret', 'new', 'typed');
    await eventually(() => expect(run.stdout()).toContain(prompt));
    run.write('hunterX\u007f22\r');
    expect(await run.ended).toBe(0);
    expect(run.stdout()).not.toContain('hunter');
    expect(await stateOf('typed')).toBe('stored');
  },
);

test('reports what is wrong with the variable and its line, and runs nothing; a missing secret leaves no row', async () => {
  const { memory, file, answer, stateOf } = await open();
  file('.env', 'A=1\nB=coffer://Archive\nC=coffer://Archive/secret/%\nD=coffer://Nowhere/secret/x\n');
  expect(await transcript(memory('run', '--env-file', '.env', '--', 'true'))).toEqual({
    code: 2,
    stdout: '',
    stderr: `B (.env, line 2): “coffer://Archive” is not a reference. Write it as coffer://SERVICE/secret/IDENTIFIER.
Error: C (.env, line 3): “coffer://Archive/secret/%” has a percent sign without two hexadecimal digits after it. Write %25 for a percent sign.
`,
  });
  file('.env', 'D=coffer://Nowhere/secret/x\n');
  expect(await transcript(memory('run', '--env-file', '.env', '--', 'true'))).toMatchObject({
    code: 3,
    stderr: 'Error: D (.env, line 1): There is no service named Nowhere. Known: Archive.\n',
  });
  file('.env', 'no variable\n');
  expect((await transcript(memory('run', '--env-file', '.env', '--', 'true'))).stderr).toBe(
    '.env, line 1: not a variable. Write it as NAME=value.\nError: The program was not run.\n',
  );
  expect(await transcript(memory('run', '--env-file', 'gone', '--', 'true'))).toMatchObject({
    code: 3,
    stderr: 'Error: gone cannot be read: ENOENT. Give a file that is there and that you may read.\n',
  });
  expect((await transcript(memory('run', '--', 'no-such-program'))).code).toBe(127);

  file('.env', 'PW=coffer://Archive/secret/db/pw\nNO=coffer://Archive/secret/none\n');
  const run = memory('run', '--env-file', '.env', '--', 'true');
  expect((await answer('once')).secrets).toMatchObject([
    { objectId: expect.any(Number) },
    { objectId: null },
  ]);
  const { code, stderr } = await transcript(run);
  expect([code, stderr]).toEqual([
    3,
    expect.stringContaining('NO (.env, line 2): none: not found at Archive, which was asked again.'),
  ]);
  expect(await stateOf('none')).toBeNull();
});

test.runIf(hasShell)(
  'forwards signals and returns the exit code, even if the app quits meanwhile',
  async () => {
    const { pipe, memory, file, answer, close } = await open();
    file('.env', 'PW=coffer://Archive/secret/db/pw\n');
    const run = pipe(
      'run',
      '--env-file',
      '.env',
      '--',
      'sh',
      '-c',
      'trap "echo got; exit 9" TERM; echo up; while :; do sleep 0.1; done',
    );
    await answer('once');
    await eventually(() => expect(run.stdout()).toBe('up\n'));
    await close();
    run.kill('SIGTERM');
    expect(await transcript(run)).toMatchObject({ code: 9, stdout: 'up\ngot\n' });
    const killed = memory('run', '--', 'sh', '-c', 'kill -KILL $$');
    expect(await killed.ended).toBe(137);
  },
);

test.runIf(hasShell)(
  'takes any service name with address and token in the environment, gives programs no token, and does not wait for background programs',
  async () => {
    const { server, cwd } = await open();
    const env = { COFFER_ADDRESS: server.baseAddress, COFFER_TOKEN: token, PW: 'coffer://Any/secret/db/pw' };
    const isLinux = process.platform === 'linux';
    const environment = isLinux ? 'tr "\\0" "\\n" < /proc/$PPID/environ | grep COFFER_ | sort' : ':';
    const script = `echo "$PW$COFFER_TOKEN"; ${environment}; sleep 300 & echo $!; echo error >&2; exit 3`;
    const run = startInPipe(['run', '--', 'sh', '-c', script], { cwd, env });
    const { code, stdout, stderr } = await transcript(run);
    const [given, ...found] = stdout.trimEnd().split('\n');
    process.kill(Number(found.pop()), 'SIGKILL');
    expect({ code, stderr }).toEqual({ code: 3, stderr: 'error\n' });
    // Only the value itself is masked.
    expect(given).toBe('<hidden by coffer>');
    expect(found).toEqual(isLinux ? [`COFFER_ADDRESS=${server.baseAddress}`, 'COFFER_TOKEN='] : []);
  },
);

test('no value is in a log or a list', async () => {
  const { memory, answer, log } = await open();
  const get = memory('secret', 'get', 'db/pw', '--json');
  await answer('once');
  const { stdout } = await transcript(get);
  checkLines(stdout);
  expect(JSON.parse(stdout)).toEqual({
    identifier: 'db/pw',
    encoding: 'utf8',
    value,
  });
  expect(log.lines.join('\n')).not.toContain(value);
  const { stdout: listed } = await transcript(memory('--json', 'secret', 'ls'));
  checkLines(listed);
  expect(listed).not.toContain(value);
});
