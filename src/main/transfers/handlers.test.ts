import { createGrants } from '../local-files/grants.ts';
import { expect, test } from 'vitest';
import type { SavedFile } from '../../shared/domain/transfer.ts';
import type { Engine } from './engine.ts';
import { createTransferHandlers } from './handlers.ts';

const file = {
  transferId: 1,
  path: '/downloads/a.pdf',
  fileName: 'a.pdf',
  state: 'there',
  isOpenable: true,
} as const;

function handlersOver(saved: SavedFile & { path: string }, opens = true) {
  const opened: string[] = [];
  const engine = { savedFileOf: async () => saved } as unknown as Engine;
  const handlers = createTransferHandlers(
    engine,
    {
      openFile: async (path) => {
        opened.push(path);
        return opens;
      },
      openFolder: async () => opens,
      showInFolder: (path) => void opened.push(`folder of ${path}`),
      writeClipboardText: async () => undefined,
    },
    createGrants(),
    '/home/ada',
  );
  return { handlers, opened };
}

test('opens a downloaded file and reports whether it changed', async () => {
  const { handlers, opened } = handlersOver({ ...file, state: 'changed' });
  expect(await handlers['transfers.openFile']({ id: 1 })).toEqual({ fileName: 'a.pdf', isChanged: true });
  expect(opened).toEqual(['/downloads/a.pdf']);
});

test('shows a file of a kind that is not opened in its folder', async () => {
  const { handlers, opened } = handlersOver({ ...file, isOpenable: false });
  await expect(handlers['transfers.openFile']({ id: 1 })).rejects.toMatchObject({
    error: { code: 'fileNotOpened', problem: 'kind' },
  });
  await handlers['transfers.showInFolder']({ ids: [1] });
  expect(opened).toEqual(['folder of /downloads/a.pdf']);
});

test('names and opens the folder of several files', async () => {
  const opened: string[] = [];
  const paths = ['/home/ada/Downloads/x/a.pdf', '/home/ada/Downloads/b.pdf'];
  const handlers = createTransferHandlers(
    { savedFileOf: async (id: number) => ({ ...file, path: paths[id] }) } as unknown as Engine,
    {
      openFile: async () => false,
      openFolder: async (path) => {
        opened.push(path);
        return true;
      },
      showInFolder: () => undefined,
      writeClipboardText: async () => undefined,
    },
    createGrants(),
    '/home/ada',
  );
  expect(await handlers['transfers.savedIn']({ ids: [0, 1] })).toEqual({ folder: '~/Downloads' });
  await handlers['transfers.showInFolder']({ ids: [0, 1] });
  expect(opened).toEqual(['/home/ada/Downloads']);
});

test('fails with noApp if no application opens the file', async () => {
  const { handlers } = handlersOver(file, false);
  await expect(handlers['transfers.openFile']({ id: 1 })).rejects.toMatchObject({
    error: { code: 'fileNotOpened', problem: 'noApp' },
  });
});
