import type { TransferSummary } from '../../../shared/domain/transfer-summary.ts';
import { Emitter } from '../../lib/emitter.ts';
import { throttle } from '../../lib/timers.ts';
import type { TransferRecord } from '../model/record.ts';
import type { TransferList } from './transfer-list.ts';

export interface ListChange {
  readonly summary: TransferSummary;
  /** Services whose rows changed. */
  readonly serviceIds: readonly string[];
}

type Summarized = Pick<TransferList, 'revise' | 'summary'>;

export interface ChangeNotifier {
  /** Starts notifying. @param list provides the summary for each notification */
  begin(list: Summarized): void;
  readonly onChanged: (listener: (change: ListChange) => void) => () => void;
  readonly onDeletion: (listener: (record: TransferRecord) => void) => () => void;
  /** An active transfer has ended, and its end is on the disk. Other ends are reported by `onChanged` alone. */
  readonly onEnded: (listener: (record: TransferRecord) => void) => () => void;
  readonly tellEnded: (record: TransferRecord) => void;
  /** Something of these services has changed; without them: of all services. */
  readonly touched: (serviceIds?: Iterable<string>) => void;
  /** No-op for records other than deletions. */
  readonly tellDeletion: (record: TransferRecord) => void;
  close(): void;
}

/** At most four notifications a second. */
const leastApartMs = 250;

export function createChangeNotifier(deps: {
  serviceIds: () => Iterable<string>;
  onFailed: (cause: unknown) => void;
}): ChangeNotifier {
  const { serviceIds: allServiceIds, onFailed } = deps;
  let list: Summarized | null = null;
  const deletion = new Emitter<[record: TransferRecord]>();
  const ended = new Emitter<[record: TransferRecord]>();
  const changed = new Emitter<[change: ListChange]>();
  /** Services whose rows changed since the last notification. */
  const changedServices = new Set<string>();
  const tell = throttle(() => {
    if (list === null) return;
    list.revise();
    const serviceIds = [...changedServices];
    changedServices.clear();
    void list.summary().then((summary) => changed.fire({ summary, serviceIds }), onFailed);
  }, leastApartMs);

  return {
    begin(summarized) {
      list = summarized;
    },
    onChanged: changed.event,
    onDeletion: deletion.event,
    touched(serviceIds = allServiceIds()) {
      for (const serviceId of serviceIds) changedServices.add(serviceId);
      list?.revise();
      tell();
    },
    tellDeletion(record) {
      if (record.direction === 'delete') deletion.fire(record);
    },
    onEnded: ended.event,
    tellEnded: (record) => ended.fire(record),
    close: () => tell.cancel(),
  };
}
