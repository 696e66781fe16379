import type { Transfer } from '../../shared/domain/transfer.ts';
import type { Context } from '../context.ts';
import { atOnce } from '../objects/find-objects.ts';

/** In the order of `ids`. Leaves out transfers that have been cleared, which callers count as ended. */
export async function findTransfers(
  { coffer }: Pick<Context, 'coffer'>,
  ids: readonly number[],
): Promise<Transfer[]> {
  const found: Transfer[] = [];
  for (let from = 0; from < ids.length; from += atOnce) {
    const { transfers } = await coffer.call('command.transfers', { ids: ids.slice(from, from + atOnce) });
    found.push(...transfers);
  }
  return found;
}
