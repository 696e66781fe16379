import { isUnverified } from '../../shared/domain/unverified.ts';
import type { ObjectRecord } from '../../shared/domain/object.ts';
import { toAppError } from '../../shared/app-failure.ts';
import type { Catalogue, ObjectChange } from '../objects/catalogue.ts';
import type { Seen } from '../transfers/model/state.ts';
import type { RetryingRequest } from '../transfers/queue/retrying-request.ts';
import { isAsLong } from '../transfers/parts/missing-parts.ts';
import { readManifest, peekManifest } from '../transfers/parts/read-manifest.ts';
import { mostRequests } from '../transfers/queue/limits/adaptive-limit.ts';
import { mapConcurrent } from '../lib/async.ts';

/** Section 4.1, Check Data. @throws AppFailure for anything but 404, the signal's reason */
export async function checkPresence(
  request: RetryingRequest,
  { serviceId, identifier }: Pick<ObjectRecord, 'serviceId' | 'identifier'>,
  signal: AbortSignal,
): Promise<Seen> {
  return request(serviceId, signal, (service) => service.head(identifier));
}

/** How a check changes a row; null: a transfer is in charge of the row. */
export function changeAfterHead(record: ObjectRecord, seen: Seen, nowMs: number): ObjectChange | null {
  const { id, state } = record;
  if (state === 'uploading') return null;
  if (!seen.present) {
    // Keep the time of the first check that found it gone.
    if (state === 'gone' && !isUnverified(record, 'presence')) return null;
    const isGone = state === 'gone' || state === 'deleting';
    const nextState = isGone ? 'gone' : state === 'failed' ? 'failed' : 'missing';
    return {
      id,
      patch: { state: nextState, checkedAtMs: nowMs },
      history: { action: state === 'deleting' ? 'deleted' : 'checkedMissing' },
    };
  }
  if (state === 'deleting') return { id, patch: { checkedAtMs: nowMs } };
  const { lengthBytes } = seen;
  const knownBytes = record.parts?.manifestBytes ?? record.lengthBytes;
  const isAnother = knownBytes !== null && lengthBytes !== null && lengthBytes !== knownBytes;
  // For an object in parts, HEAD reports the length of the manifest.
  const tellsLength = lengthBytes !== null && (isAnother || record.parts === undefined);
  return {
    id,
    patch: {
      state: 'stored',
      checkedAtMs: nowMs,
      ...(tellsLength && { lengthBytes }),
      // The digest belongs to bytes of another length.
      ...(isAnother && { sha256: null }),
    },
    history: { action: 'checkedPresent', detail: isAnother ? 'anotherLength' : null },
  };
}

/**
 * Checks every part of an object in parts by HEAD and length.
 * @returns the numbers (from 0) of parts that are missing or have another length; null: the object is stored whole,
 * or has been replaced
 */
export async function findMissingParts(
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
  const areThere = await mapConcurrent(reading.manifest.parts, mostRequests, async (part) => {
    signal.throwIfAborted();
    const found = await checkPresence(request, { serviceId, identifier: part.id }, signal);
    return isAsLong(found, part.size);
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

/** A file with a missing part cannot be downloaded. */
export function afterParts(change: ObjectChange, missingParts: readonly number[]): ObjectChange {
  if (missingParts.length === 0) return { ...change, missingParts };
  return {
    ...change,
    patch: { ...change.patch, state: 'missing' },
    history: { action: 'checkedMissing', detail: 'partsMissing' },
    missingParts,
  };
}
