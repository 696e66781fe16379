import { expect, it } from 'vitest';
import type { Dialogs } from './ports.ts';
import { createDroppedFiles, createFileHandlers } from './file-handlers.ts';
import { createGrants } from './local-files/grants.ts';

const nothing: Dialogs = {
  openFiles: async () => [],
  openFolders: async () => [],
  openFile: async () => null,
  saveFile: async () => null,
};

function open(dialogs: Partial<Dialogs>) {
  const grants = createGrants();
  return { grants, handlers: createFileHandlers({ ...nothing, ...dialogs }, grants, '/home/ada') };
}

it('grants the chosen files, and shows display names', async () => {
  const { grants, handlers } = open({
    openFiles: async () => ['/a', '/b'],
    openFile: async () => '/home/ada/keys/ca.pem',
    openFolders: async () => ['/home/ada/Downloads'],
  });
  const files = await handlers['files.chooseFiles'](undefined);
  expect(files?.grants.map((grant) => grants.resolve(grant))).toEqual(['/a', '/b']);
  const authority = await handlers['files.chooseOne']({ purpose: 'authority' });
  expect(authority?.label).toBe('ca.pem');
  expect(grants.resolve(authority?.grant ?? '')).toBe('/home/ada/keys/ca.pem');
  const folder = await handlers['files.chooseOne']({ purpose: 'downloadFolder' });
  expect(folder?.label).toBe('~/Downloads');
});

it('answers null when nothing was chosen', async () => {
  const { handlers } = open({});
  expect(await handlers['files.chooseFiles'](undefined)).toBeNull();
  expect(await handlers['files.chooseFolders'](undefined)).toBeNull();
  expect(await handlers['files.chooseOne']({ purpose: 'authority' })).toBeNull();
  expect(await handlers['files.chooseOne']({ purpose: 'downloadFolder' })).toBeNull();
});

it('keeps files that were dropped outside of the window until it takes them, once', async () => {
  const grants = createGrants();
  const published: string[] = [];
  const { handlers, drop } = createDroppedFiles(grants, { publish: (event) => published.push(event) });
  drop(['/a']);
  drop(['/b']);
  expect(published).toEqual(['files.dropped', 'files.dropped']);
  const taken = await handlers['files.takeDropped']({ isWanted: true });
  expect(taken.grants.map((grant) => grants.resolve(grant))).toEqual(['/a', '/b']);
  expect(await handlers['files.takeDropped']({ isWanted: true })).toEqual({ grants: [], refused: 0 });
  drop(['/c', '/d']);
  expect(await handlers['files.takeDropped']({ isWanted: false })).toEqual({ grants: [], refused: 2 });
  expect(await handlers['files.takeDropped']({ isWanted: true })).toEqual({ grants: [], refused: 0 });
});
