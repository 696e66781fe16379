import { randomBytes } from 'node:crypto';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { Reply } from '../../shared/contract.ts';
import { eventually } from '../../../test-support/eventually.ts';
import { modeOf } from '../../../test-support/file-mode.ts';
import { createTestLog } from '../../../test-support/main/test-ports.ts';
import { AgentSilent, askToMakeWay, connectAgent, openSocket } from './agent-client.ts';
import { knownAddress, newAddress, type Address } from './address.ts';
import { proofOf } from './proof.ts';
import { protocolVersion } from './protocol.ts';
import { serveAgent, type Agent } from './serve-agent.ts';

let folder: string;
let agent: Agent;
let calls: { name: unknown; input: unknown }[];
let answer: (name: unknown) => Promise<Reply>;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'coffer-agent-'));
  calls = [];
  answer = async () => ({ ok: true, value: { version: '1' } });
  agent = await serve();
});
afterEach(async () => {
  await agent.close();
  await rm(folder, { recursive: true });
});

function addressOf(dataFolder: string): Address {
  const address = knownAddress(dataFolder);
  if (!address) throw new Error('the path is too long for a socket');
  return address;
}

async function serve(address?: Address): Promise<Agent> {
  const served = await serveAgent({
    userDataFolder: folder,
    version: '1.2.3',
    router: async (name, input) => {
      calls.push({ name, input });
      return answer(name);
    },
    grant: (paths) => paths.map((path) => `grant of ${path}`),
    makeWay: null,
    asksPerson: true,
    log: createTestLog(),
    ...(address && { address }),
  });
  if (!served) throw new Error('the path is too long for a socket');
  return served;
}

async function open() {
  const client = await connectAgent(addressOf(folder), '1.2.3');
  if (!client) throw new Error('nobody answers');
  return client;
}

/** Sends raw bytes, as an unknown program might. `said` returns the answers so far. */
async function raw(...pieces: (string | Uint8Array)[]): Promise<{ socket: Socket; said: () => string }> {
  const socket = await openSocket(addressOf(folder).path);
  if (!socket) throw new Error('nobody answers');
  let said = '';
  socket.on('data', (piece: Buffer) => (said += piece.toString()));
  socket.on('error', () => undefined);
  for (const piece of pieces) socket.write(piece);
  return { socket, said: () => said };
}

const hello = `{"hello":{"protocol":${protocolVersion},"version":"1"}}\n`;
/** Also resolves after an error: writes fail once the app has stopped reading. */
const closed = (socket: Socket) =>
  new Promise<void>((resolve) => {
    if (socket.closed) resolve();
    else socket.once('close', () => resolve());
  });
const isServed = async () => {
  const client = await open();
  await expect(client.call('app.info', undefined)).resolves.toEqual({ version: '1' });
  await client.close();
};

test('calls, grants and events go both ways', async () => {
  const client = await open();
  await expect(client.call('app.info', undefined)).resolves.toEqual({ version: '1' });
  await expect(client.grant(['/a', '/b'])).resolves.toEqual(['grant of /a', 'grant of /b']);
  const heard: unknown[] = [];
  await client.follow('tasks.changed', (payload) => heard.push(payload));
  agent.publish('services.changed', { revision: 1 });
  agent.publish('tasks.changed', { revision: 2 });
  await eventually(() => expect(heard).toEqual([{ revision: 2 }]));
  await client.close();
});

// On Windows it is a named pipe, which is in no folder.
test.skipIf(process.platform === 'win32')("nobody else may open the agent's socket", async () => {
  const client = await open();
  expect(modeOf(addressOf(folder).path)).toBe(0o600);
  await client.close();
});

test('what was thrown on purpose arrives as it was', async () => {
  answer = async () => ({ ok: false, error: { code: 'notFound', what: 'object' } });
  const client = await open();
  await expect(client.call('app.info', undefined)).rejects.toMatchObject({
    error: { code: 'notFound', what: 'object' },
  });
  await client.close();
});

test('refuses what is for the window alone, which never reaches the router', async () => {
  const client = await open();
  for (const name of [
    'approvals.answer',
    'approvals.list',
    'secrets.reveal',
    'objects.forget',
    '__proto__',
    'no such',
  ] as const)
    await expect(client.call(name as 'app.info', undefined)).rejects.toMatchObject({
      error: { code: 'senderRefused' },
    });
  await expect(client.grant(['relative'])).rejects.toMatchObject({ error: { code: 'invalidInput' } });
  expect(calls).toEqual([]);
  await client.close();
});

