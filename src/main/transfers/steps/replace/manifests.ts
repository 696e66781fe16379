import { Readable } from 'node:stream';
import { AppFailure } from '../../../../shared/app-failure.ts';
import { storedInParts } from '../../parts/part-plans.ts';
import type { Manifest } from '../../parts/manifest.ts';
import { findIncomplete, findMissing, gapsOf } from '../../parts/missing-parts.ts';
import { peekManifest } from '../../parts/read-manifest.ts';
import type { StoredManifest } from '../../parts/receive-parts.ts';
import { completeParts } from '../../parts/send-parts.ts';
import type { StepContext } from '../../parts/step-context.ts';
import { workOf } from '../../model/next.ts';
import type { Replace } from '../../model/replace.ts';
import { bytesAt, copyBeside, isSame } from '../stored-bytes.ts';
import { sentPlanOf } from '../upload-body.ts';
import { goOnToStage, goTo, nameBeside, type ReplaceStep } from './progress.ts';
import type { VaultBytes } from '../../undo/sealed.ts';

/*
 * How a Replace handles files in parts. Their identifier holds the manifest, which is what is kept and replaced, while
 * the list of objects and the person see the file.
 */

/** Parses the old bytes as a manifest; null: they are the file itself. */
export async function manifestOfOld(
  context: StepContext,
  old: NonNullable<Replace['old']>,
  beside: string | null,
): Promise<StoredManifest | null> {
  const { reading, bytes } =
    old.file === null ? await peekBeside(context, beside) : await peekKept(context, old, old.file);
  return reading.kind === 'manifest'
    ? { manifest: reading.manifest, text: Buffer.from(bytes).toString() }
    : null;
}

/**
 * Stores the old manifest beside the object, where it continues to name its parts for as long as the undo copy in
 * the vault is kept. Its name is on the disk before it is sent.
 */
export const keepManifest: ReplaceStep = async (context, progress) => {
  const { record, parts } = context;
  const { old, beside } = progress;
  if (old === null || old.file === null) throw new Error('a list of parts was not kept');
  const stored = await manifestOfOld(context, old, null);
  if (stored === null) throw new Error('what was kept as a list of parts is none');
  if (beside === null)
    return goTo(context, progress, { beside: nameBeside(record.identifier, 'o', old.sha256) });
  const { serviceId, origin, identifier } = record;
  const { text, manifest } = stored;
  await parts.undoManifests.put(
    { file: old.file, serviceId, origin, identifier, beside, isReplaced: false, text },
    manifest,
  );
  if (!isSame(await bytesAt(context, record.identifier), old))
    return goTo(context, progress, { phase: 'begin' });
  await copyBeside(context, record.identifier, old, beside, old.classification);
  if (!isSame(await bytesAt(context, beside), old))
    throw new AppFailure({ code: 'storedLengthDiffers', sentBytes: old.lengthBytes, storedBytes: null });
  return goOnToStage(context, progress, old);
};

/**
 * Makes sure that all parts exist before the manifest is stored. Missing parts of a file are sent again.
 * @throws AppFailure partsMissing: those of an Undo, which are not on this computer; what `completeChunks` throws
 */
export async function requireParts(context: StepContext, { mine }: Replace): Promise<void> {
  const plan = sentPlanOf(context) ?? context.parts.plans.ofKind(context.record.id, 'upload');
  if (plan) return completeParts(context, plan);
  const manifest = await manifestOfUndo(context, mine);
  if (manifest === null) return;
  const missing = await findMissing(context, manifest);
  if (missing.size > 0) throw new AppFailure(gapsOf(manifest, missing));
}

/** Checks the parts after the manifest was stored. @throws AppFailure storedIncomplete, partsMissing */
export async function requireComplete(context: StepContext, progress: Replace): Promise<void> {
  const plan = sentPlanOf(context);
  const incomplete = plan && (await findIncomplete(context, plan));
  if (incomplete) throw new AppFailure(incomplete.error);
  if (plan === null) await requireParts(context, progress);
}

async function manifestOfUndo(context: StepContext, mine: Replace['mine']): Promise<Manifest | null> {
  const { kept } = workOf(context, 'upload');
  if (kept === undefined) return null;
  const { reading } = await peekKept(context, kept, mine?.file ?? kept.file);
  if (reading.kind !== 'manifest') return null;
  // Cleared before this Undo began: its parts are being deleted.
  if (!(await context.files.undoCopies.has(kept.file)))
    throw new AppFailure({ code: 'keptUnreadable', problem: 'gone' });
  return reading.manifest;
}

/** Whether a manifest is stored, and not the file itself. */
export function isManifestSent(context: StepContext): boolean {
  const { kept } = workOf(context, 'upload');
  return (
    sentPlanOf(context) !== null || (kept !== undefined && context.parts.undoManifests.of(kept.file) !== null)
  );
}

/** What the row says of the stored bytes; for a manifest, the file's own length and digest. */
export function storedAs(context: StepContext, mine: VaultBytes) {
  const { kept } = workOf(context, 'upload');
  const sent = kept ? context.parts.undoManifests.of(kept.file) : sentPlanOf(context);
  if (sent === null || sent.sha256 !== mine.sha256)
    return { patch: { lengthBytes: mine.lengthBytes, sha256: mine.sha256 } };
  return storedInParts(sent);
}

async function peekBeside({ service }: StepContext, beside: string | null) {
  if (beside === null) throw new Error('what is replaced is kept nowhere');
  const { body } = await service.get(beside);
  return peekManifest(body, beside);
}

async function peekKept({ record, files, signal }: StepContext, bytes: VaultBytes, file: string) {
  const source = await files.undoCopies.open({ ...bytes, file });
  try {
    const body = await source.body({ signal, onProgress: () => undefined });
    const pieces = Readable.from(body instanceof Uint8Array ? [body] : body);
    return await peekManifest(pieces, record.identifier);
  } finally {
    await source.close();
  }
}
