import type { Selection } from '../../../../shared/domain/object.ts';
import type { Client } from '../../../app/client.ts';

/** What is selected now: objects that a query finds later do not belong to it. */
export async function freeze(client: Client, selection: Selection): Promise<Selection> {
  if (selection.kind !== 'query') return selection;
  return (await client.call('objects.freeze', { selection })).selection;
}
