import { beforeEach, expect, test, vi } from 'vitest';
import { refuseWords } from './refuse-words.ts';

const app = vi.hoisted(() => ({ isPackaged: true, exit: vi.fn<(code: number) => void>() }));
vi.mock('electron', () => ({ app }));
beforeEach(() => {
  app.isPackaged = true;
});

function start(...words: string[]): string {
  let said = '';
  app.exit.mockClear();
  const isRefused = refuseWords(
    ['/opt/Coffer/coffer-desktop', ...words],
    undefined,
    (text) => (said += text),
  );
  expect(app.exit.mock.calls).toEqual(isRefused ? [[2]] : []);
  expect(isRefused).toBe(said !== '');
  return said;
}

test('the window started as the command says which program that is, and ends with 2', () => {
  expect(start('put', 'a.txt')).toBe(
    'Error: this is Coffer’s window, and takes no words like "put". The command is “coffer”.\n',
  );
  expect(start('--user-data-dir=/x', 'ls')).toContain('"ls"');
});

test('an AppImage says how the command is got out of it', () => {
  const write = vi.fn<(text: string) => void>();
  refuseWords(['/tmp/.mount_1/coffer-desktop', 'put'], '/home/a/Coffer.AppImage', write);
  expect(write.mock.lastCall?.[0]).toContain(
    "“'/home/a/Coffer.AppImage' --appimage-extract 'resources/command/*'”",
  );
});

test.each([
  [[]],
  [['--user-data-dir=/x', '--no-sandbox']],
  [['/home/a/report.pdf']],
  [['file:///home/a/report.pdf']],
  [['C:\\report.pdf']],
])('the window starts with %o', (words) => {
  expect(start(...words)).toBe('');
});

test('a run from a checkout has the folder of the app as its first word', () => {
  app.isPackaged = false;
  expect(start('.')).toBe('');
});
