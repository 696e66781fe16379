import { expect, onTestFinished, test, vi } from 'vitest';
import { channels, type Bridge } from '../shared/bridge.ts';

const exposed = new Map<string, unknown>();
type Call = (...args: unknown[]) => unknown;
const ipc = { invoke: vi.fn<Call>(), send: vi.fn<Call>(), on: vi.fn<Call>(), off: vi.fn<Call>() };
vi.mock('electron', () => ({
  contextBridge: { exposeInMainWorld: (key: string, api: unknown) => exposed.set(key, api) },
  ipcRenderer: ipc,
  webUtils: { getPathForFile: (file: File) => (file.name === 'memory' ? '' : `/${file.name}`) },
}));

await import('./index.ts');
const bridge = exposed.get('coffer') as Bridge<File>;

test('the page gets five functions under one name', () => {
  expect([...exposed.keys()]).toEqual(['coffer']);
  expect(Object.keys(bridge)).toEqual(['call', 'on', 'grantFiles', 'startDrag', 'memoryBytes']);
});

test('the page hears of its own memory, in bytes', async () => {
  process.getProcessMemoryInfo = async () => ({ private: 3, residentSet: 5, shared: 2 });
  onTestFinished(() => void Reflect.deleteProperty(process, 'getProcessMemoryInfo'));
  expect(await bridge.memoryBytes()).toBe(3072);
});

test('a call is one message on one channel', async () => {
  ipc.invoke.mockResolvedValueOnce({ ok: true, value: 1 });
  expect(await bridge.call('objects.page', { offset: 0 })).toEqual({ ok: true, value: 1 });
  expect(ipc.invoke).toHaveBeenLastCalledWith(channels.call, 'objects.page', { offset: 0 });
});

test('a drag is a message without an answer, and without a path', () => {
  bridge.startDrag();
  expect(ipc.send).toHaveBeenCalledExactlyOnceWith(channels.drag);
});

test('a listener hears name and payload, never the event object, until it stops', () => {
  const listener = vi.fn<(event: string, payload: unknown) => void>();
  const stop = bridge.on(listener);
  const [channel, forward] = ipc.on.mock.lastCall as [string, (...args: unknown[]) => void];
  forward({ sender: 'ipcRenderer' }, 'tasks.changed', { revision: 1 });
  expect(channel).toBe(channels.event);
  expect(listener).toHaveBeenCalledExactlyOnceWith('tasks.changed', { revision: 1 });
  stop();
  expect(ipc.off).toHaveBeenCalledExactlyOnceWith(channels.event, forward);
});

test('passes files by path, and reports a file without one', async () => {
  await bridge.grantFiles([{ name: 'a.txt' }, { name: 'memory' }] as File[]);
  expect(ipc.invoke).toHaveBeenLastCalledWith(channels.grant, [
    { name: 'a.txt', path: '/a.txt' },
    { name: 'memory', path: '' },
  ]);
});
