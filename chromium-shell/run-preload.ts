import type { Joint } from './join-worlds.ts';
import type { FromWindow, Key, Shell } from './window-messages.ts';
import type { createWire } from './wire.ts';

/** Runs the preload script with the `electron` module of sandboxed preload scripts. Self-contained, as `joinWorlds`. */
export function runPreload(
  setup: { secret: string; filePrefix: string; binding: string },
  joint: Joint,
  wire: ReturnType<typeof createWire>,
  preload: (
    require: (name: string) => unknown,
    module: { exports: unknown },
    exports: unknown,
    process: unknown,
  ) => void,
): void {
  const world = globalThis as unknown as Record<string, (message: string) => void> & { shell: Shell };
  const tell = (message: FromWindow) => world[setup.binding]?.(JSON.stringify(message));
  type Listener = (event: unknown, ...args: unknown[]) => void;
  const listeners = new Map<string, Listener[]>();
  const calls = new Map<number, { resolve: (value: unknown) => void; reject: (error: Error) => void }>();
  const files = new Map<number, File>();
  let lastId = 0;
  let keys: Key[] = [];

  const provideOnly = <T extends object>(name: string, members: T): T =>
    new Proxy(members, {
      get: (target, key) => {
        if (!(key in target)) throw new Error(`chromium-shell: ${name}.${String(key)} is not provided`);
        return Reflect.get(target, key) as unknown;
      },
    });

  const ask = (question: (id: number) => FromWindow) =>
    new Promise((resolve, reject) => {
      const id = ++lastId;
      calls.set(id, { resolve, reject });
      tell(question(id));
    });
  const off = (channel: string, listener: Listener) => {
    listeners.set(
      channel,
      (listeners.get(channel) ?? []).filter((each) => each !== listener),
    );
  };
  const electron = provideOnly('electron (in preload)', {
    contextBridge: provideOnly('contextBridge', {
      exposeInMainWorld: (key: string, api: unknown) => joint.expose(key, api),
    }),
    ipcRenderer: provideOnly('ipcRenderer', {
      invoke: (channel: string, ...args: unknown[]) =>
        ask((id) => ({ say: 'invoke', id, channel, args: wire.encode(args) })),
      send: (channel: string, ...args: unknown[]) => tell({ say: 'send', channel, args: wire.encode(args) }),
      on: (channel: string, listener: Listener) => {
        listeners.set(channel, [...(listeners.get(channel) ?? []), listener]);
      },
      off,
      removeListener: off,
    }),
    webUtils: provideOnly('webUtils', {
      // Electron returns the path at once. Here only the debugger knows it: this returns a token that becomes the path, or '' for a
      // File without one, on its way through ipcRenderer.
      getPathForFile: (file: File): string => {
        if (!(file instanceof File)) throw new TypeError('getPathForFile: not a File');
        files.set(++lastId, file);
        return setup.filePrefix + String(lastId);
      },
    }),
  });

  const placeOf = (event: MouseEvent) => {
    const field = event.target;
    const isField = field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement;
    const isEditable = isField
      ? !field.readOnly && !field.disabled
      : field instanceof HTMLElement && field.isContentEditable;
    const inField = isField ? field.value.slice(field.selectionStart ?? 0, field.selectionEnd ?? 0) : '';
    const selectionText = inField || String(getSelection());
    const isShown = !(field instanceof HTMLInputElement && field.type === 'password');
    const canCopy = isShown && selectionText !== '';
    const editFlags = {
      canUndo: isEditable && document.queryCommandEnabled('undo'),
      canRedo: isEditable && document.queryCommandEnabled('redo'),
      canCut: isEditable && canCopy,
      canCopy,
      canPaste: isEditable,
      canDelete: isEditable && selectionText !== '',
      canSelectAll: true,
      canEditRichly: false,
    };
    // The menu key reports button 0.
    const menuSourceType = event.button === 2 ? ('mouse' as const) : ('keyboard' as const);
    return { x: event.clientX, y: event.clientY, isEditable, selectionText, editFlags, menuSourceType };
  };

  const chooseItem: Shell['chooseItem'] = (items, x, y) => {
    const menu = document.createElement('div');
    menu.role = 'menu';
    menu.style.cssText = `position:fixed;left:${x}px;top:${y}px;z-index:9999;background:Canvas;color:CanvasText;border:1px solid`;
    return new Promise<number | null>((resolve) => {
      const end = (index: number | null) => {
        menu.remove();
        removeEventListener('pointerdown', outside, true);
        resolve(index);
      };
      const outside = (event: Event) => !menu.contains(event.target as Node) && end(null);
      items.forEach(({ label, isEnabled }, index) => {
        const item = document.createElement('div');
        item.role = label === null ? 'separator' : 'menuitem';
        item.textContent = label;
        item.ariaDisabled = String(!isEnabled);
        item.style.padding = '4px 12px';
        if (isEnabled && label !== null) item.addEventListener('click', () => end(index));
        menu.append(item);
      });
      // The field keeps the focus, as under a native menu.
      menu.addEventListener('mousedown', (event) => event.preventDefault());
      addEventListener('pointerdown', outside, true);
      document.body.append(menu);
    });
  };

  const choose = (input: HTMLInputElement) =>
    new Promise<File[]>((resolve) => {
      input.type = 'file';
      input.addEventListener('change', () => resolve([...(input.files ?? [])]));
      input.addEventListener('cancel', () => resolve([]));
      input.click();
    });

  world.shell = {
    reply: (id, error, value) => {
      const call = calls.get(id);
      calls.delete(id);
      if (error === null) call?.resolve(wire.decode(value));
      else call?.reject(new Error(error));
    },
    event: (channel, args) => {
      const values = wire.decode(args) as unknown[];
      for (const listener of listeners.get(channel) ?? []) listener({}, ...values);
    },
    setKeys: (list) => {
      keys = list;
    },
    files: (ids) =>
      ids.map((id) => {
        const file = files.get(id);
        files.delete(id);
        return file;
      }),
    chooseFiles: ({ multiple, folder, accept }) => {
      const input = document.createElement('input');
      return choose(Object.assign(input, { multiple, webkitdirectory: folder, accept }));
    },
    saveEmpty: (fileName) => {
      const link = document.createElement('a');
      Object.assign(link, { href: URL.createObjectURL(new Blob()), download: fileName }).click();
      setTimeout(() => URL.revokeObjectURL(link.href));
    },
    ask: (question) => confirm(question),
    hasFocus: () => document.hasFocus(),
    edit: (role) => void document.execCommand(role),
    chooseItem,
    zoom: (factor) => document.documentElement.style.setProperty('zoom', String(factor)),
    copy: (text) => navigator.clipboard.writeText(text),
    readCopied: () => navigator.clipboard.readText(),
    notify: (id, title, body) =>
      new Promise((resolve, reject) => {
        const notification = new Notification(title, { body });
        notification.addEventListener('click', () => tell({ say: 'notificationClick', id }));
        notification.addEventListener('show', () => resolve());
        notification.addEventListener('error', () => reject(new Error('Chromium cannot show notifications')));
      }),
  };

  // Electron's menu gets a key if the page has not handled it. Chromium's own shortcuts are suppressed.
  const ofChromium = 'deghjlnoprstuw+=-_0';
  addEventListener('keydown', (event) => {
    if (event.defaultPrevented || event.isComposing) return;
    const { ctrlKey: ctrl, shiftKey: shift, altKey: alt, metaKey: meta } = event;
    const name = event.key.toLowerCase();
    const match = keys.find(
      (key) =>
        key.key === name && key.ctrl === ctrl && key.shift === shift && key.alt === alt && key.meta === meta,
    );
    if (match) tell({ say: 'menu', id: match.id });
    if (match || ((ctrl || meta) && ofChromium.includes(name) && name.length === 1)) event.preventDefault();
  });

  // Electron shows no context menu by itself, and zooms only by the menu: the wheel only emits `zoom-changed`.
  addEventListener('contextmenu', (event) => {
    if (event.defaultPrevented) return;
    event.preventDefault();
    tell({ say: 'contextMenu', ...placeOf(event) });
  });
  addEventListener('wheel', (event) => event.ctrlKey && event.preventDefault(), { passive: false });

  const dark = matchMedia('(prefers-color-scheme: dark)');
  dark.addEventListener('change', () => tell({ say: 'dark', isDark: dark.matches }));

  for (const type of ['focus', 'blur'] as const) {
    addEventListener(type, () => tell({ say: 'focus', isFocused: type === 'focus' }));
  }

  const process = provideOnly('process (in preload)', {
    getProcessMemoryInfo: () => ask((id) => ({ say: 'memory', id })),
  });
  const module = { exports: {} as unknown };
  const require = (name: string) => {
    if (name === 'electron') return electron;
    throw new Error(`module not found: ${name}`);
  };
  preload(require, module, module.exports, process);
}
