/**
 * What the preload script puts on `window.coffer`: all the page can reach outside itself. Everything that
 * crosses is copied (structured clone): plain data only.
 */
export type Bridge<PageFile> = {
  /** Calls a procedure of the contract. Answers a `Reply`. */
  call: (name: string, input: unknown) => Promise<unknown>;
  /** Listens to every event; answers a function that stops listening. */
  on: (listener: (event: string, payload: unknown) => void) => () => void;
  /** Turns files and folders that were dropped or pasted into grants, in the same order. */
  grantFiles: (files: PageFile[]) => Promise<GrantReply>;
};

/** Opaque grants (the page never sees a path), and the names of files that lie on no disk. */
export type GrantReply = { grants: string[]; refused: string[] };

/** How many files one call may name. A larger drop comes in several. */
export const maxFilesPerCall = 10_000;

/** What goes through the grant channel. The path is '' for a file that was made in memory. */
export type FileToGrant = { name: string; path: string };

/** The channels below the bridge. */
export const channels = { call: 'coffer:call', event: 'coffer:event', grant: 'coffer:grant' } as const;
