import { isUnverified, provenDigest } from '../../../shared/domain/unverified.ts';
import type { ObjectRecord } from '../../../shared/domain/object.ts';
import { goesInParts } from '../../../shared/domain/parts.ts';
import { toAppError } from '../../../shared/app-failure.ts';
import { rowOf, type ObjectRow, type StepContext } from '../parts/step-context.ts';
import { sendParts } from '../parts/send-parts.ts';
import { workOf, type Next } from '../model/next.ts';
import type { Seen, Sent } from '../model/state.ts';
import type { Confirmed } from '../model/transition.ts';
import { isBegun, openFile, openUploadBody, sentPlanOf } from './upload-body.ts';
import { readThrough } from '../../local-files/source.ts';
import { digestOf } from '../queue/digest-of.ts';
import type { Manifest } from '../parts/manifest.ts';
import { findMissing } from '../parts/missing-parts.ts';
import { sniffManifest } from '../parts/read-manifest.ts';

type UploadWork = Extract<StepContext['record']['work'], { kind: 'upload' }>;

/**
 * What an upload of ours has stored there; null: it cannot have arrived, or the object is another's. Another upload may
 * have stored the same bytes before: then the list keeps that one's classification.
 */
export async function findOwn(context: StepContext, seen: Seen): Promise<Sent | null> {
  if (!workOf(context, 'upload').mayBeThere) return null;
  // The manifest may be there without some of its parts: send them again before the file counts as whole.
  if (isBegun(context)) await sendParts(context);
  const sent = await compare(context, seen);
  if (sent === null) return null;
  const listed = (await rowOf(context))?.record;
  // An object that a download has found was not stored by us.
  const isListed = listed?.state === 'stored' && listed.storedAtMs !== null;
  return isListed && provenDigest(listed) === sent.sha256 ? null : sent;
}

/**
 * After a lost answer: is the object ours? Not if its length differs. Otherwise its bytes are fetched and hashed;
 * this is rare, and the only proof. null: it is somebody else's. @throws CircuitOpen, AppFailure
 */
export async function compare(context: StepContext, seen: Seen): Promise<Sent | null> {
  const { record, service } = context;
  const work = workOf(context, 'upload');
  const source = await openUploadBody(context, work);
  try {
    if (!seen.present || (seen.lengthBytes !== null && seen.lengthBytes !== source.sizeBytes)) return null;
    const sha256 = await readThrough(source, context.signal);
    const { body } = await service.get(record.identifier);
    const { reading, pieces } = await sniffManifest(body, record.identifier);
    // A file that is itself a manifest is never stored as it is, so an existing manifest is ours only if we sent one.
    const isManifest = sentPlanOf(context) !== null || work.kept !== undefined;
    const there =
      reading.kind === 'none' || isManifest ? await digestOf(context, pieces, source.sizeBytes) : null;
    body.destroy();
    if (sha256 === null || there !== sha256) return null;
    return {
      sentBytes: source.sizeBytes,
      sha256,
      activityToken: null,
      fileChanged: await source.hasChanged(),
    };
  } finally {
    await source.close();
  }
}

/** A file, whole or in parts. */
type FileBytes = Pick<Confirmed, 'lengthBytes' | 'sha256' | 'isInParts'>;

/**
 * The bytes of the file, if they are what the list knows of an object that HEAD has just seen: the same length and
 * digest; null: they are not. For an object in parts the manifest is fetched and every part is checked; for any other
 * nothing is fetched, unless the digest is an imported list's.
 */
export async function asListed(
  context: StepContext,
  work: UploadWork,
  listed: ObjectRecord | undefined,
  seen: Seen,
): Promise<FileBytes | null> {
  const { lengthBytes, sha256 } = listed?.state === 'stored' ? listed : { lengthBytes: null, sha256: null };
  if (listed?.parts) return sameThere(context, work, listed, listed.identifier, seen);
  if (!seen.present || lengthBytes === null || sha256 === null || seen.lengthBytes !== lengthBytes)
    return null;
  const isSame = await withFile(
    context,
    work,
    async (file) => file.sizeBytes === lengthBytes && (await file.digest()) === sha256,
  );
  // A digest from an imported list is unverified: an upload must not be skipped because of it.
  if (isSame && listed && isUnverified(listed, 'digest'))
    return sameThere(context, work, listed, listed.identifier, seen);
  return isSame ? { lengthBytes, sha256 } : null;
}

