import { bindService, type Send } from '../queue/bound-service.ts';
import { provenDigest } from '../../../shared/domain/unverified.ts';
import type { ObjectRecord } from '../../../shared/domain/object.ts';
import { maxNumberedIdentifier, numberedIdentifier } from '../../../shared/domain/object-id.ts';
import type { Settings } from '../../../shared/domain/settings.ts';
import type { ConflictPrompt } from '../../../shared/domain/transfer-summary.ts';
import { versionIdentifier, versionOf } from '../../../shared/domain/versions.ts';
import { AppFailure } from '../../../shared/app-failure.ts';
import type { Catalogue } from '../../objects/catalogue.ts';
import type { UndoCopyStore } from '../undo/undo-copies.ts';
import { openFile, type UploadWork } from './upload-body.ts';
import { readThrough } from '../../local-files/source.ts';
import type { Context } from '../run/context.ts';
import { classificationKnown, classificationOver } from './inherited-classification.ts';
import { findNewest, numbersToTry } from '../queue/newest-version.ts';
import { isOfWatched } from '../model/record.ts';
import type { Seen } from '../model/state.ts';

/** Files up to this size are read and hashed in a moment. */
const quickBytes = 8_000_000;
/** Uploads requested up to this long before count as the same batch. */
const gatherMs = 60_000;

/**
 * Describes the conflict prompt of an upload: the identifier exists already (409).
 * @param transferId null: the oldest open prompt that a person waits for. @throws AppFailure notFound when this transfer has none
 */
export async function describeConflict(
  context: Pick<Context, 'store' | 'connections' | 'breakers' | 'closing'> & {
    readonly undoCopies: UndoCopyStore;
    readonly settings: () => Pick<Settings, 'versionReach'>;
  },
  catalogue: Pick<Catalogue, 'getMany' | 'findByIdentifiers'>,
  transferId: number | null,
): Promise<ConflictPrompt | null> {
  const { store, connections, breakers, closing } = context;
  const [record] = transferId === null ? [await store.firstAsking(null)] : await store.getMany([transferId]);
  if (transferId === null && !record) return null;
  if (record?.state.name !== 'asking' || record.work.kind !== 'upload') {
    throw new AppFailure({ code: 'notFound', what: 'transfer' });
  }
  const { serviceId, identifier, objectId, work, totalBytes, state } = record;
  const [row] = objectId === null || work.addedRow ? [] : await catalogue.getMany([objectId]);
  const { separator, versionMark } = await connections.factsOf(serviceId);

  /** Without an answer from the service the first candidate is as good a guess as any: sending finds out. */
  async function check(candidate: string): Promise<Seen> {
    const { client } = await connections.openFor(serviceId);
    const breaker = breakers.of(serviceId);
    if (!breaker.isClosed()) return { present: false };
    const send: Send = (one, run) =>
      breaker.send({ ...one, requesterId: 0, priority: 'person' }, closing, run);
    return bindService(client, send, closing)
      .head(candidate)
      .catch(() => ({ present: false }));
  }

  async function isTaken(candidate: string): Promise<boolean> {
    if ((await catalogue.findByIdentifiers(serviceId, 'data', [candidate])).size > 0) return true;
    return (await check(candidate)).present;
  }

  async function proposeVersion() {
    const own = versionOf(identifier, separator, versionMark);
    const nameOf = (number: number) => versionIdentifier(own.base, separator, versionMark, number);
    const listed = await store.versions(serviceId, 'data', own.base, { separator, versionMark });
    const known = [own.number, ...numbersToTry(listed)];
    const { versionReach } = context.settings();
    const seen = await findNewest(known, versionReach, (number) => check(nameOf(number)));
    // The prompt itself says that the identifier exists, even if the service cannot be reached now.
    const newest = Math.max(seen?.number ?? 0, own.number);
    const before = listed.filter(({ number }) => number <= newest).map(({ record: each }) => each);
    return { identifier: nameOf(newest + 1), before };
  }

  /** The present classification, if an answer would change it. */
  function changedFrom(there: readonly ObjectRecord[]): string | null | undefined {
    const known = classificationKnown(there);
    return known === classificationOver(work, there) ? undefined : known;
  }

  const newVersion = await proposeVersion();
  const replaced = row ? [row] : [];
  const keeps = {
    replace: classificationOver(work, replaced),
    newVersion: classificationOver(work, newVersion.before),
  };
  const isKept = keeps.replace !== work.classification || keeps.newVersion !== work.classification;
  const { why, there } = state;
  const seenBytes = state.seen.present ? state.seen.lengthBytes : null;
  // The object under the identifier is the manifest.
  const isInParts = row?.parts !== undefined && row.parts.manifestBytes === seenBytes;
  const counts = await store.counts();
  const waiting = counts
    .filter((counted) => counted.serviceId === serviceId && counted.state === 'asking')
    .filter(({ asksForWatched }) => asksForWatched === isOfWatched(record))
    .reduce((sum, { count }) => sum + count, 0);
  return {
    transferId: record.id,
    identifier,
    waiting,
    yours: {
      lengthBytes: totalBytes ?? 0,
      modifiedAtMs: work.modifiedAtMs,
      sha256: await digestOfYours(context, work),
      classification: work.classification,
    },
    ...(why !== undefined && { replacing: why }),
    // The list does not describe what a Replace has found.
    stored: why
      ? {
          lengthBytes: there?.lengthBytes ?? seenBytes,
          storedAtMs: null,
          sha256: there?.sha256 ?? null,
          classification: null,
          known: false,
        }
      : {
          lengthBytes: isInParts ? row.lengthBytes : (seenBytes ?? row?.lengthBytes ?? null),
          storedAtMs: row?.storedAtMs ?? null,
          sha256: row ? provenDigest(row) : null,
          classification: row?.classification ?? null,
          known: row !== undefined,
        },
    keepBothIdentifier: await proposeIdentifier(identifier, separator, isTaken),
    newVersionIdentifier: newVersion.identifier,
    ...(isKept && { keeps }),
    changes: { replace: changedFrom(replaced), newVersion: changedFrom(newVersion.before) },
    sameBytes: await store.sameBytes(serviceId, record.createdAtMs - gatherMs),
  };
}

/** The identifier that *Keep both* would most likely take, for the prompt. */
async function proposeIdentifier(
  identifier: string,
  separator: string,
  isTaken: (candidate: string) => Promise<boolean>,
): Promise<string> {
  for (let number = 2; number < maxNumberedIdentifier; number += 1) {
    const candidate = numberedIdentifier(identifier, separator, number);
    if (!(await isTaken(candidate))) return candidate;
  }
  return numberedIdentifier(identifier, separator, 2);
}

/** null: too large to be read while a person waits, or it is not readable or has changed. */
async function digestOfYours(
  { undoCopies, closing: signal }: Pick<Context, 'closing'> & { readonly undoCopies: UndoCopyStore },
  work: UploadWork,
): Promise<string | null> {
  const source = await openFile({ undoCopies }, work).catch(() => null);
  if (source === null) return null;
  try {
    return source.sizeBytes > quickBytes ? null : await readThrough(source, signal);
  } catch {
    return null;
  } finally {
    await source.close();
  }
}
