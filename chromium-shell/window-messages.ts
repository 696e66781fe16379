import type * as Electron from 'electron';

export type Key = { id: number; key: string; ctrl: boolean; shift: boolean; alt: boolean; meta: boolean };

/** Messages from the window's process to the stand-in. */
export type FromWindow =
  | { say: 'invoke'; id: number; channel: string; args: string }
  | { say: 'send'; channel: string; args: string }
  | { say: 'memory'; id: number }
  | { say: 'menu'; id: number }
  | { say: 'dark'; isDark: boolean }
  | { say: 'focus'; isFocused: boolean }
  | { say: 'notificationClick'; id: number }
  | ({ say: 'contextMenu' } & ContextPlace);

/** Where the person requested a context menu, with Electron's names. */
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
