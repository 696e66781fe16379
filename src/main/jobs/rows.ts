import type { AppError } from '../../shared/errors.ts';
import type { Catalogue, ObjectChange } from '../catalogue/catalogue.ts';
import { isLeftOpen, isStillOurs } from '../transfers/outcome.ts';
import { uploadOf, type Entry } from './entry.ts';

/** What the catalogue learns of a job that ends without success. @param error null: a person cancelled it */
export async function changesOfEnding(
  catalogue: Catalogue,
  entry: Entry,
  error: AppError | null,
): Promise<ObjectChange[]> {
  const { objectId: id, work, deferredToken, state } = entry.record;
  if (id === null) return [];
  const detail = error?.code ?? 'cancelled';
  if (work.kind === 'upload' || work.kind === 'storeSecret') {
    const upload = uploadOf(entry);
    // Whatever the service was given it may still carry out.
    const mayArrive =
      deferredToken !== null || state === 'sending' || state === 'unknown' || (upload && isLeftOpen(upload));
    const isOurs = work.ownsRow && (await isStillOurs(catalogue, id));
    const patch = isOurs ? ({ state: mayArrive ? 'unknown' : 'failed' } as const) : {};
    return [{ id, patch, history: { action: 'uploadFailed', detail } }];
  }
  // That a person did not want a download is no history of the object.
  return error ? [{ id, patch: {}, history: { action: 'downloadFailed', detail } }] : [];
}
