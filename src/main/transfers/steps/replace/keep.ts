import { isClassificationKnown } from '../../../../shared/domain/object.ts';
import { AppFailure } from '../../../../shared/app-failure.ts';
import type { CopiedObject } from '../../undo/undo-copies.ts';
import type { VaultBytes } from '../../undo/sealed.ts';
import { goesInParts } from '../../../../shared/domain/chunks.ts';
import { classificationOver } from '../inherited-classification.ts';
import { inPartsWhereNeeded, openUploadBody, sentPlanOf } from '../upload-body.ts';
import { refuseManifest } from '../../chunks/plan-chunks.ts';
import { fileOf } from '../../chunks/manifest.ts';
import { listOf } from './lists.ts';
import type { Replace } from '../../model/replace.ts';
import { oldBesideOf, sendAsUsual } from '../../model/replace-endings.ts';
import type { StepContext } from '../step.ts';
import { rowOf } from '../../chunks/chunk-context.ts';
import { workOf, type Next } from '../../model/next.ts';
import { copyBeside } from './bytes.ts';
import { confirm } from '../verify.ts';
import { bytesAt, isSame, receive } from '../stored-bytes.ts';
import { abandon, goOnToStage, goOut, goTo, lookAgain, nameBeside, type ReplaceStep } from './progress.ts';

/** Retries when the object is absent; after these it is not replaced but stored as usual. */
export const absentMs = [1_000, 4_000];

/** Looks at the object, and checks that there is room for it and for its replacement. */
export const begin: ReplaceStep = async (context, progress, { looks }) => {
  const { record, files } = context;
  const seen = await context.service.head(record.identifier);
  if (!seen.present) {
    const delayMs = absentMs[looks];
    if (delayMs !== undefined) return lookAgain(looks + 1, delayMs);
    // A copy of the new bytes is on the service: they are stored as after a deletion.
    if (progress.staged !== null) return goOut(context, progress, 'absent');
    await files.undoCopies.drop(record.id);
    return sendAsUsual(record);
  }
  const { agreed } = workOf(context, 'upload');
  if (agreed && agreed.lengthBytes !== null && agreed.lengthBytes !== seen.lengthBytes)
    return abandon(context, progress, { kind: 'asking', there: null, seen });
  if (progress.keeps === 'here') {
    // Of a chunked file only the manifest is replaced.
    const isWhole = !goesInParts(record.totalBytes ?? 0, context.rules);
    const mineBytes = progress.mine === null && isWhole ? (record.totalBytes ?? 0) : 0;
    await files.undoCopies.requireRoom(mineBytes + (seen.lengthBytes ?? 0));
  }
  if (progress.mine !== null) return goTo(context, progress, { phase: 'keepOld' });
  // Nobody else writes the row now, and the new bytes and their chunks are neither kept nor sent before this is on
  // the disk.
  const row = (await rowOf(context))?.record;
  const given = workOf(context, 'upload');
  const work = { ...given, classification: classificationOver(given, row ? [row] : []) };
  return goTo({ ...context, record: { ...record, work } }, progress, { phase: 'keepNew' });
};

/**
 * Keeps the new bytes here as they are now: whatever becomes of the file, these bytes are stored. The chunks of a
 * large file are sent first, and its manifest is kept.
 */
export const keepNew: ReplaceStep = (context, progress) =>
  inPartsWhereNeeded(context, () => keepBody(context, progress));

async function keepBody(context: StepContext, progress: Replace): Promise<Next> {
  const { record, files, signal } = context;
  const work = workOf(context, 'upload');
  const source = await openUploadBody(context, work);
  try {
    const given = await source.body({ signal, onProgress: () => undefined });
    const isAsItLay = work.kept !== undefined || sentPlanOf(context) !== null;
    const body = isAsItLay ? given : await refuseManifest(given);
    const pieces = body instanceof Uint8Array ? inOne(body) : body;
    const mine =
      progress.keeps === 'here'
        ? await files.undoCopies.keep(copiedObjectOf(context), 'new', pieces)
        : { file: null, ...(await through(pieces)) };
    signal.throwIfAborted();
    if ((await source.sha256()) !== mine.sha256 || (await source.hasChanged()))
      throw new AppFailure({ code: 'fileChanged', fileName: work.fileName });
    const next = goTo(context, progress, { phase: 'keepOld', mine });
    const totalBytes = sentPlanOf(context)?.manifest.size ?? mine.lengthBytes;
    return { ...next, change: { ...next.change, totalBytes } };
  } finally {
    await source.close();
  }

  /** Only reads the bytes: the file stays where it is. */
  async function through(pieces: AsyncIterable<Uint8Array>): Promise<VaultBytes> {
    let lengthBytes = 0;
    for await (const piece of pieces) lengthBytes += piece.length;
    return { lengthBytes, sha256: (await source.sha256()) ?? record.identifier };
  }
}

