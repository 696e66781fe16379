import type { EventName, EventPayload, Undoable } from '../shared/contract.ts';

/**
 * What the host must provide to the application. Electron provides it in the product; tests and the
 * command line provide their own. Types only.
 */

/** The operating system's keychain. Every call rejects within the implementation's own time limit. */
export type SecretStore = {
  get: (account: string) => Promise<string | null>;
  set: (account: string, value: string) => Promise<void>;
  delete: (account: string) => Promise<void>;
};

export type Clock = {
  /** Wall clock, milliseconds since 1970 (may jump). */
  nowMs: () => number;
  /** Milliseconds since an arbitrary moment; never goes back. */
  monotonicMs: () => number;
  /** Rejects with the signal's reason when aborted. */
  delay: (delayMs: number, signal?: AbortSignal) => Promise<void>;
};

export type FileFilter = { name: string; extensions: string[] };

/** Absolute paths that the user chose; an empty list or null if cancelled. */
export type Dialogs = {
  openFiles: () => Promise<string[]>;
  openFolders: () => Promise<string[]>;
  openFile: (options: { title: string; filters: FileFilter[] }) => Promise<string | null>;
  saveFile: (options: {
    title: string;
    defaultName: string;
    filters: FileFilter[];
  }) => Promise<string | null>;
};

export type Desktop = {
  /** What the menu undoes next; null: nothing. */
  nameUndos: (names: readonly Undoable[]) => void;
  showInFolder: (path: string) => void;
  /**
   * Opens a file of a kind that may be opened (`isOpenable`) with the desktop's default app, and shows any other in its folder. May take
   * seconds; false: no app, or it failed.
   */
  openFile: (path: string) => Promise<boolean>;
  /** Opens a folder in the file manager, or shows it in the one above it if opening might do more. false: it failed. */
  openFolder: (path: string) => Promise<boolean>;
  /** Opens an allow-listed https address in the browser; false: refused. */
  openExternal: (url: string) => Promise<boolean>;
  /** The files that the system drags when the page starts the next drag (`startDrag` of the bridge). */
  setDragFiles: (paths: readonly string[]) => void;
  /** Whether files could be put on the clipboard now. @throws AppFailure notTakenOut */
  checkFileClipboard: () => void;
  /** Puts files on the clipboard, to be pasted in a file manager. @throws AppFailure notTakenOut */
  writeFilesToClipboard: (paths: readonly string[]) => Promise<void>;
  readClipboardText: () => Promise<string>;
  writeClipboardText: (text: string) => Promise<void>;
  /**
   * Copies a text, excluded from clipboard history and cloud clipboards where the system supports that.
   * @throws AppFailure clipboardRefused
   */
  writeSecretToClipboard: (text: string) => Promise<void>;
  /**
   * Clears every buffer that still holds a text of ours, and reads it back. false: not possible now, because the system only
   * allows it to the focused window (Wayland). @throws if the text is still there
   */
  removeFromClipboard: (isOurs: (text: string) => boolean) => Promise<boolean>;
  /** Clears the clipboard without reading it or waiting. */
  clearClipboard: () => Promise<void>;
  notify: (notification: { title: string; body: string }) => void;
  /** Overall progress from 0 to 1 in the dock or taskbar; null removes it. */
  setProgress: (fraction: number | null) => void;
  setBadge: (count: number) => void;
};

export type SystemProxy = {
  /**
   * The system's proxies for an address, including its PAC file, in PAC syntax:
   * `PROXY proxy.test:3128; DIRECT`, as Electron's `session.resolveProxy` returns. `DIRECT`: none set.
   */
  resolve: (url: string) => Promise<string>;
};

/** Environment variables of the process. */
export type Environment = Readonly<Record<string, string | undefined>>;

export type Theme = 'system' | 'light' | 'dark';

export type Appearance = { setTheme: (theme: Theme) => void };

/** Absolute folders. */
export type Paths = { userData: string; downloads: string; home: string };

type LogLine = (message: string, details?: Record<string, unknown>) => void;

/**
 * Details never hold a token, the value of a secret or an identifier. A report for support shows only those whose names are in
 * `report/log-lines.ts`, and the messages, which are constants.
 */
export type Log = { info: LogLine; warn: LogLine; error: LogLine };

/** Sends an event to the window; no error if there is no window. */
export type Publisher = { publish<N extends EventName>(event: N, payload: EventPayload<N>): void };

/** Where updates are announced; set when Coffer is built. Both are https addresses. */
export type UpdateSource = {
  /** Returns the newest version as JSON. */
  readonly address: string;
  /** The page to open in the browser for an update. */
  readonly releasePage: string;
};

export type Ports = {
  keychain: SecretStore;
  clock: Clock;
  dialogs: Dialogs;
  desktop: Desktop;
  appearance: Appearance;
  systemProxy: SystemProxy;
  environment: Environment;
  /** The system's language tags, preferred first. */
  systemLanguages: readonly string[];
  paths: Paths;
  log: Log;
  publisher: Publisher;
};
