import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../e2e/pictures/pages.ts';

const found = (path, pattern) =>
  [...readFileSync(join(root, 'src', path), 'utf8').matchAll(pattern)].map(([, id]) => id);

/** Entries of menus that have another name in the palette, or none. */
const named = {
  palette: null,
  // Named by what it undoes, if there is something.
  undo: null,
  // A row whose upload failed is removed by the command that deletes others.
  forget: 'delete',
  openObject: 'open',
  copy: 'copyIdentifiers',
  link: 'copyLink',
  details: 'dock.details',
  rename: 'move',
  // Of one row, of a downloaded file, and of a row that has moved: only their menu knows them.
  findVersions: null,
  showInFolder: null,
  showMoved: null,
};

test('the palette has every command of the application menu, and of the menus of rows and folders', () => {
  const inMenus = [
    ...found('main/electron/menu.ts', /\bgive\('([\w.]+)'\)/g),
    ...found('main/electron/menu.ts', /\bitem\([\w.]+, '([\w.]+)'\)/g),
    ...found('renderer/features/objects/grid/row-menu.ts', /\bid: '([\w.]+)'/g),
    ...found('renderer/features/objects/grid/FolderMenu.tsx', /\bid: '([\w.]+)'/g),
  ];
  const ofFeatures = globSync('renderer/features/*/window.tsx', { cwd: join(root, 'src') });
  const inPalette = new Set([
    ...found('renderer/features/objects/palette/palette-entries.ts', /\b(?:command|go)\(\s*'([\w.]+)'/g),
    ...ofFeatures.flatMap((file) => found(file, /\bpaletteCommand\(\s*'([\w.]+)'/g)),
  ]);
  const wanted = inMenus.map((id) => (id in named ? named[id] : id)).filter((id) => id !== null);
  expect(new Set(wanted).size).toBeGreaterThan(25);
  expect([...new Set(wanted)].filter((id) => !inPalette.has(id))).toEqual([]);
});
