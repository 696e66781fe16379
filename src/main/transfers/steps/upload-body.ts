import { AppFailure, toAppError } from '../../../shared/app-failure.ts';
import type { SourceFile } from '../../local-files/source-file.ts';
import { workOf, type WorkOf } from '../model/next.ts';
import type { VaultBytes } from '../undo/sealed.ts';
import type { StepContext } from './step.ts';
import { isSame, provenPieces, wholeAt } from './stored-bytes.ts';
import { withOwners } from '../../../shared/domain/made-names.ts';
import { untilAborted } from '../../lib/async.ts';
import { goesInParts } from '../../../shared/domain/chunks.ts';
import { openSource } from '../../local-files/source.ts';
import type { ChunkContext } from '../chunks/chunk-context.ts';
import { isSent, type Plan } from '../chunks/chunk-plans.ts';
import { LooksLikeManifest, refuseManifest } from '../chunks/plan-chunks.ts';
import { readManifest } from '../chunks/read-manifest.ts';
import { sendChunks } from '../chunks/send-chunks.ts';

/**
 * Opens an object as the source of an upload. It is read twice: for its digest, and to be sent; the last piece is
 * sent only if both reads agree. @throws AppFailure moveChanged: it is gone, or not what the list knows; partsShared;
 * CircuitOpen
 */
async function openStored(
  context: StepContext,
  { identifier, base }: NonNullable<WorkOf<'upload'>['moves']>,
): Promise<SourceFile> {
  const there = await wholeAt(context, identifier);
  if (there === null || (base !== null && !isSame(there, base))) throw changed(identifier);
  return sourceOf(context, identifier, there);
}

const changed = (identifier: string) => new AppFailure({ code: 'moveChanged', identifier });

function sourceOf(context: StepContext, identifier: string, bytes: VaultBytes): SourceFile {
  let isWhollySent = false;
  let opened: AsyncGenerator<Uint8Array> | null = null;
  return {
    sizeBytes: bytes.lengthBytes,
    identity: { sizeBytes: bytes.lengthBytes, mtimeMs: 0, inode: '' },
    async body({ take, onProgress }) {
      const pieces = provenPieces(context, identifier, bytes);
      opened = pieces;
      return (async function* () {
        let sentBytes = 0;
        try {
          for await (const piece of pieces) {
            await take?.(piece.length);
            yield piece;
            sentBytes += piece.length;
            onProgress(sentBytes);
          }
          isWhollySent = true;
        } catch (cause) {
          const code = toAppError(cause)?.code;
          throw code === 'digestDiffers' || code === 'missing' ? changed(identifier) : cause;
        }
      })();
    },
    sha256: async () => (isWhollySent ? bytes.sha256 : null),
    hasChanged: async () => false,
    async close() {
      // Ends a download whose rest is not needed. Not awaited: it may wait for a piece.
      void opened?.return(undefined).catch(() => undefined);
    },
  };
}

export type UploadWork = WorkOf<'upload'>;

/**
 * Opens the bytes of an upload: an undo copy, or the person's file.
 * @throws AppFailure fileGone, fileUnreadable, fileSpecial, fileChanged, keptUnreadable, keychain
 */
export function openFile(
  { undoCopies }: Pick<ChunkContext['files'], 'undoCopies'>,
  work: UploadWork,
): Promise<SourceFile> {
  const { path, fileName, expected } = work;
  return work.kept ? undoCopies.open(work.kept) : openSource(path, fileName, expected);
}

/**
 * Opens what an upload sends under its identifier: the file, or its manifest once all chunks are there; for a
 * Replace, the kept copy of either. @throws as `openFile`; AppFailure partsShared: an Undo of a chunked file under
 * another identifier
 */
export async function openUploadBody(context: StepContext, work: UploadWork): Promise<SourceFile> {
  if (work.moves) return openStored(context, work.moves);
  const list = work.kept ? context.chunks.undoManifests.of(work.kept.file) : null;
  // It names chunks of the object that it was kept of, or, for a copy beside an object, of that one.
  if (list && !withOwners(context.record.identifier).includes(list.manifest.base))
    throw new AppFailure({ code: 'partsShared' });
  const mine = work.replace?.mine;
  if (mine && mine.file !== null) return context.files.undoCopies.open({ ...mine, file: mine.file });
  const plan = sentPlanOf(context);
  return plan ? openList(plan, work) : openFile(context.files, work);
}

/** Over the limit, or begun in chunks. What is moved is stored whole. */
export function isForChunks(context: StepContext): boolean {
  if (workOf(context, 'upload').moves) return false;
  return isBegun(context) || goesInParts(context.record.totalBytes ?? 0, context.rules);
}

export function isBegun({ record, chunks }: StepContext): boolean {
  return chunks.plans.ofKind(record.id, 'upload') !== null;
}

/** Calls `work` once the identifier's body is ready: for a chunked file, after its chunks were sent. */
export async function inPartsWhereNeeded<T>(context: StepContext, work: () => Promise<T>): Promise<T> {
  const isReady = isKept(context);
  if (!isReady && isForChunks(context)) await sendChunks(context);
  try {
    return await work();
  } catch (cause) {
    if (isReady || !(cause instanceof LooksLikeManifest)) throw cause;
    if (workOf(context, 'upload').moves) throw new AppFailure({ code: 'partsShared' });
    if (!context.rules.allowsParts) throw new AppFailure({ code: 'partsForbidden' });
    await sendChunks(context);
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
 * a manifest without being recorded as one. A manifest names chunks of one object only.
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

/** null: the file is sent whole, or its chunks are not all there. */
export function sentPlanOf({
  record,
  chunks,
}: Pick<ChunkContext, 'record' | 'chunks'>): Plan<'upload'> | null {
  const plan = chunks.plans.ofKind(record.id, 'upload');
  return plan?.identifier === record.identifier && isSent(plan) ? plan : null;
}

function openList(
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
