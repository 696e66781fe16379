import type * as Electron from 'electron';
import { app } from './app.ts';
import { clipboard } from './clipboard.ts';
import { checkOptions, provideOnly, refuse, unlessGone } from './refuse.ts';
import { thePage } from './the-page.ts';
import type { Key } from './window-messages.ts';

/* Chromium's window has no menu bar. Accelerators work, and items are validated like Electron does. */

type Item = Electron.MenuItemConstructorOptions;
type Entry = Key & { item: Item };

const itemOptions = ['label', 'accelerator', 'click', 'role', 'type', 'submenu', 'id', 'enabled', 'visible'];
const editRoles = ['undo', 'redo', 'cut', 'copy', 'selectAll'];
/** Electron's default keys of roles. Chromium itself handles those of text fields; those of macOS and of windows need a menu bar. */
const roleKeys: Record<string, string> = {
  quit: 'CmdOrCtrl+Q',
  resetZoom: 'CmdOrCtrl+0',
  zoomIn: 'CmdOrCtrl+Plus',
  zoomOut: 'CmdOrCtrl+-',
};
const roles = [
  'about', 'close', 'copy', 'cut', 'hide', 'hideOthers', 'minimize', 'paste', 'redo', 'resetZoom', 'selectAll',
  'toggleDevTools', 'togglefullscreen', 'undo', 'unhide', 'zoomIn', 'zoomOut',
]; // oxfmt-ignore
const keyNames: Record<string, string> = {
  plus: '+',
  numadd: '+',
  numsub: '-',
  num0: '0',
  space: ' ',
  esc: 'escape',
  return: 'enter',
  up: 'arrowup',
};

let pointer = { x: 0, y: 0 };
export function setPointer({ x, y }: { x: number; y: number }): void {
  pointer = { x, y };
}

class Menu {
  readonly template: Item[];
  constructor(template: Item[]) {
    this.template = template;
  }
  getMenuItemById(id: string): { label: string; click: () => void } | null {
    const item = all(this.template).find((each) => each.id === id);
    return item ? { label: item.label ?? '', click: () => unlessGone(perform(item, undefined)) } : null;
  }
  /** Shows the menu in the page, by default where the person requested it. */
  popup(options: Electron.PopupOptions = {}): void {
    checkOptions('Menu.popup', options, ['window', 'sourceType', 'x', 'y']);
    const { x, y } = { ...pointer, ...options };
    const items = this.template.map(({ label, role, type, enabled = true }) => ({
      label: type === 'separator' ? null : (label ?? role ?? ''),
      isEnabled: enabled,
    }));
    const chosen = thePage('Menu.popup').then(({ page }) => page.call('chooseItem', [items, x, y]));
    unlessGone(
      chosen.then((index) => {
        const item = this.template[Number(index)];
        return index === null || !item ? undefined : perform(item, options.window);
      }),
    );
  }
}

const zoomSteps: Record<string, number> = { zoomIn: 0.5, zoomOut: -0.5 };
let zoomLevel = 0;

/** Does what Electron does for an item (lib/browser/api/menu-item-roles.ts). */
async function perform(item: Item, window: unknown): Promise<void> {
  const { role } = item;
  if (role === undefined) return item.click?.(item as never, window as never, {});
  if (role === 'quit') return app.quit();
  const { page } = await thePage(`the menu role "${role}"`);
  if (role === 'paste')
    return void (await page.cdp.send('Input.insertText', { text: await clipboard.readText() }));
  if (editRoles.includes(role)) return void (await page.call('edit', [role], true));
  if (role !== 'resetZoom' && !(role in zoomSteps)) return;
  zoomLevel = role === 'resetZoom' ? 0 : zoomLevel + (zoomSteps[role] ?? 0);
  await page.call('zoom', [1.2 ** zoomLevel]);
}

const isMac = process.platform === 'darwin';
const modifiers: Record<string, keyof Key> = {
  cmdorctrl: isMac ? 'meta' : 'ctrl',
  commandorcontrol: isMac ? 'meta' : 'ctrl',
  ctrl: 'ctrl',
  control: 'ctrl',
  cmd: 'meta',
  command: 'meta',
  shift: 'shift',
  alt: 'alt',
  option: 'alt',
};

/** The key event of an accelerator such as `CmdOrCtrl+Shift+U`. */
export function parseAccelerator(accelerator: string): Omit<Key, 'id'> {
  const parts = accelerator.toLowerCase().split('+');
  const name = parts.pop() ?? '';
  const key = { key: keyNames[name] ?? name, ctrl: false, shift: false, alt: false, meta: false };
  for (const part of parts) {
    const modifier =
      modifiers[part] ?? refuse(`"${part}" in the accelerator "${accelerator}" is no modifier`);
    Object.assign(key, { [modifier]: true });
  }
  if (!/^(.|f\d\d?|delete|enter|escape|tab|backspace|home|end|pageup|pagedown|arrow\w+)$/.test(key.key)) {
    refuse(`"${name}" in the accelerator "${accelerator}" is no key`);
  }
  return key;
}

let applicationMenu: Menu | null = null;
let entries: Entry[] = [];

/** Items and those of their submenus. */
function all(items: readonly Item[]): Item[] {
  return items.flatMap((item) => [item, ...(Array.isArray(item.submenu) ? all(item.submenu) : [])]);
}

function check(items: readonly Item[]): void {
  for (const item of items) {
    checkOptions('MenuItem', item, itemOptions);
    const { label, role, type, submenu } = item;
    if (role !== undefined && role !== 'quit' && !roles.includes(role))
      refuse(`the menu role "${role}" is not provided`);
    if (label === undefined && role === undefined && type !== 'separator')
      refuse('a menu item needs a label, a role or a type');
    if (Array.isArray(submenu)) check(submenu);
    if (item.accelerator) parseAccelerator(item.accelerator);
  }
}

const statics = provideOnly('Menu', {
  buildFromTemplate: (template: Item[]): Menu => {
    check(template);
    return new Menu(template);
  },
  setApplicationMenu: (menu: Menu | null): void => {
    applicationMenu = menu;
    const items = all(menu?.template ?? []);
    const named = items.map((item) => ({ item, accelerator: item.accelerator ?? roleKeys[item.role ?? ''] }));
    entries = named
      .filter(({ accelerator }) => accelerator !== undefined)
      .map(({ item, accelerator = '' }, id) => ({ id, item, ...parseAccelerator(accelerator) }));
  },
  getApplicationMenu: (): Menu | null => applicationMenu,
});
export { statics as Menu };

/** The keys that the window listens for. */
export const keysOf = (): Key[] => entries.map(({ item: _item, ...key }) => key);

/** Call when an accelerator was pressed in the window and its page did not handle it. */
export function pressKey(id: number, window: unknown): void {
  const item = entries[id]?.item;
  if (item) unlessGone(perform(item, window));
}
