import { withOwners } from '../../../shared/domain/made-names.ts';
import { toAppError, AppFailure } from '../../../shared/app-failure.ts';
import { untilAborted } from '../../lib/async.ts';
import { goesInParts } from '../../../shared/domain/parts.ts';
import { openSource } from '../../local-files/source.ts';
import type { SourceFile } from '../../local-files/source-file.ts';
import type { StepContext } from '../parts/step-context.ts';
import { workOf, type WorkOf } from '../model/next.ts';
import { openStored } from './stored-bytes.ts';
import { isSent, type Plan } from '../parts/part-plans.ts';
import { readManifest, LooksLikeManifest, refuseManifest } from '../parts/read-manifest.ts';
import { sendParts } from '../parts/send-parts.ts';

export type UploadWork = WorkOf<'upload'>;

/**
 * Opens the bytes of an upload: an undo copy, or the person's file.
 * @throws AppFailure fileGone, fileUnreadable, fileSpecial, fileChanged, keptUnreadable, keychain
 */
export function openFile(
  { undoCopies }: Pick<StepContext['files'], 'undoCopies'>,
  work: UploadWork,
): Promise<SourceFile> {
  const { path, fileName, expected } = work;
  return work.kept ? undoCopies.open(work.kept) : openSource(path, fileName, expected);
}

/**
 * Opens what an upload sends under its identifier: the file, or its manifest once all parts are there; for a
 * Replace, the kept copy of either. @throws as `openFile`; AppFailure partsShared: an Undo of a file in parts under
 * another identifier
 */
export async function openUploadBody(context: StepContext, work: UploadWork): Promise<SourceFile> {
  if (work.moves) return openStored(context, work.moves);
  const kept = work.kept ? context.parts.undoManifests.of(work.kept.file) : null;
  // It names parts of the object that it was kept of, or, for a copy beside an object, of that one.
  if (kept && !withOwners(context.record.identifier).includes(kept.manifest.base))
    throw new AppFailure({ code: 'partsShared' });
  const mine = work.replace?.mine;
  if (mine && mine.file !== null) return context.files.undoCopies.open({ ...mine, file: mine.file });
  const plan = sentPlanOf(context);
  return plan ? openManifest(plan, work) : openFile(context.files, work);
}

/** Over the limit, or begun in parts. What is moved is stored whole. */
export function isForParts(context: StepContext): boolean {
  if (workOf(context, 'upload').moves) return false;
  return isBegun(context) || goesInParts(context.record.totalBytes ?? 0, context.rules);
}

export function isBegun({ record, parts }: StepContext): boolean {
  return parts.plans.ofKind(record.id, 'upload') !== null;
}

/** Calls `work` once the identifier's body is ready: for a file in parts, after its parts were sent. */
export async function inPartsWhereNeeded<T>(context: StepContext, work: () => Promise<T>): Promise<T> {
  const isReady = isKept(context);
  if (!isReady && isForParts(context)) await sendParts(context);
  try {
    return await work();
  } catch (cause) {
    if (isReady || !(cause instanceof LooksLikeManifest)) throw cause;
    if (workOf(context, 'upload').moves) throw new AppFailure({ code: 'partsShared' });
    if (!context.rules.allowsParts) throw new AppFailure({ code: 'partsForbidden' });
    await sendParts(context);
    return work();
  }
}

/** A Replace has prepared its body when it began, and an Undo sends the undo copy unchanged. */
function isKept(context: StepContext): boolean {
  const { replace, kept } = workOf(context, 'upload');
  return replace?.mine != null || kept !== undefined;
}

type Bytes = Uint8Array | AsyncIterable<Uint8Array>;

/**
 * Passes on a body that may be stored as it is. After an older copy of the database was put back, an undo copy may be
 * a manifest without being recorded as one. A manifest names parts of one object only.
 * @throws LooksLikeManifest; AppFailure partsShared
 */
export async function requireSendable(context: StepContext, bytes: Bytes): Promise<Bytes> {
  if (!isKept(context)) return refuseManifest(bytes);
  if (bytes instanceof Uint8Array) {
    const { kind } = await readManifest(bytes, context.record.identifier);
    if (kind === 'wrong') throw new AppFailure({ code: 'partsShared' });
  }
  return bytes;
}

/** null: the file is sent whole, or its parts are not all there. */
export function sentPlanOf({ record, parts }: Pick<StepContext, 'record' | 'parts'>): Plan<'upload'> | null {
  const plan = parts.plans.ofKind(record.id, 'upload');
  return plan?.identifier === record.identifier && isSent(plan) ? plan : null;
}

function openManifest(
  { text, sha256, of: { source } }: Plan<'upload'>,
  { path, fileName }: UploadWork,
): SourceFile {
  const bytes = Buffer.from(text);
  return {
    sizeBytes: bytes.length,
    identity: source,
    async body({ take, onProgress, signal }) {
      await untilAborted(take?.(bytes.length), signal);
      onProgress(bytes.length);
      return bytes;
    },
    sha256: async () => sha256,
    async hasChanged() {
      try {
        await (await openSource(path, fileName, source, null)).close();
        return false;
      } catch (cause) {
        // A deleted file does not count as changed.
        return toAppError(cause)?.code === 'fileChanged';
      }
    },
    close: async () => undefined,
  };
}
