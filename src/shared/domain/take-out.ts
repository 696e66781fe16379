import type { ObjectRecord } from './object.ts';

/** More objects are not taken out at once. */
export const takenOutMax = 100;

/** Fetched for a drag, in all: longer than that nobody holds a mouse button down. */
export const dragFetchMaxBytes = 2 * 1024 * 1024;
/** Fetched to be copied to the clipboard, in all. */
export const copyFetchMaxBytes = 1024 ** 3;

/** Whether its bytes may be given to another program as a file. Secrets never are. */
export function canTakeOut({ kind, state }: Pick<ObjectRecord, 'kind' | 'state'>): boolean {
  return kind === 'data' && (state === 'stored' || state === 'unknown');
}
