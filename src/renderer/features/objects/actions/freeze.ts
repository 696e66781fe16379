import type { Selection } from '../../../../shared/domain/object.ts';
import type { Client } from '../../../app/client.ts';

/** The selection as of now: excludes objects that come into its query or folders later. */
export async function freeze(client: Client, selection: Selection): Promise<Selection> {
  if (selection.kind !== 'query' && selection.kind !== 'folders') return selection;
  return (await client.call('objects.freeze', { selection })).selection;
}
