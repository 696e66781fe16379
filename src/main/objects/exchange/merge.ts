import { isDeepStrictEqual } from 'node:util';
import { factBits, isUnverified } from '../../../shared/domain/unverified.ts';
import { isClassificationKnown, type ObjectRecord } from '../../../shared/domain/object.ts';
import type { AddedTally } from '../announcements.ts';
import type { ObjectStore } from '../object-store.ts';
import type { Saved } from '../object-writer.ts';
import type { ExchangedObject } from './format.ts';

type Facts = Omit<ExchangedObject, 'kind' | 'identifier' | 'history' | 'firstStoredAtMs'>;

export interface MergeCounts {
  readonly added: number;
  readonly merged: number;
  readonly unchanged: number;
}

/**
 * Keeps known values and fills in unknown ones. Must run within a transaction. A list writes no history of objects that existed; that of new
 * ones ends with `imported`, as a mark that it came from elsewhere.
 * @param keepOwn called for rows that existed
 */
export function mergeObjects(
  store: ObjectStore,
  { number: service, id: serviceId }: { readonly number: number; readonly id: string },
  objects: readonly ExchangedObject[],
  nowMs: number,
  tally: Pick<AddedTally, 'count' | 'write'>,
  keepOwn: (id: number) => void,
): MergeCounts & { saved: Saved[] } {
  const counts = { added: 0, merged: 0, unchanged: 0 };
  const saved: Saved[] = [];
  for (const { history, kind, identifier, firstStoredAtMs, ...read } of objects) {
    const patch = { ...read, unverified: factBits.presence | factBitsOf(read) };
    const id = store.insert(service, { kind, identifier, patch });
    if (id !== null) {
      for (const entry of history) store.addHistory(id, entry, Math.min(entry.atMs, nowMs));
      store.addHistory(id, { action: 'imported' }, nowMs);
      counts.added += 1;
      tally.count({ kind, ...patch });
      const record = { id, serviceId, kind, identifier, ...patch };
      saved.push({ record: withFirstStored(store, record, firstStoredAtMs), textChanged: true });
      continue;
    }
    const before = store.find(service, kind, identifier);
    if (before === null) continue;
    keepOwn(before.id);
    const record = fillIn(before, patch);
    if (isDeepStrictEqual(record, before)) {
      counts.unchanged += 1;
      continue;
    }
    tally.write();
    store.update(record);
    counts.merged += 1;
    // Of another moment of storing, the list's first one says nothing.
    const first = before.storedAtMs === null ? firstStoredAtMs : undefined;
    saved.push({ record: withFirstStored(store, record, first), textChanged: true });
  }
  return { ...counts, saved };
}

/** Keeps when an object was stored that was moved to this row. */
function withFirstStored(
  store: Pick<ObjectStore, 'setFirstStored'>,
  record: ObjectRecord,
  firstStoredAtMs: number | undefined,
): ObjectRecord {
  const { id, storedAtMs } = record;
  if (firstStoredAtMs === undefined || storedAtMs === null || firstStoredAtMs > storedAtMs) return record;
  store.setFirstStored(id, firstStoredAtMs);
  return { ...record, firstStoredAtMs };
}

/**
 * Skips facts about other bytes than those known here: a digest must never be combined with the length of other
 * bytes. What is known of storing it is one: none of it is filled in once it was seen here.
 */
function fillIn(known: ObjectRecord, patch: Facts): ObjectRecord {
  const renewBy = known.renewBy ?? patch.renewBy;
  const renewal = renewBy != null && { renewBy };
  const note = known.note === '' ? patch.note : known.note;
  if (differs(known.lengthBytes, patch.lengthBytes) || differs(known.sha256, patch.sha256)) {
    return { ...known, note, ...renewal };
  }
  // An object whose digest was seen here is known to lie in parts, or not to.
  const mayGetParts = known.sha256 === null || isUnverified(known, 'digest');
  const parts = known.parts ?? (mayGetParts ? patch.parts : undefined);
  const filled = {
    lengthBytes: known.lengthBytes === null ? patch.lengthBytes : null,
    sha256: known.sha256 === null ? patch.sha256 : null,
    parts: known.parts === undefined ? parts : undefined,
  };
  const unverified = (known.unverified ?? 0) | factBitsOf(filled);
  const isTold = isUnverified(known, 'presence');
  return {
    ...known,
    lengthBytes: known.lengthBytes ?? patch.lengthBytes,
    sha256: known.sha256 ?? patch.sha256,
    ...(unverified !== 0 && { unverified }),
    ...((isTold || known.storedAtMs === null) && fillInStore(known, patch, isTold)),
    // A check by others does not count as one by this person.
    checkedAtMs: known.checkedAtMs ?? (isTold ? patch.checkedAtMs : null),
    note,
    ...(parts !== undefined && { parts }),
    ...renewal,
  };
}

function fillInStore(known: ObjectRecord, patch: Facts, isTold: boolean) {
  // What was stored after the look is not what was seen.
  const isBefore = isTold || (patch.storedAtMs ?? 0) <= (known.checkedAtMs ?? -Infinity);
  return {
    classification: isClassificationKnown(known) ? known.classification : patch.classification,
    sourceName: known.sourceName ?? patch.sourceName,
    storedAtMs: known.storedAtMs ?? (isBefore ? patch.storedAtMs : null),
    activityToken: known.activityToken ?? patch.activityToken,
  };
}

/** The facts that an import takes over unverified, as claims. */
function factBitsOf({ lengthBytes, sha256, parts }: Pick<Facts, 'lengthBytes' | 'sha256' | 'parts'>): number {
  return (
    (lengthBytes === null ? 0 : factBits.length) |
    (sha256 === null && parts === undefined ? 0 : factBits.digest)
  );
}

function differs<T>(a: T | null, b: T | null): boolean {
  return a !== null && b !== null && a !== b;
}
