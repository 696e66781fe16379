/**
 * What the preload script exposes as `window.coffer`, the page's only access to the outside. Arguments and
 * results are structured-cloned: plain data only.
 */
export type Bridge<PageFile> = {
  /** Calls a procedure of the contract and resolves with a `Reply`. */
  call: (name: string, input: unknown) => Promise<unknown>;
  /** Subscribes to all events; returns a function that unsubscribes. */
  on: (listener: (event: string, payload: unknown) => void) => () => void;
  /** Grants for dropped or pasted files and folders, in the same order. */
  grantFiles: (files: PageFile[]) => Promise<GrantReply>;
  /** Lets the system drag the files of the last `takeOut.start`. Call when it was answered, while the mouse button is held. */
  startDrag: () => void;
  /** Memory of the page's process that it shares with no other, its threads' included, in bytes. */
  memoryBytes: () => Promise<number>;
};

/** Opaque grants (the page never sees a path), and names of files that are only in memory. */
export type GrantReply = { grants: string[]; refused: string[] };

/** Maximum number of files per call; larger drops take several calls. */
export const maxFilesPerCall = 10_000;

/** Message of the grant channel. The path is '' for a file in memory. */
export type FileToGrant = { name: string; path: string };

/** The channels below the bridge. */
export const channels = {
  call: 'coffer:call',
  event: 'coffer:event',
  grant: 'coffer:grant',
  drag: 'coffer:drag',
} as const;
