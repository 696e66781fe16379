import type { EventName, EventPayload } from '../shared/contract.ts';

/**
 * What the outside must provide to the application. Electron provides it in the product; tests and a
 * command line provide their own. Types only: nothing here knows a window.
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

/** Absolute paths, chosen by the person. Nothing chosen: an empty list or null. */
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
  showInFolder: (path: string) => void;
  /** Opens a file with the app that the desktop has for it; false: none did. */
  openFile: (path: string) => Promise<boolean>;
  /** Opens an allow-listed https address in the person's browser; anything else is refused (false). */
  openExternal: (url: string) => Promise<boolean>;
  readClipboardText: () => Promise<string>;
  writeClipboardText: (text: string) => Promise<void>;
  /** Marked to stay out of clipboard histories and cloud clipboards, where the system knows such marks. */
  writeSecretToClipboard: (text: string) => Promise<void>;
  clearClipboard: () => Promise<void>;
  notify: (notification: { title: string; body: string }) => void;
  /** Overall progress from 0 to 1 in the dock or taskbar; null removes it. */
  setProgress: (fraction: number | null) => void;
  setBadge: (count: number) => void;
};

export type SystemProxy = {
  /**
   * How the system reaches an address, its PAC file asked where it has one, in the words of PAC files:
   * `PROXY proxy.test:3128; DIRECT`, as Electron's `session.resolveProxy` answers. `DIRECT`: nothing is set.
   */
  resolve: (url: string) => Promise<string>;
};

/** Variables of the environment that the program was started in. */
export type Environment = Readonly<Record<string, string | undefined>>;

export type Theme = 'system' | 'light' | 'dark';

export type Appearance = { setTheme: (theme: Theme) => void };

/** Absolute folders. */
export type Paths = { userData: string; downloads: string; home: string };

type LogLine = (message: string, details?: Record<string, unknown>) => void;

/** Details never hold a token or the value of a secret. */
export type Log = { info: LogLine; warn: LogLine; error: LogLine };

/** Sends an event to the window; a window that is not there is not an error. */
export type Publisher = { publish<N extends EventName>(event: N, payload: EventPayload<N>): void };

export type Ports = {
  keychain: SecretStore;
  clock: Clock;
  dialogs: Dialogs;
  desktop: Desktop;
  appearance: Appearance;
  systemProxy: SystemProxy;
  environment: Environment;
  /** The system's, as language tags, most wanted first. */
  systemLanguages: readonly string[];
  paths: Paths;
  log: Log;
  publisher: Publisher;
};
