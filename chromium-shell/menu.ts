import type * as Electron from 'electron';
import { app } from './app.ts';
import { checkOptions, provideOnly, refuse } from './refuse.ts';
import type { Key } from './worlds.ts';

/* Chromium's window has no menu bar. Accelerators work, and items are validated like Electron does. */

type Item = Electron.MenuItemConstructorOptions;
type Entry = Key & { item: Item };

const itemOptions = ['label', 'accelerator', 'click', 'role', 'type', 'submenu', 'id', 'enabled', 'visible'];
/** What Chromium does by itself with the usual keys, and what needs a menu bar. */
const roles = [
  'about', 'close', 'copy', 'cut', 'hide', 'hideOthers', 'minimize', 'paste', 'redo', 'resetZoom', 'selectAll',
  'toggleDevTools', 'togglefullscreen', 'undo', 'unhide', 'zoomIn', 'zoomOut',
]; // oxfmt-ignore
const keyNames: Record<string, string> = {
  plus: '+',
  space: ' ',
  esc: 'escape',
  return: 'enter',
  up: 'arrowup',
};

class Menu {
  readonly template: Item[];
  constructor(template: Item[]) {
    this.template = template;
  }
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

let entries: Entry[] = [];

function collect(items: readonly Item[]): Entry[] {
  return items.flatMap((item) => {
    const { accelerator, submenu } = item;
    const own = item.role === 'quit' ? 'CmdOrCtrl+Q' : accelerator;
    const below = Array.isArray(submenu) ? collect(submenu) : [];
    return own ? [{ id: 0, item, ...parseAccelerator(own) }, ...below] : below;
  });
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
    entries = collect(menu?.template ?? []).map((entry, id) => ({ ...entry, id }));
  },
});
export { statics as Menu };

/** The keys that the window listens for. */
export const keysOf = (): Key[] => entries.map(({ item: _item, ...key }) => key);

/** An accelerator was pressed in the window, and its page did not handle it. */
export function pressKey(id: number, window: unknown): void {
  const item = entries[id]?.item;
  if (item?.role === 'quit') app.quit();
  else item?.click?.(item as never, window as never, { triggeredByAccelerator: true });
}
