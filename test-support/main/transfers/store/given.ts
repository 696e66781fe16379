import type { NewTransfer } from '../../../../src/main/transfers/model/store-types.ts';
import type { RowChange } from '../../../../src/main/transfers/model/transition.ts';
import type { Given, GivenRowChange } from './commands.ts';
import type { Row } from './snapshot.ts';

const history = { action: 'uploadFailed' } as const;

/** @param object the object to download or delete, if it belongs to this service */
export function newTransferOf(
  serviceId: string,
  given: Given,
  object: Row | undefined,
  createdAtMs: number,
): NewTransfer {
  const { object: _, isDirect, ...rest } = given;
  const isSecret = rest.work.kind === 'storeSecret';
  const isUp = rest.work.kind === 'upload' || isSecret;
  const row = isUp || object?.serviceId !== serviceId ? null : object;
  const direction = rest.work.kind === 'delete' ? 'delete' : 'download';
  return {
    ...rest,
    serviceId,
    identifier: row?.identifier ?? rest.identifier,
    kind: isSecret ? 'secret' : 'data',
    route: isSecret || (!isDirect && direction !== 'delete') ? 'deferred' : 'direct',
    direction: isUp ? 'upload' : direction,
    createdAtMs,
    objectId: row?.id ?? null,
    newRow: isUp ? { lengthBytes: rest.totalBytes } : null,
  };
}

/** @param epochOf the epoch of the row, or an earlier one if `isLate` */
export function rowChangeOf(each: GivenRowChange, epochOf: (isLate: boolean) => number): RowChange {
  switch (each.kind) {
    case 'stored':
      return { kind: 'stored', patch: { lengthBytes: each.lengthBytes, sha256: 'aa' }, history };
    case 'seen':
      return { kind: 'seen', seen: each.seen, epoch: epochOf(each.isLate) };
    case 'found': {
      const { kind, lengthBytes, sentBytes, isLate } = each;
      return { kind, lengthBytes, sentBytes, listedStoredAtMs: null, epoch: epochOf(isLate) };
    }
    case 'downloaded': {
      const { isFresh, lengthBytes, isLate } = each;
      return { kind: 'downloaded', isFresh, lengthBytes, sha256: 'bb', epoch: epochOf(isLate) };
    }
    case 'release':
    case 'deleted':
    case 'note':
      return { ...each, history };
    case 'remove':
    case 'skipped':
      return each;
  }
}
