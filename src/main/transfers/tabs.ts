import type { TransferRecord } from './record.ts';
import type { Tab } from './store-types.ts';

/** Of an upload or a download. */
export function tabOf({ route }: Pick<TransferRecord, 'route'>): Tab {
  return route === 'direct' ? 'transfers' : 'jobs';
}

/** Of any record: the window lists no deletions. */
export function listedTabOf(record: Pick<TransferRecord, 'direction' | 'route'>): Tab | 'none' {
  return record.direction === 'delete' ? 'none' : tabOf(record);
}
