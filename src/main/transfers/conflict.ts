import { numberedIdentifier } from '../../shared/domain/keep-both.ts';
import type { Question } from '../../shared/domain/transfer.ts';
import { AppFailure } from '../../shared/errors.ts';
import type { ObjectChange } from '../catalogue/catalogue.ts';
import type { Context } from './context.ts';
import type { Upload, UploadEntry } from './entry.ts';
import { look, type Way } from './look.ts';

/** So many that the service must be answering nonsense. */
const maxNumber = 1000;

/** The first identifier beside this one that neither the catalogue nor the service has. @throws AppFailure */
async function findFreeIdentifier(
  { catalogue, connections }: Pick<Context, 'catalogue' | 'connections'>,
  { transfer: { profileId, identifier } }: Upload,
  { signal, turn }: Pick<Way, 'signal' | 'turn'>,
  from = 2,
): Promise<{ identifier: string; number: number }> {
  const [client, { separator }] = await Promise.all([
    connections.clientOf(profileId),
    connections.factsOf(profileId),
  ]);
  for (let number = from; number < maxNumber; number += 1) {
    const candidate = numberedIdentifier(identifier, separator, number);
    const known = await catalogue.findByIdentifiers(profileId, 'data', [candidate]);
    if (known.size > 0) continue;
    const seen = await look({ client, signal, turn }, candidate);
    if (!seen.present) return { identifier: candidate, number };
  }
  throw new AppFailure({ code: 'exists', status: 409, message: '' });
}

/**
 * The next free identifier for an upload, and a row under it. The row is the reservation: of two uploads that find
 * the same identifier free, one adds it and the other looks on. @throws AppFailure
 */
export async function takeFreeIdentifier(
  context: Pick<Context, 'catalogue' | 'connections'>,
  upload: Upload,
  way: Pick<Way, 'signal' | 'turn'>,
): Promise<{ identifier: string; objectId: number }> {
  const { transfer, job } = upload;
  const { catalogue } = context;
  for (let from = 2; ;) {
    const { identifier, number } = await findFreeIdentifier(context, upload, way, from);
    const [row] = await catalogue.add(transfer.profileId, [newRowOf(upload, identifier)]);
    from = number + 1;
    if (!row?.added) continue;
    // The old row stood for this upload alone.
    if (job.ownsRow && transfer.objectId !== null) await catalogue.remove([transfer.objectId]);
    job.ownsRow = true;
    job.mayBeThere = false;
    job.conflict = null;
    return { identifier, objectId: row.record.id };
  }
}

/** The row of an upload that begins; it stands until the service has answered. */
export function newRowOf({ job, transfer }: Upload, identifier = transfer.identifier) {
  const { classification, fileName } = job;
  return {
    kind: 'data' as const,
    identifier,
    patch: {
      state: 'uploading' as const,
      lengthBytes: transfer.totalBytes,
      classification,
      sourceName: fileName,
    },
  };
}

/** What the catalogue learns when what exists already is left as it is. */
export function changeOfSkipping({ transfer, job }: Upload, nowMs: number): ObjectChange[] {
  if (transfer.objectId === null) return [];
  const history = { action: 'existedAlready' } as const;
  const seen = job.conflict?.present ? job.conflict : null;
  if (!job.ownsRow) return [{ id: transfer.objectId, patch: seen ? { checkedAtMs: nowMs } : {}, history }];
  // Of somebody else's object only its length is known; the row must not keep what was to be ours.
  const theirs = { sha256: null, classification: null, sourceName: null };
  const patch = seen
    ? ({ state: 'stored', lengthBytes: seen.lengthBytes, checkedAtMs: nowMs, ...theirs } as const)
    : ({ state: 'unknown', lengthBytes: null, ...theirs } as const);
  return [{ id: transfer.objectId, patch, history }];
}

/** @param waiting uploads of the same profile that wait for an answer, this one included */
export async function askAbout(context: Context, entry: UploadEntry, waiting: number): Promise<Question> {
  const { transfer, job } = entry;
  const [row] = transfer.objectId === null ? [] : await context.catalogue.getMany([transfer.objectId]);
  const known = job.ownsRow ? undefined : row;
  const turn = () => context.pacer.turn(transfer.profileId, context.closing);
  const free = await findFreeIdentifier(context, entry, { signal: context.closing, turn }).catch(() => null);
  // Without an answer from the service the first candidate is as good a guess as any: sending finds out.
  const { separator } = await context.connections.factsOf(transfer.profileId);
  return {
    transferId: transfer.id,
    identifier: transfer.identifier,
    waiting,
    yours: {
      lengthBytes: transfer.totalBytes ?? 0,
      modifiedAtMs: job.modifiedAtMs,
      sha256: job.sha256,
      classification: job.classification,
    },
    stored: {
      lengthBytes: (job.conflict?.present ? job.conflict.lengthBytes : null) ?? known?.lengthBytes ?? null,
      storedAtMs: known?.storedAtMs ?? null,
      sha256: known?.sha256 ?? null,
      classification: known?.classification ?? null,
      known: known !== undefined,
    },
    keepBothIdentifier: free?.identifier ?? numberedIdentifier(transfer.identifier, separator, 2),
  };
}
