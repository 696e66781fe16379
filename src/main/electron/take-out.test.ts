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

type Run = (
  program: string,
  args: readonly string[],
  options: { env?: NodeJS.ProcessEnv; windowsHide?: boolean; timeout?: number },
) => Error | null;
const run = vi.hoisted(() => vi.fn<Run>(() => null));
vi.mock('node:child_process', () => ({
  execFile: (...[program, args, options, done]: [...Parameters<Run>, (failure: Error | null) => void]) =>
    done(run(program, args, options)),
}));

const platform = Object.getOwnPropertyDescriptor(process, 'platform') ?? {};
afterEach(() => {
  Object.defineProperty(process, 'platform', platform);
  Object.assign(shell, { platform: '', written: [] });
  vi.unstubAllEnvs();
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
const raw = (name: string) => `electron application/osclipboard;format="${name}"`;

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
    [raw('x-special/gnome-copied-files'), 'copy\nfile:///home/max/a%20b.txt\nfile:///home/max/%C3%BC.txt'],
    [raw('text/uri-list'), 'file:///home/max/a%20b.txt\r\nfile:///home/max/%C3%BC.txt\r\n'],
  ]);
});

test('macOS gets a property list', async () => {
  Object.defineProperty(process, 'platform', { value: 'darwin' });
  const [[name, list] = ['', '']] = await copy(['/Users/max/a & b.txt', '/Users/max/c.txt']);
  expect(name).toBe(raw('NSFilenamesPboardType'));
  expect(list).toContain(
    '<array><string>/Users/max/a &amp; b.txt</string><string>/Users/max/c.txt</string></array>',
  );
});

test('on Windows PowerShell gets the paths in its environment, and its own modules', async () => {
  Object.defineProperty(process, 'platform', { value: 'win32' });
  vi.stubEnv('SystemRoot', 'D:\\Windows');
  vi.stubEnv('PSModulePath', 'C:\\Program Files\\PowerShell\\7\\Modules');
  vi.stubEnv('COFFER_COPIED_FILE_7', 'C:\\not.chosen');
  vi.stubEnv('UserProfile', 'C:\\Users\\anna');
  const paths = ["C:\\opened\\it's $(calc) [1].txt", 'C:\\opened\\ü.txt'];
  await createTakeOut(() => windowOf(true), log).writeFilesToClipboard(paths);
  expect(shell.written).toEqual([]);
  const [program, args = [], options] = run.mock.lastCall ?? [];
  expect(program).toBe('D:\\Windows\\System32\\WindowsPowerShell\\v1.0\\powershell.exe');
  expect(args).toEqual(['-NoProfile', '-NonInteractive', '-Command', expect.any(String)]);
  expect(args[3]).toContain('\\Set-Clipboard -LiteralPath');
  // Nothing of a name is in the script, and Node would escape double quotes for C programs, not for PowerShell.
  expect(args[3]).not.toMatch(/opened|"/);
  expect(options).toMatchObject({ windowsHide: true, timeout: expect.any(Number) });
  const named = Object.entries(options?.env ?? {}).filter(([name]) => name.startsWith('COFFER_COPIED_FILE_'));
  expect(named.map(([, path]) => path)).toEqual(paths);
  expect(options?.env).not.toHaveProperty('PSModulePath');
  expect(options?.env).toHaveProperty('UserProfile', 'C:\\Users\\anna');
});

test('on Windows says what to do if PowerShell fails', async () => {
  Object.defineProperty(process, 'platform', { value: 'win32' });
  run.mockReturnValueOnce(new Error('Command failed'));
  await expect(
    createTakeOut(() => windowOf(true), log).writeFilesToClipboard(['C:\\a']),
  ).rejects.toMatchObject({
    error: { code: 'notTakenOut', problem: 'clipboard' },
  });
  expect(log.warn).toHaveBeenCalledWith('files could not be put on the clipboard', expect.anything());
});

test('without the focus on Wayland nothing is copied that nobody could paste', async () => {
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
