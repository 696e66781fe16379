import type { ObjectRecord } from './object.ts';

/** Maximum number of objects per drag or copy. */
export const takenOutMax = 100;

/** Maximum total download for a drag: nobody holds a mouse button down for longer. */
export const dragFetchMaxBytes = 2 * 1024 * 1024;
/** Maximum total download for a copy to the clipboard. */
export const copyFetchMaxBytes = 1024 ** 3;

/** Whether its bytes may be given to another program as a file. Secrets never are. */
export function canTakeOut({ kind, state }: Pick<ObjectRecord, 'kind' | 'state'>): boolean {
  return kind === 'data' && (state === 'stored' || state === 'unknown');
}
