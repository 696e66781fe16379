import type { Tab } from '../../shared/domain/transfer.ts';
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
  if (ids.length === 0) return;
  const { rows } = await client.call('transfers.picked', { ids });
  const cancelled = rows.filter(({ state, kind }) => state === 'cancelled' && kind === 'data');
  if (cancelled.length === 0) return;
  const again = cancelled.map(({ id }) => id);
  offerUndo(dockTexts.cancelled({ count: again.length }), {
    of: 'cancel',
    key: `cancel ${String(again[0])} ${String(Date.now())}`,
    run: () => client.call('transfers.retry', { which: again }),
  });
}
