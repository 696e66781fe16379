import type { MenuItemConstructorOptions } from 'electron';
import { expect, test, vi } from 'vitest';
import { commandSchema, type Undoable } from '../../shared/contract.ts';
import { chooseLanguage, setLanguage } from '../../shared/i18n/language.ts';
import { menuTemplate, setMenu } from './menu.ts';

const menus = vi.hoisted(() => ({ set: [] as MenuItemConstructorOptions[][] }));

vi.mock('electron', () => ({
  app: { name: 'Coffer', isPackaged: true },
  Menu: {
    buildFromTemplate: (template: MenuItemConstructorOptions[]) => template,
    setApplicationMenu: (menu: MenuItemConstructorOptions[]) => menus.set.push(menu),
  },
}));

const flatten = (items: MenuItemConstructorOptions[]): MenuItemConstructorOptions[] =>
  items.flatMap((item) => [item, ...(Array.isArray(item.submenu) ? flatten(item.submenu) : [])]);

test.each([true, false])('every key of the keyboard plan gives its command (macOS: %s)', (isMac) => {
  const given: string[] = [];
  const keys: Record<string, string> = {};
  for (const item of flatten(menuTemplate((command) => given.push(command), isMac))) {
    if (!item.click) continue;
    item.click({} as never, undefined, {});
    if (item.accelerator) keys[item.accelerator] = given.at(-1) ?? '';
  }
  expect(keys).toEqual({
    'CmdOrCtrl+U': 'upload',
    'CmdOrCtrl+Shift+U': 'uploadFolder',
    'CmdOrCtrl+Shift+N': 'newFolder',
    'CmdOrCtrl+F': 'search',
    'CmdOrCtrl+D': 'download',
    'CmdOrCtrl+K': 'palette',
    'CmdOrCtrl+1': 'dock.details',
    'CmdOrCtrl+2': 'dock.transfers',
    'CmdOrCtrl+3': 'dock.jobs',
    'CmdOrCtrl+,': 'settings',
    'CmdOrCtrl+E': 'edit',
    F2: 'move',
    F5: 'check',
  });
  expect(given).toContain('shortcuts');
  for (const command of given) expect(commandSchema.safeParse(command).success).toBe(true);
});

// Electron's own key of `zoomIn` is Ctrl with Plus, which has Shift on a US keyboard.
test.each([true, false])(
  'zooms by the keys that a US keyboard and the numeric pad have (macOS: %s)',
  (isMac) => {
    const keysOf = (wanted: string) =>
      flatten(menuTemplate(() => undefined, isMac)).flatMap(({ role, accelerator }) =>
        role === wanted ? [accelerator ?? 'its own'] : [],
      );
    expect(keysOf('zoomIn')).toEqual(['its own', 'CmdOrCtrl+=', 'CmdOrCtrl+numadd']);
    expect(keysOf('zoomOut')).toEqual(['its own', 'CmdOrCtrl+numsub']);
    expect(keysOf('resetZoom')).toEqual(['its own', 'CmdOrCtrl+num0']);
  },
);

test('names what is undone next, and is grey if there is nothing', () => {
  const undo = (...names: Undoable[]) =>
    flatten(menuTemplate(() => undefined, false, names)).find(({ id }) => id === 'undo');
  expect(undo()).toMatchObject({ label: 'Nothing to undo', enabled: false });
  expect(undo('delete', 'move')).toMatchObject({ label: 'Undo delete', enabled: true });
});

test('lists what can be undone, and undoes what is chosen with all that came after it', () => {
  const given: string[] = [];
  const names = ['delete', 'move', 'rename'] as const;
  const items = flatten(menuTemplate((command) => given.push(command), false, names));
  const listed = items.filter(({ id }) => id?.startsWith('undo.'));
  expect(listed.map(({ label }) => label)).toEqual(['Undo delete', 'Undo move', 'Undo rename']);
  listed[1]?.click?.({} as never, undefined, {});
  expect(given).toEqual(['undo', 'undo']);
});

test('macOS has the roles that its keys for text fields and windows hang on', () => {
  const rolesOf = (isMac: boolean) => flatten(menuTemplate(() => undefined, isMac)).map(({ role }) => role);
  expect(rolesOf(true)).toEqual(
    expect.arrayContaining([
      'undo',
      'redo',
      'cut',
      'copy',
      'paste',
      'selectAll',
      'close',
      'windowMenu',
      'help',
      'quit',
    ]),
  );
  expect(rolesOf(false)).not.toContain('windowMenu');
  expect(rolesOf(false)).not.toContain('help');
});

test('rebuilds every menu entry when the language changes', () => {
  setMenu(() => undefined);
  setLanguage(chooseLanguage('en-XA', []));
  setLanguage(chooseLanguage('en', []));
  const [english, longer, again] = menus.set.map((menu) =>
    flatten(menu).flatMap(({ label, type }) => (type === 'separator' ? [] : [label ?? ''])),
  );
  expect(english).toContain('Upload files…');
  expect(longer).toHaveLength(english?.length ?? 0);
  for (const label of longer ?? []) expect(label).toMatch(/^(\[.*\]|Coffer)$/);
  expect(again).toEqual(english);
});
