import { afterEach, expect, test, vi } from 'vitest';
import { createTakeOut } from './take-out.ts';

const shell = vi.hoisted(() => ({ platform: '', written: [] as Record<string, Blob>[] }));
vi.mock('electron', () => ({
  app: { commandLine: { getSwitchValue: () => shell.platform } },
  clipboard: {
    write: async (items: { items: Record<string, Blob> }[]) => {
      for (const { items: formats } of items) shell.written.push(formats);
    },
  },
  ClipboardItem: class {
    readonly items: Record<string, Blob>;
    constructor(items: Record<string, Blob>) {
      this.items = items;
    }
  },
  nativeImage: { createFromDataURL: (url: string) => ({ url, addRepresentation: () => undefined }) },
}));

const platform = Object.getOwnPropertyDescriptor(process, 'platform') ?? {};
afterEach(() => {
  Object.defineProperty(process, 'platform', platform);
  Object.assign(shell, { platform: '', written: [] });
});

const startDrag = vi.fn<(item: { files?: string[] }) => void>();
const windowOf = (isFocused: boolean) => ({
  isDestroyed: () => false,
  isFocused: () => isFocused,
  webContents: { startDrag },
});
const log = { info: vi.fn<(message: string) => void>(), warn: vi.fn<(message: string) => void>() };

/** @returns the formats written to the clipboard, with their contents */
async function copy(paths: string[]): Promise<[string, string][]> {
  await createTakeOut(() => windowOf(true), log).writeFilesToClipboard(paths);
  const [formats = {}] = shell.written;
  return Promise.all(
    Object.entries(formats).map(async ([name, blob]): Promise<[string, string]> => [name, await blob.text()]),
  );
}

test('a drag begins within the call, once, and its failure is no crash', () => {
  const takeOut = createTakeOut(() => windowOf(true), log);
  startDrag.mockImplementationOnce(() => {
    throw new Error('no drag');
  });
  takeOut.startDrag();
  takeOut.setDragFiles(['/a', '/b']);
  expect(startDrag).not.toHaveBeenCalled();
  takeOut.startDrag();
  expect(log.warn).toHaveBeenCalledOnce();
  takeOut.startDrag();
  expect(startDrag).toHaveBeenCalledOnce();
  expect(startDrag.mock.lastCall?.[0]).toMatchObject({ file: '/a', files: ['/a', '/b'] });
});

test('Linux gets the list of GNOME and that of the others, with escaped names', async () => {
  Object.defineProperty(process, 'platform', { value: 'linux' });
  expect(await copy(['/home/max/a b.txt', '/home/max/ü.txt'])).toEqual([
    ['text/uri-list', 'file:///home/max/a%20b.txt\r\nfile:///home/max/%C3%BC.txt'],
    [
      'electron application/osclipboard;format="x-special/gnome-copied-files"',
      'copy\nfile:///home/max/a%20b.txt\nfile:///home/max/%C3%BC.txt',
    ],
  ]);
});

test.each([
  ['darwin', '/Users/max/a & #1.txt', 'file:///Users/max/a%20&%20%231.txt'],
  ['win32', "C:\\opened\\it's 100% [1].txt", "file:///C:/opened/it's%20100%25%20%5B1%5D.txt"],
  ['win32', '\\\\server\\share\\ü.txt', 'file://server/share/%C3%BC.txt'],
])('%s gets the list that Electron makes files of: %s', async (value, path, url) => {
  Object.defineProperty(process, 'platform', { value });
  expect(await copy([path])).toEqual([['text/uri-list', url]]);
});

test('copies nothing that nobody could paste, without the focus on Wayland', async () => {
  Object.defineProperty(process, 'platform', { value: 'linux' });
  shell.platform = 'wayland';
  const problem = 'unfocused';
  const { checkFileClipboard, writeFilesToClipboard } = createTakeOut(() => windowOf(false), log);
  expect(checkFileClipboard).toThrow(expect.objectContaining({ error: { code: 'notTakenOut', problem } }));
  await expect(writeFilesToClipboard(['/a'])).rejects.toMatchObject({
    error: { code: 'notTakenOut', problem },
  });
  expect(shell.written).toEqual([]);
});
