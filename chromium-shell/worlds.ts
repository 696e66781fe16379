import type * as Electron from 'electron';
import type { createWire } from './wire.ts';

/*
 * What runs in the window: these functions are sent there as text (`toString()`), so each is self-contained.
 * There are two worlds on one page, as under Electron's contextIsolation: the page's own, and one that the page
 * cannot see, where the preload script runs. DOM events cross between them synchronously, and Chromium copies their
 * `detail` (structured clone). Files cross as those of a drag, which are not copied: a clone of a File costs 0.3 ms.
 *
 * The page's end is in place before any script of the page runs, and the events have an unguessable name. A page that
 * replaces CustomEvent later breaks the bridge for itself only.
 */

export type Joint = {
  /** Defines a frozen copy of a value on the other world's window, with functions proxied. */
  expose: (key: string, value: unknown) => void;
};

/** One end of the contextBridge; both worlds run the same code. */
export function joinWorlds(secret: string, here: 'page' | 'preload'): Joint {
  const there = here === 'page' ? 'preload' : 'page';
  type Packed = { kind: string; content?: unknown };
  type Call = (...args: unknown[]) => unknown;
  type Settle = { resolve: (value: unknown) => void; reject: (cause: unknown) => void };
  const Event = CustomEvent;
  const FilesEvent = DragEvent;
  const Transfer = DataTransfer;
  const dispatch = dispatchEvent.bind(globalThis);
  const listen = addEventListener.bind(globalThis);
  const functions = new Map<number, Call>();
  const promises = new Map<number, Settle>();
  let lastId = 0;
  let reply: unknown;
  /** Files of the message being packed, and of the last one received. */
  let outgoing: File[] = [];
  let incoming: File[] = [];

  const send = (type: string, detail: unknown) => {
    if (outgoing.length > 0) {
      const dataTransfer = new Transfer();
      for (const file of outgoing) dataTransfer.items.add(file);
      outgoing = [];
      dispatch(new FilesEvent(`${secret}:${there}:files`, { dataTransfer }));
    }
    dispatch(new Event(type, { detail }));
  };

  // Answers arrive before `dispatch` returns; nested questions are answered before the outer one.
  const ask = (question: Record<string, unknown>): unknown => {
    reply = undefined;
    send(`${secret}:${there}`, question);
    const answer = reply as { value?: Packed; error?: Packed } | undefined;
    if (!answer) throw new Error('An object could not be cloned.');
    if (answer.error) throw unpack(answer.error);
    return answer.value && unpack(answer.value);
  };

  const pack = (value: unknown): Packed => {
    if (typeof value === 'function') {
      functions.set(++lastId, value as Call);
      return { kind: 'function', content: lastId };
    }
    if (typeof value === 'symbol') return { kind: 'value' };
    if (value instanceof File) return { kind: 'file', content: outgoing.push(value) - 1 };
    if (value instanceof Promise) {
      const id = ++lastId;
      const settle = (how: string) => (result: unknown) => void ask({ settle: how, id, value: pack(result) });
      value.then(settle('resolve'), settle('reject'));
      return { kind: 'promise', content: id };
    }
    if (value instanceof Error) return { kind: 'error', content: value.message };
    if (Array.isArray(value)) return { kind: 'array', content: value.map(pack) };
    if (
      typeof value === 'object' &&
      value !== null &&
      Object.prototype.toString.call(value) === '[object Object]'
    ) {
      return { kind: 'object', content: Object.entries(value).map(([key, item]) => [key, pack(item)]) };
    }
    return { kind: 'value', content: value };
  };

  const unpack = ({ kind, content }: Packed): unknown => {
    if (kind === 'function') return (...args: unknown[]) => ask({ call: content, args: args.map(pack) });
    if (kind === 'promise') {
      return new Promise((resolve, reject) => promises.set(content as number, { resolve, reject }));
    }
    if (kind === 'error') return new Error(content as string);
    if (kind === 'file') return incoming[content as number];
    if (kind === 'array') return (content as Packed[]).map(unpack);
    if (kind === 'object') {
      return Object.fromEntries((content as [string, Packed][]).map(([key, item]) => [key, unpack(item)]));
    }
    return content;
  };

  const freeze = (value: unknown): unknown => {
    if (typeof value === 'object' && value !== null) Object.values(value).forEach(freeze);
    return Object.freeze(value);
  };

  listen(`${secret}:${here}`, (event) => {
    const question = (event as CustomEvent).detail as {
      call?: number;
      args?: Packed[];
      settle?: 'resolve' | 'reject';
      id?: number;
      expose?: string;
      value?: Packed;
    } | null;
    let answer: { value?: Packed; error?: Packed } = {};
    try {
      if (question?.call !== undefined) {
        const called = functions.get(question.call);
        answer = { value: pack(called?.(...(question.args ?? []).map(unpack))) };
      } else if (question?.settle && question.value) {
        promises.get(question.id ?? 0)?.[question.settle](unpack(question.value));
        promises.delete(question.id ?? 0);
      } else if (question?.expose && question.value) {
        const value = freeze(unpack(question.value));
        Object.defineProperty(globalThis, question.expose, { value, enumerable: true });
      }
    } catch (cause) {
      answer = { error: pack(cause instanceof Error ? cause : new Error(String(cause))) };
    }
    send(`${secret}:${there}:reply`, answer);
  });
  listen(`${secret}:${here}:files`, (event) => {
    incoming = [...((event as DragEvent).dataTransfer?.files ?? [])];
  });
  listen(`${secret}:${here}:reply`, (event) => {
    reply = (event as CustomEvent).detail as unknown;
  });

  return { expose: (key, value) => void ask({ expose: key, value: pack(value) }) };
}

