import { Readable } from 'node:stream';
import { AppFailure } from '../../../../shared/app-failure.ts';
import type { VaultBytes } from '../../undo/sealed.ts';
import { sentPlanOf } from '../upload-body.ts';
import { storedInParts } from '../../chunks/chunk-plans.ts';
import type { Manifest } from '../../chunks/manifest.ts';
import { findIncomplete, findMissing, gapsOf } from '../../chunks/missing-chunks.ts';
import { completeChunks } from '../../chunks/send-chunks.ts';
import { peekManifest } from '../../chunks/sniff-manifest.ts';
import type { Replace } from '../../model/replace.ts';
import type { StepContext } from '../step.ts';
import { workOf } from '../../model/next.ts';
import { copyBeside } from './bytes.ts';
import { bytesAt, isSame } from '../stored-bytes.ts';
import { goOnToStage, goTo, nameBeside, type ReplaceStep } from './progress.ts';

/*
 * How a Replace handles chunked files. Their identifier holds the manifest, which is what is kept and replaced, while
 * the list of objects and the person see the file.
 */

/** Parses the old bytes as a manifest; null: they are the file itself. */
export async function listOf(
  context: StepContext,
  old: NonNullable<Replace['old']>,
  beside: string | null,
): Promise<{ manifest: Manifest; text: string } | null> {
  const { reading, bytes } = await takeOld(context, old, beside);
  return reading.kind === 'manifest'
    ? { manifest: reading.manifest, text: Buffer.from(bytes).toString() }
    : null;
}

function takeOld(context: StepContext, old: VaultBytes & { file: string | null }, beside: string | null) {
  if (old.file !== null) return takeHere(context, { ...old, file: old.file });
  if (beside === null) throw new Error('what is replaced is kept nowhere');
  return takeThere(context, beside);
}

/**
 * Stores the old manifest beside the object, where it continues to name its chunks for as long as the undo copy in
 * the vault is kept. Its name is on the disk before it is sent.
 */
export const keepList: ReplaceStep = async (context, progress) => {
  const { record, chunks } = context;
  const { old, beside } = progress;
  if (old === null || old.file === null) throw new Error('a list of parts was not kept');
  const list = await listOf(context, old, null);
  if (list === null) throw new Error('what was kept as a list of parts is none');
  if (beside === null)
    return goTo(context, progress, { beside: nameBeside(record.identifier, 'o', old.sha256) });
  const { serviceId, origin, identifier } = record;
  await chunks.undoManifests.put(
    { file: old.file, serviceId, origin, identifier, beside, isReplaced: false, text: list.text },
    list.manifest,
  );
  if (!isSame(await bytesAt(context, record.identifier), old))
    return goTo(context, progress, { phase: 'begin' });
  await copyBeside(context, record.identifier, old, beside, old.classification);
  if (!isSame(await bytesAt(context, beside), old))
    throw new AppFailure({ code: 'storedLengthDiffers', sentBytes: old.lengthBytes, storedBytes: null });
  return goOnToStage(context, progress, old);
};

/**
 * Makes sure that all chunks exist before the manifest is stored. Missing chunks of a file are sent again.
 * @throws AppFailure partsMissing: those of an Undo, which are not on this computer; what `completeChunks` throws
 */
export async function requireChunks(context: StepContext, { mine }: Replace): Promise<void> {
  const plan = sentPlanOf(context) ?? context.chunks.plans.ofKind(context.record.id, 'upload');
  if (plan) return completeChunks(context, plan);
  const manifest = await manifestOfUndo(context, mine);
  if (manifest === null) return;
  const missing = await findMissing(context, manifest);
  if (missing.size > 0) throw new AppFailure(gapsOf(manifest, missing));
}

/** Checks the chunks after the manifest was stored. @throws AppFailure storedIncomplete, partsMissing */
export async function requireComplete(context: StepContext, progress: Replace): Promise<void> {
  const plan = sentPlanOf(context);
  const incomplete = plan && (await findIncomplete(context, plan));
  if (incomplete) throw new AppFailure(incomplete.error);
  if (plan === null) await requireChunks(context, progress);
}

async function manifestOfUndo(context: StepContext, mine: Replace['mine']): Promise<Manifest | null> {
  const { kept } = workOf(context, 'upload');
  if (kept === undefined) return null;
  const file = mine?.file ?? kept.file;
  const { reading } = await takeHere(context, { ...kept, file });
  if (reading.kind !== 'manifest') return null;
  // Cleared before this Undo began: its chunks are being deleted.
  if (!(await context.files.undoCopies.has(kept.file)))
    throw new AppFailure({ code: 'keptUnreadable', problem: 'gone' });
  return reading.manifest;
}

/** Whether a manifest is stored, and not the file itself. */
export function isListSent(context: StepContext): boolean {
  const { kept } = workOf(context, 'upload');
  return (
    sentPlanOf(context) !== null ||
    (kept !== undefined && context.chunks.undoManifests.of(kept.file) !== null)
  );
}

/** What the row says of the stored bytes; for a manifest, the file's own length and digest. */
export function storedAs(context: StepContext, mine: VaultBytes) {
  const { kept } = workOf(context, 'upload');
  const list = kept ? context.chunks.undoManifests.of(kept.file) : sentPlanOf(context);
  if (list === null || list.sha256 !== mine.sha256)
    return { patch: { lengthBytes: mine.lengthBytes, sha256: mine.sha256 } };
  return storedInParts(list);
}

async function takeThere({ service }: StepContext, identifier: string) {
  const { body } = await service.get(identifier);
  return peekManifest(body, identifier);
}

async function takeHere({ record, files, signal }: StepContext, old: VaultBytes & { readonly file: string }) {
  const source = await files.undoCopies.open(old);
  try {
    const body = await source.body({ signal, onProgress: () => undefined });
    const pieces = Readable.from(body instanceof Uint8Array ? [body] : body);
    return await peekManifest(pieces, record.identifier);
  } finally {
    await source.close();
  }
}
