import { basename } from 'node:path';
import { toAppError, AppFailure } from '../../../shared/app-failure.ts';
import { freeBytesForNew, freeBytesIn, withSpace } from '../../local-files/free-space.ts';
import { openDigest } from '../../local-files/digest.ts';
import { codeOf } from '../../local-files/file-system.ts';
import { borrowPiece, pieceBytes, returnPiece, type SharedPiece } from '../../local-files/buffer-pool.ts';
import { removeTemporaryFile } from '../../local-files/finish-temporary-file.ts';
import { newTemporaryName } from '../../local-files/target.ts';
import type { Target } from '../../local-files/temporary-file.ts';
import type { Whole } from '../model/state.ts';
import type { StepContext } from './step-context.ts';
import { openSparseDownload, type SparseDownload } from './sparse-download.ts';
import type { Plan } from './part-plans.ts';
import { trackProgress, type PartProgress } from './shown-parts.ts';
import type { Manifest, ManifestPart } from './manifest.ts';
import { gapsOf } from './missing-parts.ts';
import { eachInTurn } from '../../lib/async.ts';

/** Maximum fetches of a part whose bytes are wrong. */
const maxTries = 3;

/** A manifest as stored under the file's identifier. */
export interface StoredManifest {
  readonly manifest: Manifest;
  readonly text: string;
}

/**
 * Receives the parts of a file into a sparse download in the target folder, each at its offset and verified, as many
 * side by side as the gate allows. Verified parts are recorded, so that the next attempt, also after a kill, skips them.
 * @throws AppFailure partsMissing: some are unavailable, and the others stay; digestDiffers, and what requests and
 * files throw
 */
export async function receiveParts(
  context: StepContext,
  stored: StoredManifest,
  target: Target,
  temporaryName: string,
): Promise<Omit<Whole, 'fileName'>> {
  const { manifest } = stored;
  try {
    return await gather(context, stored, target, temporaryName);
  } catch (cause) {
    throw await withSpace(cause, target.folder, manifest.size);
  }
}

async function gather(
  context: StepContext,
  stored: StoredManifest,
  target: Target,
  temporaryName: string,
): Promise<Omit<Whole, 'fileName'>> {
  const { record, parts, signal } = context;
  const { manifest } = stored;
  const { plan, temporaryFile } = await begin(context, stored, target, temporaryName);
  let isWhole = false;
  try {
    const missing = new Set<string>();
    const progress = trackProgress(context, plan);
    progress.report();
    const open = plan.manifest.parts.filter(({ id }) => plan.marks.get(id) !== 'done');
    await eachInTurn(open, async (part, onTurn) => {
      if (!(await receivePart(context, plan, temporaryFile, part, progress, onTurn))) missing.add(part.id);
    });
    if (missing.size > 0) throw new AppFailure(gapsOf(manifest, missing));
    context.show.verifying();
    const actual = await temporaryFile.digest(signal);
    if (actual !== manifest.sha256) {
      // Each part was right when it came: the disk returned something else.
      await parts.plans.end(record.id);
      await temporaryFile.discard();
      throw new AppFailure({ code: 'digestDiffers', expected: manifest.sha256, actual });
    }
    await temporaryFile.sync();
    context.show.transferred();
    context.files.temporaryFiles.set(record.id, temporaryFileOf(temporaryFile));
    isWhole = true;
    return { temporaryPath: temporaryFile.path, lengthBytes: manifest.size, sha256: actual };
  } finally {
    if (!isWhole) await temporaryFile.leave().catch(() => undefined);
  }
}

/** Resumes an earlier attempt at this very manifest, or starts over. */
async function begin(
  { record, parts }: StepContext,
  { manifest, text }: StoredManifest,
  target: Target,
  temporaryName: string,
): Promise<{ plan: Plan<'download'>; temporaryFile: SparseDownload }> {
  const { plans } = parts;
  const known = plans.ofKind(record.id, 'download');
  const isSame = known?.text === text;
  // Nothing of another manifest can be used, and its file is ours to remove.
  if (known && !isSame) await parts.orphans.forgetDownload(known);
  const open = (name: string, inode: string | null) => openSparseDownload(target, name, manifest.size, inode);
  const measure = target.makesFolder ? freeBytesForNew : freeBytesIn;
  const freeBytes = known && isSame ? null : await measure(target.folder);
  // Fail at once, not after hours.
  if (freeBytes !== null && freeBytes < manifest.size)
    throw new AppFailure({ code: 'diskFull', folderName: basename(target.folder) });
  const name = known && isSame ? basename(known.of.temporaryPath) : temporaryName;
  const temporaryFile = await open(name, isSame ? known.of.inode : null).catch((cause: unknown) => {
    if (codeOf(cause) !== 'EEXIST') throw cause;
    return open(newTemporaryName(target.fileName), null);
  });
  if (known && isSame && temporaryFile.path !== known.of.temporaryPath)
    await removeTemporaryFile(known.of.temporaryPath);
  if (temporaryFile.isNew || temporaryFile.path !== known?.of.temporaryPath) {
    const { id: transferId, serviceId, origin, identifier } = record;
    const of = { kind: 'download', temporaryPath: temporaryFile.path, inode: temporaryFile.inode } as const;
    await plans.begin({ transferId, serviceId, origin, identifier, text, of }, manifest);
  }
  const plan = plans.ofKind(record.id, 'download');
  if (!plan) throw new Error('a plan was written down and is not there');
  return { plan, temporaryFile };
}

