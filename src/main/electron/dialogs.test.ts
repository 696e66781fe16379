import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { OpenDialogOptions, SaveDialogOptions } from 'electron';
import { beforeEach, expect, test, vi } from 'vitest';
import { createTestLog, makeTestFolder } from '../../../test-support/main/test-ports.ts';
import { createDialogs } from './dialogs.ts';

const shown = vi.hoisted(() => ({
  opened: [] as OpenDialogOptions[],
  saved: [] as SaveDialogOptions[],
  answer: '',
}));
vi.mock('electron', () => ({
  dialog: {
    showOpenDialog: async (options: OpenDialogOptions) => {
      shown.opened.push(options);
      return { canceled: shown.answer === '', filePaths: shown.answer === '' ? [] : [shown.answer] };
    },
    showSaveDialog: async (options: SaveDialogOptions) => {
      shown.saved.push(options);
      return { canceled: shown.answer === '', filePath: shown.answer };
    },
  },
}));

let folder: string;
const stateFile = () => join(folder, 'dialogs.json');
const start = () =>
  createDialogs({
    getWindow: () => null,
    stateFile: stateFile(),
    downloads: '/home/ada/Downloads',
    log: createTestLog(),
  });
const save = (dialogs = start()) => dialogs.saveFile({ title: 'Save as', defaultName: 'a.txt', filters: [] });

beforeEach(async () => {
  Object.assign(shown, { opened: [], saved: [], answer: '' });
  folder = await makeTestFolder();
});

test('saving asks before it replaces a file, on Linux too, and lets a folder be made', async () => {
  expect(await save()).toBeNull();
  expect(shown.saved).toEqual([
    {
      title: 'Save as',
      filters: [],
      defaultPath: '/home/ada/Downloads/a.txt',
      properties: ['showOverwriteConfirmation', 'createDirectory'],
    },
  ]);
});

test('a dialog opens where the last one of its kind ended, also after a restart', async () => {
  const [photos, papers] = [join(folder, 'photos'), join(folder, 'papers')];
  for (const path of [photos, papers]) mkdirSync(path);
  const dialogs = start();
  shown.answer = join(photos, 'x.png');
  await dialogs.openFiles();
  shown.answer = join(papers, 'b.txt');
  await save(dialogs);
  shown.answer = '';

  await start().openFolders();
  await save();
  expect(shown.opened.map(({ defaultPath }) => defaultPath)).toEqual([undefined, photos]);
  expect(shown.saved.map(({ defaultPath }) => defaultPath)).toEqual([
    '/home/ada/Downloads/a.txt',
    join(papers, 'a.txt'),
  ]);
});

test.each([
  ['was removed', () => rmSync(join(folder, 'gone'), { recursive: true })],
  ['was written down wrongly', () => writeFileSync(stateFile(), '{"chosen":7,"saved":"relative"}')],
  ['is not known, because the file is broken', () => writeFileSync(stateFile(), '{')],
])('a last folder that %s is forgotten', async (_how, happen) => {
  mkdirSync(join(folder, 'gone'));
  shown.answer = join(folder, 'gone', 'c.txt');
  await save();
  await start().openFiles();
  happen();
  await save();
  await start().openFiles();
  expect(shown.saved.at(-1)?.defaultPath).toBe('/home/ada/Downloads/a.txt');
  expect(shown.opened.at(-1)?.defaultPath).toBeUndefined();
});