/**
 * The bytes of the file, if the stored object is the file; null: it is not, as far as is known. Compares the digest
 * in the list if that describes what HEAD has just seen, else the stored bytes. They are fetched only when the
 * lengths agree, or when the file would be stored in parts: then the manifest gives the digest, and all parts must
 * exist. A token that may not read them proves nothing. @throws as `compare`
 */
export async function sameThere(
  context: StepContext,
  work: UploadWork,
  listed: ObjectRecord | undefined,
  identifier: string,
  seen: Seen,
): Promise<FileBytes | null> {
  if (!seen.present || seen.lengthBytes === null) return null;
  const isKnown =
    listed?.state === 'stored' && provenDigest(listed) !== null && listed.lengthBytes === seen.lengthBytes;
  if (isKnown && !listed.parts) return asListed(context, work, listed, seen);
  const thereBytes = seen.lengthBytes;
  return withFile(context, work, async ({ sizeBytes, digest }) => {
    if (thereBytes !== sizeBytes && !listed?.parts && !goesInParts(sizeBytes, context.rules)) return null;
    const there = await fileAt(context, identifier, { sizeBytes, thereBytes });
    if (there === null || (await digest()) !== there.sha256) return null;
    const isWhole = there.manifest === null || (await findMissing(context, there.manifest)).size === 0;
    const isInParts = there.manifest !== null;
    return isWhole ? { lengthBytes: sizeBytes, sha256: there.sha256, isInParts } : null;
  });
}

/** Tells the list that the bytes were compared, not just claimed. @param row as it was before the comparison */
export function confirm(
  row: ObjectRow | null | undefined,
  { lengthBytes, sha256, isInParts = false }: FileBytes,
): Pick<Next, 'confirmed'> {
  if (!row) return {};
  return { confirmed: { objectId: row.record.id, epoch: row.epoch, lengthBytes, sha256, isInParts } };
}

/** `digest` is null when the file has changed while it was read. */
async function withFile<T>(
  context: StepContext,
  work: UploadWork,
  check: (file: { sizeBytes: number; digest: () => Promise<string | null> }) => Promise<T>,
): Promise<T> {
  const source = await openFile(context.files, work);
  try {
    return await check({
      sizeBytes: source.sizeBytes,
      async digest() {
        const sha256 = await readThrough(source, context.signal);
        return (await source.hasChanged()) ? null : sha256;
      },
    });
  } finally {
    await source.close();
  }
}

/** Digest of the stored file, whole or in parts. null: it has another length, is gone, or may not be read. */
async function fileAt(
  context: StepContext,
  identifier: string,
  { sizeBytes, thereBytes }: { sizeBytes: number; thereBytes: number },
): Promise<{ sha256: string; manifest: Manifest | null } | null> {
  const { service } = context;
  const answer = await service.get(identifier).catch((cause: unknown) => {
    const code = toAppError(cause)?.code;
    if (code === 'forbidden' || code === 'missing') return null;
    throw cause;
  });
  if (answer === null) return null;
  const { body } = answer;
  const { reading, pieces } = await sniffManifest(body, identifier);
  if (reading.kind === 'none') {
    if (thereBytes !== sizeBytes) {
      body.destroy();
      return null;
    }
    const sha256 = await digestOf(context, pieces, sizeBytes);
    return sha256 === null ? null : { sha256, manifest: null };
  }
  if (reading.kind !== 'manifest' || reading.manifest.size !== sizeBytes) return null;
  return { sha256: reading.manifest.sha256, manifest: reading.manifest };
}