async function* inOne(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

/** Keeps the old object here or beside it, and compares it with what the person has agreed to replace. */
export const keepOld: ReplaceStep = async (context, progress) => {
  const beside = progress.keeps === 'service' ? progress.beside : null;
  if (progress.keeps === 'service' && beside === null) return nameOld(context, progress);
  const row = await rowOf(context);
  const old = beside === null ? await keepHere(context) : await keepThere(context, progress, beside);
  if (old === null) {
    // The name beside it was made for other bytes: it would be compared with them for ever.
    const again = { phase: 'begin', old: null, beside: null } as const;
    return { ...goTo(context, progress, again), replaceCopies: oldBesideOf(progress) };
  }
  const seen = { present: true, lengthBytes: old.lengthBytes } as const;
  if (isSame(old, progress.mine)) {
    const isFile = row?.record.claimed !== undefined && (await listOf(context, old, beside)) === null;
    return { ...abandon(context, progress, { kind: 'same', seen }), ...(isFile && confirm(row, old)) };
  }
  const list = await listOf(context, old, beside);
  if (!(await isAgreed(context, old, list ? fileOf(list.manifest) : old)))
    return abandon(context, progress, { kind: 'asking', there: bytesOf(old), seen });
  if (list && beside === null) return goTo(context, progress, { phase: 'keepList', old, beside: null });
  return goOnToStage(context, progress, old);
};

async function keepHere(context: StepContext): Promise<Replace['old']> {
  const pieces = await receive(context, context.record.identifier);
  if (pieces === null) return null;
  const known = await knownOfOld(context);
  const file = await context.files.undoCopies.keep({ ...copiedObjectOf(context), ...known }, 'old', pieces);
  return { ...file, classification: known.classification };
}

/** What the list says of the replaced object. An unknown classification is taken to be that of the new bytes. */
export async function knownOfOld(
  context: StepContext,
): Promise<Pick<CopiedObject, 'classification' | 'sourceName'>> {
  const listed = (await rowOf(context))?.record;
  const isKnown = listed && isClassificationKnown(listed);
  return {
    classification: isKnown ? listed.classification : workOf(context, 'upload').classification,
    sourceName: listed?.sourceName ?? null,
  };
}

/** The name beside the object is on the disk before anything is stored under it. */
async function nameOld(context: StepContext, progress: Replace): Promise<Next> {
  const { record } = context;
  const old = await bytesAt(context, record.identifier);
  if (old === null) return goTo(context, progress, { phase: 'begin' });
  const beside = nameBeside(record.identifier, 'o', old.sha256);
  const { classification } = await knownOfOld(context);
  return goTo(context, progress, { beside, old: { file: null, ...old, classification } });
}

/** null: the object is no longer the one that the name was made for. */
async function keepThere(context: StepContext, progress: Replace, beside: string): Promise<Replace['old']> {
  const { record } = context;
  const { old } = progress;
  if (old === null || !isSame(await bytesAt(context, record.identifier), old)) return null;
  await copyBeside(context, record.identifier, old, beside, old.classification);
  if (!isSame(await bytesAt(context, beside), old))
    throw new AppFailure({
      code: 'storedLengthDiffers',
      sentBytes: old.lengthBytes,
      storedBytes: null,
    });
  return old;
}

export function bytesOf({ lengthBytes, sha256 }: VaultBytes): VaultBytes {
  return { lengthBytes, sha256 };
}

function copiedObjectOf({ record }: StepContext): CopiedObject {
  const { id, serviceId, origin, identifier, work } = record;
  if (work.kind !== 'upload') throw new Error('only uploads replace');
  const { classification, fileName } = work;
  return { id, serviceId, origin, identifier, classification, sourceName: fileName };
}

/**
 * Whether the person agreed to replace these bytes: by the answer to the prompt, else what the person saw, else the
 * list.
 * @param content the old file, whose manifest `old` may be
 */
export async function isAgreed(context: StepContext, old: VaultBytes, content: VaultBytes): Promise<boolean> {
  const { agreed, base } = workOf(context, 'upload');
  if (agreed?.sha256) return agreed.sha256 === old.sha256;
  if (agreed && agreed.lengthBytes !== null && agreed.lengthBytes !== old.lengthBytes) return false;
  if (!agreed && base) return base.sha256 === content.sha256;
  const listed = (await rowOf(context))?.record;
  if (!listed || listed.state === 'uploading' || listed.state === 'failed' || listed.state === 'gone')
    return true;
  return listed.sha256 === null || listed.sha256 === content.sha256;
}