export type Key = { id: number; key: string; ctrl: boolean; shift: boolean; alt: boolean; meta: boolean };

/** Messages from the window's process to the stand-in. */
export type FromWindow =
  | { say: 'invoke'; id: number; channel: string; args: string }
  | { say: 'menu'; id: number }
  | { say: 'dark'; isDark: boolean }
  | { say: 'focus'; isFocused: boolean }
  | { say: 'notificationClick'; id: number }
  | ({ say: 'contextMenu' } & ContextPlace);

/** Where a person asked for a menu, in Electron's words. */
export type ContextPlace = Pick<
  Electron.ContextMenuParams,
  'x' | 'y' | 'isEditable' | 'selectionText' | 'editFlags' | 'menuSourceType'
>;

/** `label` null: a separator. */
export type ShownItem = { label: string | null; isEnabled: boolean };

/** Methods of the window that the stand-in calls through the debugger, out of the page's reach. */
export type Shell = {
  reply: (id: number, error: string | null, value: string) => void;
  event: (channel: string, args: string) => void;
  setKeys: (keys: Key[]) => void;
  files: (ids: number[]) => (File | undefined)[];
  chooseFiles: (options: { multiple: boolean; folder: boolean; accept: string }) => Promise<File[]>;
  saveEmpty: (fileName: string) => void;
  ask: (question: string) => boolean;
  hasFocus: () => boolean;
  copy: (text: string) => Promise<void>;
  readCopied: () => Promise<string>;
  /** Undo, copy and the like, in the focused field or selection. */
  edit: (role: string) => void;
  /** Shows a menu at a place of the window. Resolves with the index of the chosen item; null: none. */
  chooseItem: (items: ShownItem[], x: number, y: number) => Promise<number | null>;
  /** @param factor 1: as designed */
  zoom: (factor: number) => void;
  /** Resolves when it is shown. */
  notify: (id: number, title: string, body: string) => Promise<void>;
};

/** Runs the preload script with the `electron` module of sandboxed preload scripts. */
export function runPreload(
  setup: { secret: string; filePrefix: string; binding: string },
  joint: Joint,
  wire: ReturnType<typeof createWire>,
  preload: (require: (name: string) => unknown, module: { exports: unknown }, exports: unknown) => void,
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
        new Promise((resolve, reject) => {
          const id = ++lastId;
          calls.set(id, { resolve, reject });
          tell({ say: 'invoke', id, channel, args: wire.encode(args) });
        }),
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
    // A key reports the button 0.
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
      // The field keeps the focus, as under a menu of the system.
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

  // Electron shows no menu by itself, and zooms by the menu alone: the wheel only asks (`zoom-changed`).
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

  const module = { exports: {} as unknown };
  const require = (name: string) => {
    if (name === 'electron') return electron;
    throw new Error(`module not found: ${name}`);
  };
  preload(require, module, module.exports);
}
