import { isClaimed } from '../../shared/domain/claims.ts';
import type { ObjectRecord } from '../../shared/domain/object.ts';
import type { ObjectChange } from '../objects/catalogue.ts';
import type { Seen } from '../transfers/model/state.ts';
import type { RetryingRequest } from '../transfers/queue/retrying-request.ts';

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
    if (state === 'gone' && !isClaimed(record, 'presence')) return null;
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
  // For a chunked object, HEAD reports the length of the manifest.
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
