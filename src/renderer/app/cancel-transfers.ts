import { pickedMax, type Tab } from '../../shared/domain/transfer.ts';
import { slicesOf } from '../../shared/slices.ts';
import { dockTexts } from '../i18n/dock-texts.ts';
import type { Client } from './client.ts';
import { sayFailure } from './say-failure.ts';
import { offerUndo } from './undo.ts';

/** Transfers of a tab or a batch, or these ids. */
type Which = number[] | { tab: Tab } | { batch: number };

/** Cancels transfers, and offers to restart those that had not ended before. Reports a failure itself. */
export function cancelTransfers(client: Client, which: Which): void {
  sayFailure(cancel(client, which));
}

async function cancel(client: Client, which: Which): Promise<void> {
  const { ids } = Array.isArray(which) ? { ids: which } : await client.call('transfers.open', { which });
  await client.call('transfers.cancel', { which });
  const again: number[] = [];
  for (const some of slicesOf(ids, pickedMax)) {
    const { rows } = await client.call('transfers.picked', { ids: some });
    for (const { id, state, kind } of rows) if (state === 'cancelled' && kind === 'data') again.push(id);
  }
  if (again.length === 0) return;
  offerUndo(dockTexts.cancelled({ count: again.length }), {
    of: 'cancel',
    key: `cancel ${String(again[0])} ${String(Date.now())}`,
    run: () => restart(client, again),
  });
}

/** Restarts transfers that were cancelled. */
export async function restart(client: Client, ids: readonly number[]): Promise<void> {
  for (const some of slicesOf(ids, pickedMax)) await client.call('transfers.retry', { which: some });
}
