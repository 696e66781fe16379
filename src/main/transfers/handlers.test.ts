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
  isProgram: false,
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
      showInFolder: (path) => void opened.push(`folder of ${path}`),
      writeClipboardText: async () => undefined,
    },
    createGrants(),
  );
  return { handlers, opened };
}

test('opens a downloaded file and reports whether it changed', async () => {
  const { handlers, opened } = handlersOver({ ...file, state: 'changed' });
  expect(await handlers['transfers.openFile']({ id: 1 })).toEqual({ fileName: 'a.pdf', isChanged: true });
  expect(opened).toEqual(['/downloads/a.pdf']);
});

test('never starts a program, but shows it in its folder', async () => {
  const { handlers, opened } = handlersOver({ ...file, isProgram: true });
  await expect(handlers['transfers.openFile']({ id: 1 })).rejects.toMatchObject({
    error: { code: 'fileNotOpened', problem: 'program' },
  });
  await handlers['transfers.showInFolder']({ id: 1 });
  expect(opened).toEqual(['folder of /downloads/a.pdf']);
});

test('fails with noApp if no application opens the file', async () => {
  const { handlers } = handlersOver(file, false);
  await expect(handlers['transfers.openFile']({ id: 1 })).rejects.toMatchObject({
    error: { code: 'fileNotOpened', problem: 'noApp' },
  });
});
