/**
 * What the preload script puts on `window.coffer`: all the page can reach outside itself. Everything that
 * crosses is copied (structured clone): plain data only.
 */

/** A file or folder the person handed over. `grant` is opaque; the page never sees a path. */
export type Grant = { grant: string; name: string; kind: 'file' | 'folder'; lengthBytes: number };

/** A file that could not be granted: it has no path (made in memory), or is gone or unreadable. */
export type RefusedFile = { name: string; reason: 'no-path' | 'unreadable' };

export type GrantReply = { grants: Grant[]; refused: RefusedFile[] };

export type Bridge<File> = {
  /** Calls a procedure of the contract. Resolves to its reply; the caller checks its shape. */
  call(name: string, input: unknown): Promise<unknown>;
  /** Listens to every event; answers a function that stops listening. */
  on(listener: (event: string, payload: unknown) => void): () => void;
  /** Turns files that were dropped, pasted or chosen into grants, in the same order. */
  grantFiles(files: File[]): Promise<GrantReply>;
};

/** The channels below the bridge. */
export const channels = { call: 'coffer:call', event: 'coffer:event', grant: 'coffer:grant' } as const;