test("tells a command with another protocol the app's version", async () => {
  const { socket, said } = await raw('{"hello":{"protocol":99,"version":"9"}}\n');
  await closed(socket);
  expect(JSON.parse(said())).toEqual({ refused: 'protocol', version: '1.2.3' });
});

test.each([
  ['no JSON', 'hello\n'],
  ['a call before hello', '{"id":1,"call":"app.info"}\n'],
  ['an unknown message', `${hello}{"id":1,"run":"app.info"}\n`],
  ['a number for an id that is none', `${hello}{"id":-1,"call":"app.info"}\n`],
  ['bytes by chance', randomBytes(100_000)],
  ['a line without an end', 'x'.repeat(5 * 1024 * 1024)],
  ['an empty line', '\n'],
])('%s ends the connection it came over, and nothing else', async (_name, junk) => {
  const { socket } = await raw(junk, '\n');
  await closed(socket);
  await expect(isServed()).resolves.toBeUndefined();
});

test('waits for the rest of half a message', async () => {
  const { socket, said } = await raw(hello, '{"id":1,"call":');
  await eventually(() => expect(said()).toContain('hello'));
  expect(calls).toEqual([]);
  socket.write('"app.info"}\n');
  await eventually(() => expect(said()).toContain('"id":1'));
  socket.destroy();
});

test('serves some of a thousand connections, refuses the others, and recovers', async () => {
  const sockets: Awaited<ReturnType<typeof raw>>[] = [];
  // Fewer at once than the system's backlog of connections that are not accepted yet.
  while (sockets.length < 1000)
    sockets.push(...(await Promise.all(Array.from({ length: 100 }, () => raw(hello)))));
  await eventually(() => expect(sockets.every(({ said }) => said() !== '')).toBe(true));
  const served = sockets.filter(({ said }) => said().includes('hello'));
  expect(served).toHaveLength(64);
  expect(sockets.filter(({ said }) => said().includes('busy'))).toHaveLength(1000 - 64);
  for (const { socket } of sockets) socket.destroy();
  await agent.idle();
  await isServed();
});

test('reads a hello that came in time, even if the app was too busy to', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => {
    vi.useRealTimers();
  });
  const { socket } = await raw();
  // Continues before the socket is read again, as a timer would.
  do await nextTurn();
  while (agent.isIdle());
  const said = once(socket, 'data');
  socket.write(hello);
  vi.advanceTimersByTime(60_000);
  expect(String(await said)).toContain('"hello"');
  socket.destroy();
});

test('ends a connection that says nothing for two seconds', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const { socket, said } = await raw();
  do await nextTurn();
  while (agent.isIdle());
  vi.advanceTimersByTime(1_999);
  await nextTurn();
  expect(said()).toBe('');
  vi.advanceTimersByTime(1);
  await closed(socket);
  expect(said()).toContain('badRequest');
});

test('drops connections that say nothing, and locks nobody out', async () => {
  // However long this takes, no connection is dropped for being late.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const sockets = await Promise.all(Array.from({ length: 64 }, () => raw()));
  await isServed();
  vi.useRealTimers();
  await eventually(() => expect(sockets.filter(({ said }) => said().includes('busy'))).toHaveLength(1));
  for (const { socket } of sockets) socket.destroy();
});

test('on Windows each start has a name and a key of its own, which only the data folder holds', () => {
  const first = newAddress(folder, 'win32');
  expect(knownAddress(folder, 'win32')).toEqual(first);
  expect(first.path).toMatch(/^\\\\\.\\pipe\\coffer-[-0-9a-f]{36}$/);
  const second = newAddress(folder, 'win32');
  expect([second.path === first.path, second.key === first.key]).toEqual([false, false]);
});

