import type { StoredTransfer } from './transfer-rows.ts';
import type { TransferTable } from './transfer-table.ts';

/** How many that follow are spread anew when there is no number left between two keys. */
const spread = 1000;
/** Of a key: nearer to each other they would soon be the same. */
const leastStep = 1e-12;

/** Gives records the keys of another place, in the order given. @param load null: it is not to be moved */
export function reorder(
  table: TransferTable,
  load: (id: number) => StoredTransfer | null,
  ids: readonly number[],
  before: number | 'top' | null,
): void {
  const moved = [...new Set(ids)].flatMap((id) => (id === before ? [] : (load(id) ?? [])));
  if (moved.length === 0) return;
  if (before === null) {
    for (const stored of moved) table.saveRecord(stored, { orderKey: table.nextOrderKey() });
    return;
  }
  // What has begun meanwhile is before all that waits.
  const key = before === 'top' ? null : (load(before)?.record.orderKey ?? null);
  const floor = key === null ? null : table.keyBefore(key);
  if (key === null || floor === null) {
    const first = table.takeFirstOrderKeys(moved.length);
    moved.forEach((stored, index) => table.saveRecord(stored, { orderKey: first + index }));
  } else if ((key - floor) / (moved.length + 1) > leastStep * Math.max(1, Math.abs(key))) {
    spreadBetween(table, moved, floor, key);
  } else {
    const isMoved = new Set(moved.map(({ record }) => record.id));
    const following = table
      .fromKey(key, spread + moved.length)
      .filter(({ record }) => !isMoved.has(record.id));
    // The last one keeps its key, and is the end of the others' room.
    const last = following.length < spread ? null : following.pop();
    const end = last?.record.orderKey ?? table.nextOrderKey();
    spreadBetween(table, [...moved, ...following], floor, end);
  }
}

function spreadBetween(
  table: TransferTable,
  stored: readonly StoredTransfer[],
  floor: number,
  end: number,
): void {
  const step = (end - floor) / (stored.length + 1);
  stored.forEach((each, index) => table.saveRecord(each, { orderKey: floor + step * (index + 1) }));
}
