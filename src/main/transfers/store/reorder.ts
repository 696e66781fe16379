import type { StoredTransfer } from './transfer-rows.ts';
import type { TransferTable } from './transfer-table.ts';

/** Number of following records that get new keys when there is no number left between two keys. */
const spread = 1000;
/** Least step relative to the key: below it, keys would soon be equal. */
const leastStep = 1e-12;

/** Moves records, in the order given, before another one or to the top. @param load null: it must not be moved */
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
  // If the target has started meanwhile, move before all waiting ones.
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
    // The last one keeps its key, as the upper bound of the others.
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