/** The interface that publishing expects of a temporary file; nothing is written any more. */
function temporaryFileOf({ path, sync, publish, discard }: SparseDownload) {
  const over = () => Promise.reject(new Error('It is whole'));
  return { path, sync, publish, discard, write: over, digest: over };
}

/** false: the part is missing, or holds something else. */
async function receivePart(
  context: StepContext,
  plan: Plan<'download'>,
  temporaryFile: SparseDownload,
  part: ManifestPart,
  progress: PartProgress,
  onTurn: () => void,
): Promise<boolean> {
  const { record, parts } = context;
  for (let tries = 1; tries <= maxTries; tries += 1) {
    const isRight = await takeIn(context, plan, temporaryFile, part, progress, onTurn);
    if (isRight === null) return false;
    if (!isRight) continue;
    await temporaryFile.flush();
    await parts.plans.mark(record.id, part.id, 'done');
    context.show.gotFurther();
    progress.report();
    return true;
  }
  return false;
}

/** Whether the bytes match the manifest; null: there is no such part. */
async function takeIn(
  context: StepContext,
  { manifest }: Plan,
  temporaryFile: SparseDownload,
  part: ManifestPart,
  progress: PartProgress,
  onTurn: () => void,
): Promise<boolean | null> {
  const { signal, files } = context;
  const { id, size, sha256 } = part;
  const offsetBytes = manifest.parts.indexOf(part) * manifest.split.bytes;
  const answer = await context.service.parts.get(id, size, onTurn).catch((cause: unknown) => {
    progress.transferred(id, 0);
    if (toAppError(cause)?.code === 'missing') return null;
    throw cause;
  });
  if (answer === null) return null;
  const digest = openDigest('parts');
  const writer = createPieces(async (piece, atBytes) => {
    await Promise.all([digest.add(piece), temporaryFile.writeAt(piece, offsetBytes + atBytes)]);
  });
  try {
    let receivedBytes = 0;
    for await (const piece of answer.body as AsyncIterable<Uint8Array>) {
      receivedBytes += piece.length;
      if (receivedBytes > size) return false;
      await files.takeBytes('download', piece.length, signal);
      await writer.write(piece);
      progress.transferred(id, receivedBytes);
    }
    await writer.end();
    return receivedBytes === size && (await digest.end()) === sha256;
  } catch (cause) {
    progress.transferred(id, 0);
    throw cause;
  } finally {
    await writer.drop();
    digest.drop();
  }
}

/** Gathers small pieces into 1 MiB, in memory shared with the digest worker; two buffers take turns. */
function createPieces(send: (piece: SharedPiece, atBytes: number) => Promise<void>) {
  const ring = [borrowPiece(), borrowPiece()] as const;
  let turn = 0;
  let filledBytes = 0;
  let sentBytes = 0;
  let leaving: Promise<void> = Promise.resolve();

  async function leave(): Promise<void> {
    const memory = ring[turn % 2] as SharedPiece;
    const [piece, atBytes] = [memory.subarray(0, filledBytes), sentBytes];
    turn += 1;
    sentBytes += filledBytes;
    filledBytes = 0;
    // The other buffer may still be on its way.
    await leaving;
    leaving = send(piece, atBytes);
    // The next caller that awaits it gets the failure.
    leaving.catch(() => undefined);
  }

  return {
    async write(bytes: Uint8Array): Promise<void> {
      for (let takenBytes = 0; takenBytes < bytes.length;) {
        const taken = bytes.subarray(takenBytes, takenBytes + pieceBytes - filledBytes);
        (ring[turn % 2] as SharedPiece).set(taken, filledBytes);
        filledBytes += taken.length;
        takenBytes += taken.length;
        if (filledBytes === pieceBytes) await leave();
      }
    },
    async end(): Promise<void> {
      if (filledBytes > 0) await leave();
      await leaving;
    },
    /** Returns the memory once nothing reads from it any more. */
    async drop(): Promise<void> {
      await leaving.catch(() => undefined);
      for (const memory of ring) returnPiece(memory);
    },
  };
}
