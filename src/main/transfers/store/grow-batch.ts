import { folderAbove } from '../../../shared/domain/folder.ts';
import type { Statements } from '../../database/statements.ts';
import type { NewBatch } from '../model/store-types.ts';
import { batchActionCodes } from './codes.ts';

/** Adds a batch, or narrows its folder to what these have in common with those before; its counters are the database's. */
export function growBatch(
  rows: Statements['rows'],
  service: number,
  { id, action }: NewBatch,
  added: { identifiers: readonly string[]; separator: string; atMs: number },
): void {
  const { identifiers, separator, atMs } = added;
  const [known] = rows<[string]>('SELECT folder FROM batch WHERE id = ?', id);
  let folder = known?.[0] ?? folderAbove(identifiers[0] ?? '', separator);
  for (const identifier of identifiers) {
    while (folder !== '' && !identifier.startsWith(folder + separator)) {
      folder = folderAbove(folder, separator);
    }
  }
  rows(
    `INSERT INTO batch (id, service, action, folder, created_at_ms) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (id) DO UPDATE SET folder = excluded.folder`,
    id,
    service,
    batchActionCodes.code(action),
    folder,
    atMs,
  );
}
