import type { Selection } from '../../../../shared/domain/object.ts';
import type { Client } from '../../../app/client.ts';

/** The selection as of now: excludes objects that its query finds later. */
export async function freeze(client: Client, selection: Selection): Promise<Selection> {
  if (selection.kind !== 'query') return selection;
  return (await client.call('objects.freeze', { selection })).selection;
}
