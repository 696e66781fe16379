import { selectionIdsMax, type Selection } from '../../../shared/domain/object.ts';
import type { Client } from '../../app/client.ts';

/**
 * Names what a filter finds now, so that nothing that comes later is deleted with it. More than can be named stays
 * a filter.
 * @param count how many objects the selection has
 */
export async function freezeSelection(
  client: Client,
  selection: Selection,
  count: number,
): Promise<Selection> {
  if (selection.kind === 'ids') return selection;
  const { query, exceptIds } = selection;
  const found = count + exceptIds.length;
  if (count === 0 || found > selectionIdsMax) return selection;
  const { ids } = await client.call('objects.idsInRange', { query, from: 0, to: found - 1 });
  const except = new Set(exceptIds);
  return { kind: 'ids', ids: ids.filter((id) => !except.has(id)) };
}
