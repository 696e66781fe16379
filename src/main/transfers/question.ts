import type { Question } from '../../shared/domain/transfer.ts';
import { AppFailure } from '../../shared/errors.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import type { Context } from './context.ts';
import { proposeIdentifier } from './steps/conflict.ts';
import { headObject } from './verify.ts';

/**
 * The one question of an upload: the identifier exists already (409).
 * @param transferId null: the oldest open one. @throws AppFailure notFound when this one has no question
 */
export async function askQuestion(
  context: Pick<Context, 'store' | 'connections' | 'gates' | 'closing' | 'clock'>,
  catalogue: Pick<Catalogue, 'getMany' | 'findByIdentifiers'>,
  transferId: number | null,
): Promise<Question | null> {
  const { store, connections, gates, closing } = context;
  const [record] = transferId === null ? [await store.firstAsking(null)] : await store.getMany([transferId]);
  if (transferId === null && !record) return null;
  if (record?.state.name !== 'asking' || record.work.kind !== 'upload') {
    throw new AppFailure({ code: 'notFound', what: 'transfer' });
  }
  const { profileId, identifier, objectId, work, totalBytes, state } = record;
  const [row] = objectId === null || work.addedRow ? [] : await catalogue.getMany([objectId]);
  const { separator } = await connections.factsOf(profileId);

  /** Without an answer from the service the first candidate is as good a guess as any: sending finds out. */
  async function isTaken(candidate: string): Promise<boolean> {
    if ((await catalogue.findByIdentifiers(profileId, 'data', [candidate])).size > 0) return true;
    const { client } = await connections.openFor(profileId);
    const gate = gates.of(profileId);
    if (!gate.isOpen()) return false;
    const send = <T>(request: () => Promise<T>) => gate.send(0, closing, request);
    return (
      (await headObject({ send, client, signal: closing }, candidate).catch(() => null))?.present ?? false
    );
  }

  const counts = await store.counts();
  const waiting = counts
    .filter((counted) => counted.profileId === profileId && counted.state === 'asking')
    .reduce((sum, { count }) => sum + count, 0);
  return {
    transferId: record.id,
    identifier,
    waiting,
    yours: {
      lengthBytes: totalBytes ?? 0,
      modifiedAtMs: work.modifiedAtMs,
      sha256: null,
      classification: work.classification,
    },
    stored: {
      lengthBytes: (state.seen.present ? state.seen.lengthBytes : null) ?? row?.lengthBytes ?? null,
      storedAtMs: row?.storedAtMs ?? null,
      sha256: row?.sha256 ?? null,
      classification: row?.classification ?? null,
      known: row !== undefined,
    },
    keepBothIdentifier: await proposeIdentifier(identifier, separator, isTaken),
  };
}
