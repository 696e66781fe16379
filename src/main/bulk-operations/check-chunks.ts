import type { ObjectRecord } from '../../shared/domain/object.ts';
import { toAppError } from '../../shared/app-failure.ts';
import type { Catalogue, ObjectChange } from '../objects/catalogue.ts';
import { isAsLong } from '../transfers/chunks/missing-chunks.ts';
import { readManifest, peekManifest } from '../transfers/chunks/read-manifest.ts';
import { mostRequests } from '../transfers/queue/limits/adaptive-limit.ts';
import type { RetryingRequest } from '../transfers/queue/retrying-request.ts';
import type { Seen } from '../transfers/model/state.ts';
import { checkPresence } from './check-presence.ts';
import { mapConcurrent } from '../lib/async.ts';

/**
 * Checks every chunk of a chunked object by HEAD and length.
 * @returns the numbers (from 0) of chunks that are missing or have another length; null: the object is stored whole,
 * or has been replaced
 */
export async function findMissingChunks(
  deps: {
    catalogue: Pick<Catalogue, 'manifestOf'>;
    request: RetryingRequest;
  },
  record: ObjectRecord,
  seen: Seen,
  signal: AbortSignal,
): Promise<number[] | null> {
  const { catalogue, request } = deps;
  const { id, serviceId, identifier, parts } = record;
  if (!parts || !isAsLong(seen, parts.manifestBytes)) return null;
  const known = await catalogue.manifestOf(id);
  const text = known === null ? await fetchManifest() : Buffer.from(known);
  const reading = await readManifest(text, identifier);
  if (reading.kind !== 'manifest') return null;
  const areThere = await mapConcurrent(reading.manifest.parts, mostRequests, async (chunk) => {
    signal.throwIfAborted();
    const found = await checkPresence(request, { serviceId, identifier: chunk.id }, signal);
    return isAsLong(found, chunk.size);
  });
  return areThere.flatMap((isThere, index) => (isThere ? [] : [index]));

  async function fetchManifest(): Promise<Uint8Array> {
    return request(serviceId, signal, async (service) => {
      const { body } = await service.get(identifier);
      return (await peekManifest(body, identifier)).bytes;
    }).catch((cause: unknown) => {
      // Deleted since it was checked.
      if (toAppError(cause)?.code === 'missing') return new Uint8Array(0);
      throw cause;
    });
  }
}

/** A file with a missing chunk cannot be downloaded. */
export function afterChunks(change: ObjectChange, missingChunks: readonly number[]): ObjectChange {
  if (missingChunks.length === 0) return { ...change, missingChunks };
  return {
    ...change,
    patch: { ...change.patch, state: 'missing' },
    history: { action: 'checkedMissing', detail: 'partsMissing' },
    missingChunks,
  };
}