describe('where the address has a key', () => {
  const key = 'a key of the data folder';

  test('both ends prove that they know it, and commands work', async () => {
    await agent.close();
    const address = { path: addressOf(folder).path, key };
    agent = await serve(address);
    const client = await connectAgent(address, '1.2.3');
    await expect(client?.call('app.info', undefined)).resolves.toEqual({ version: '1' });
    await client?.close();
  });

  test.each([
    ['says nothing of it', {}],
    ['proves another', { nonce: 'n', proof: proofOf('another', 'command', 'n') }],
    ["sends back the app's own proof", { nonce: 'n', proof: proofOf(key, 'app', 'n') }],
  ])('a command that %s is refused', async (_what, own) => {
    await agent.close();
    agent = await serve({ path: addressOf(folder).path, key });
    const greeting = { hello: { protocol: protocolVersion, version: '1', ...own } };
    const { socket, said } = await raw(`${JSON.stringify(greeting)}\n`, '{"id":1,"call":"app.info"}\n');
    await closed(socket);
    expect(JSON.parse(said())).toEqual({ refused: 'badRequest', version: '1.2.3' });
    expect(calls).toEqual([]);
  });

  test('whoever serves the name of a killed app without the key gets a greeting, and nothing else', async () => {
    await agent.close();
    let heard = '';
    const stranger = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.on('data', (piece: Buffer) => {
        heard += piece.toString();
        socket.write(
          `{"hello":{"protocol":${protocolVersion},"version":"1.2.3","isApp":true,"proof":"x"}}\n`,
        );
      });
    });
    const { path } = addressOf(folder);
    stranger.listen(path);
    await once(stranger, 'listening');
    expect(await connectAgent({ path, key }, '1.2.3')).toBeNull();
    expect(await askToMakeWay({ path, key }, '1.2.3')).toBe(true);
    expect(
      heard
        .trim()
        .split('\n')
        .map((line) => Object.keys(JSON.parse(line))),
    ).toEqual([['hello'], ['hello']]);
    expect(heard).not.toContain(key);
    stranger.close();
    agent = await serve();
  });
});

test('gives up on a process that does not answer', async () => {
  await agent.close();
  const greeted = Promise.withResolvers<void>();
  const stopped = createServer((socket) => void socket.once('data', () => greeted.resolve()));
  stopped.listen(addressOf(folder).path);
  await once(stopped, 'listening');
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const opened = open().catch((cause: unknown) => cause);
  await greeted.promise;
  vi.advanceTimersByTime(2000);
  expect(await opened).toBeInstanceOf(AgentSilent);
  vi.useRealTimers();
  stopped.close();
  agent = await serve();
});

test('works through a flood of calls a few at a time, and answers each', async () => {
  let most = 0;
  let now = 0;
  answer = async () => {
    most = Math.max(most, (now += 1));
    await new Promise((resolve) => setImmediate(resolve));
    now -= 1;
    return { ok: true, value: undefined };
  };
  const client = await open();
  await Promise.all(Array.from({ length: 5000 }, () => client.call('tasks.list', undefined)));
  expect(most).toBeLessThanOrEqual(16);
  expect(calls).toHaveLength(5000);
  await client.close();
});

test.each([
  ['hello', hello, '{"hello":', 50_000],
  ['a call', '{"id":1,"call":"app.info"}\n', '"reply":', 20_000],
])(
  'who sends %s for ever and never reads is not read either; what was sent is answered when they read',
  async (_name, frame, sign, times) => {
    const opened = Promise.withResolvers<Socket>();
    const onSocket = (message: unknown) => opened.resolve((message as { socket: Socket }).socket);
    subscribe('net.server.socket', onSocket);
    onTestFinished(() => void unsubscribe('net.server.socket', onSocket));
    answer = async () => ({ ok: true, value: { version: 'x'.repeat(1000) } });
    const socket = await openSocket(addressOf(folder).path);
    socket?.write(hello);
    socket?.write(frame.repeat(times));
    const served = await opened.promise;
    await eventually(() => expect(served.isPaused() && served.writableNeedDrain).toBe(true));
    expect(served.bytesRead).toBeLessThan(frame.length * times);
    // Unread events, and the answers to one piece of input.
    expect(served.writableLength).toBeLessThan(2 * 1024 * 1024);
    let count = 0;
    let rest = '';
    socket?.on('data', (piece: Buffer) => {
      const lines = (rest + piece.toString()).split('\n');
      rest = lines.pop() ?? '';
      count += lines.filter((line) => line.includes(sign)).length;
    });
    await eventually(() => expect(count).toBeGreaterThanOrEqual(times));
    socket?.destroy();
  },
);

test('a client that disconnects during an answer affects no other', async () => {
  const { promise, resolve } = Promise.withResolvers<Reply>();
  answer = () => promise;
  const { socket } = await raw(hello, '{"id":1,"call":"app.info"}\n');
  await eventually(() => expect(calls).toHaveLength(1));
  socket.destroy();
  resolve({ ok: true, value: { version: '1' } });
  answer = async () => ({ ok: true, value: { version: '1' } });
  await isServed();
});

test('notifies connected commands when the app quits', async () => {
  const client = await open();
  await agent.close();
  await expect(client.call('app.info', undefined)).rejects.toMatchObject({ reason: 'closing' });
  expect(await connectAgent(addressOf(folder), '1')).toBeNull();
  agent = await serve();
});

test('leftovers of a killed run do no harm', async () => {
  await agent.close();
  await writeFile(addressOf(folder).path, '');
  agent = await serve();
  await expect(isServed()).resolves.toBeUndefined();
});
