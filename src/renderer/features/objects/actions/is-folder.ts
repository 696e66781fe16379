import { folderAbove } from '../../../../shared/domain/folder.ts';
import type { ObjectQuery } from '../../../../shared/domain/object.ts';
import type { Service } from '../../../../shared/domain/service.ts';
import type { Client } from '../../../app/client.ts';

/** Whether there is a folder of this path, with which one renamed to it would be joined. */
export async function isFolder(
  client: Client,
  { id, separator }: Pick<Service, 'id' | 'separator'>,
  path: string,
): Promise<boolean> {
  const query: ObjectQuery = {
    serviceId: id,
    kind: 'data',
    place: { kind: 'folder', path: folderAbove(path, separator) },
    search: '',
    oneLevel: true,
    sort: { column: 'identifier', direction: 'ascending' },
  };
  const { index } = await client.call('objects.folderIndex', { query, path });
  return index !== null;
}
