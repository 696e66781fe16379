import { expect, test } from 'vitest';
import { createClipboardPrograms, type RunProgram } from './clipboard-programs.ts';

/** Programs by name that are installed, over one clipboard per selection. */
function createDesktop(installed: readonly string[]) {
  const calls: string[] = [];
  const boards = new Map<string, Buffer>();
  const environments: NodeJS.ProcessEnv[] = [];
  const run: RunProgram = async ([program, ...args], input, env) => {
    if (!installed.includes(program)) return null;
    calls.push([program, ...args].join(' '));
    environments.push(env);
    const which = args.includes('--primary') ? 'primary' : 'clipboard';
    if (input === null) {
      const output = boards.get(which);
      return output ? { code: 0, output } : { code: 1, output: Buffer.alloc(0) };
    }
    if (input.length === 0) boards.delete(which);
    else boards.set(which, input);
    return { code: 0, output: Buffer.alloc(0) };
  };
  return { calls, boards, environments, run };
}

const isOurs = (text: string) => text === 'a välue';

test('on Wayland clears what is ours of the clipboard and of the primary selection, and keeps the secret in memory', async () => {
  const { calls, boards, environments, run } = createDesktop(['wl-copy', 'wl-paste', 'xclip']);
  const env = {
    WAYLAND_DISPLAY: 'wayland-0',
    DISPLAY: ':0',
    XDG_RUNTIME_DIR: '/run/user/7',
    TMPDIR: '/disk',
  };
  const programs = createClipboardPrograms({ platform: 'linux', env }, run);
  await programs.writeSecretToClipboard('a välue');
  expect(calls).toEqual(['wl-copy --type text/plain']);
  expect(environments[0]).toMatchObject({ TMPDIR: '/run/user/7', WAYLAND_DISPLAY: 'wayland-0' });
  expect(await programs.readClipboardText()).toBe('a välue');
  boards.set('primary', Buffer.from('a shopping list'));
  expect(await programs.removeFromClipboard(isOurs)).toBe(true);
  expect([...boards.keys()]).toEqual(['primary']);
  boards.set('primary', Buffer.from('a välue'));
  await programs.removeFromClipboard(isOurs);
  expect(boards.size).toBe(0);
});

test('takes xclip where there is no wl-copy, and refuses where there is neither', async () => {
  const env = { WAYLAND_DISPLAY: 'wayland-0', DISPLAY: ':0' };
  const { calls, run } = createDesktop(['xclip']);
  await createClipboardPrograms({ platform: 'linux', env }, run).writeSecretToClipboard('a');
  expect(calls).toEqual(['xclip -selection clipboard -in']);
  const none = createClipboardPrograms({ platform: 'linux', env }, createDesktop([]).run);
  for (const use of [
    none.writeSecretToClipboard('a'),
    none.readClipboardText(),
    none.removeFromClipboard(isOurs),
  ])
    await expect(use).rejects.toMatchObject({ error: { code: 'clipboardRefused', problem: 'noProgram' } });
  const noDesktop = createClipboardPrograms({ platform: 'linux', env: {} }, run);
  await expect(noDesktop.writeSecretToClipboard('a')).rejects.toMatchObject({
    error: { problem: 'noProgram' },
  });
});

test('gives pbcopy UTF-8, and reads through clip.exe what it made of UTF-16', async () => {
  const mac = createDesktop(['pbcopy', 'pbpaste']);
  await createClipboardPrograms({ platform: 'darwin', env: { LC_ALL: 'C' } }, mac.run).writeSecretToClipboard(
    'ä',
  );
  expect(mac.environments[0]).toMatchObject({ LC_ALL: 'en_US.UTF-8' });
  const windows = createDesktop(['clip.exe', 'powershell.exe']);
  const programs = createClipboardPrograms({ platform: 'win32', env: {} }, windows.run);
  await programs.writeSecretToClipboard('a välue');
  const copied = windows.boards.get('clipboard') ?? Buffer.alloc(0);
  expect(copied).toEqual(Buffer.from('a välue', 'utf16le'));
  windows.boards.set('clipboard', Buffer.from(Buffer.from(copied.toString('utf16le')).toString('base64')));
  expect(await programs.readClipboardText()).toBe('a välue');
});

test('an AppImage hands its libraries to no program', async () => {
  const { environments, run } = createDesktop(['xclip']);
  const env = { DISPLAY: ':0', APPDIR: '/tmp/.mount', LD_LIBRARY_PATH: '/tmp/.mount/usr/lib' };
  await createClipboardPrograms({ platform: 'linux', env }, run).writeSecretToClipboard('a');
  expect(environments[0]).not.toHaveProperty('LD_LIBRARY_PATH');
});
