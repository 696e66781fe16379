import { expect, test, vi } from 'vitest';
import { channels } from '../../shared/bridge.ts';
import { createPublisher, hostBridge, type BridgeHost } from './bridge-host.ts';

type Handler = (event: unknown, ...args: unknown[]) => unknown;
const handlers = new Map<string, Handler>();
vi.mock('electron', () => ({
  ipcMain: {
    handle: (channel: string, handler: Handler) => handlers.set(channel, handler),
    on: (channel: string, listener: Handler) => handlers.set(channel, listener),
  },
}));

const origin = 'app://coffer';
const ours = { senderFrame: { parent: null, origin, isDestroyed: () => false } };
const strangers = [
  { senderFrame: null },
  { senderFrame: { ...ours.senderFrame, origin: 'https://example.org' } },
  { senderFrame: { ...ours.senderFrame, parent: ours.senderFrame } },
];
const router = vi.fn<BridgeHost['router']>().mockResolvedValue({ ok: true, value: 1 });
const grant = vi.fn<BridgeHost['grant']>((paths) => paths.map((_path, index) => `grant ${index}`));
const startDrag = vi.fn<() => void>();
hostBridge({ origin, router, grant, startDrag });
const invoke = (channel: string, event: unknown, ...args: unknown[]) =>
  handlers.get(channel)?.(event, ...args);

test('our page reaches the router', async () => {
  expect(await invoke(channels.call, ours, 'a.b', { c: 1 })).toEqual({ ok: true, value: 1 });
  expect(router).toHaveBeenCalledExactlyOnceWith('a.b', { c: 1 });
});

test.each(strangers)('refuses calls from other origins', async (stranger) => {
  router.mockClear();
  expect(await invoke(channels.call, stranger, 'a.b', {})).toEqual({
    ok: false,
    error: { code: 'senderRefused' },
  });
  await expect(invoke(channels.grant, stranger, [{ name: 'a', path: '/a' }])).rejects.toThrow(
    'senderRefused',
  );
  expect(router).not.toHaveBeenCalled();
  expect(grant).not.toHaveBeenCalled();
  invoke(channels.drag, stranger);
  expect(startDrag).not.toHaveBeenCalled();
});

test('a drag starts within the event of the message', () => {
  invoke(channels.drag, ours);
  expect(startDrag).toHaveBeenCalledOnce();
});

test.each([
  undefined,
  null,
  'x',
  {},
  [null],
  [{ name: 'a' }],
  [{ name: 'a', path: 1 }],
  Array(100_001).fill({}),
])('junk is no list of files', async (junk) => {
  await expect(invoke(channels.grant, ours, junk)).rejects.toThrow('invalidInput');
});

test('grants absolute paths in order, and refuses files without one by name', async () => {
  const files = [
    { name: 'a', path: '/tmp/a' },
    { name: 'made in memory', path: '' },
    { name: 'b', path: 'relative/b' },
    { name: 'c', path: '/tmp/c' },
  ];
  expect(await invoke(channels.grant, ours, files)).toEqual({
    grants: ['grant 0', 'grant 1'],
    refused: ['made in memory', 'b'],
  });
  expect(grant).toHaveBeenLastCalledWith(['/tmp/a', '/tmp/c']);
});

test('events go to a window that is there', () => {
  const send = vi.fn<(...args: unknown[]) => void>();
  const window = { isDestroyed: () => false, webContents: { send } };
  createPublisher(() => window as never).publish('tasks.changed', { revision: 1 });
  createPublisher(() => ({ ...window, isDestroyed: () => true }) as never).publish('tasks.changed', {
    revision: 2,
  });
  createPublisher(() => null).publish('tasks.changed', { revision: 2 });
  expect(send).toHaveBeenCalledExactlyOnceWith(channels.event, 'tasks.changed', { revision: 1 });
});
