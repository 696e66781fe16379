import { AppFailure } from '../../../../shared/app-failure.ts';
import { goesInParts } from '../../../../shared/domain/parts.ts';
import { isUnverified } from '../../../../shared/domain/unverified.ts';
import { isClassificationKnown, type ObjectRecord } from '../../../../shared/domain/object.ts';
import { rowOf, type StepContext } from '../../parts/step-context.ts';
import { fileOf } from '../../parts/manifest.ts';
import { refuseManifest } from '../../parts/read-manifest.ts';
import { workOf, type Next } from '../../model/next.ts';
import { oldBesideOf, sendAsUsual } from '../../model/replace-endings.ts';
import type { Replace } from '../../model/replace.ts';
import type { CopiedObject } from '../../undo/undo-copies.ts';
import { classificationOver } from '../inherited-classification.ts';
import { bytesAt, copyBeside, isSame, receive, wholeAt } from '../stored-bytes.ts';
import { inPartsWhereNeeded, openUploadBody, sentPlanOf } from '../upload-body.ts';
import { confirm } from '../verify.ts';
import { manifestOfOld } from './manifests.ts';
import {
  abandon,
  goOnToStage,
  goOut,
  goTo,
  isReclassification,
  checkAgain,
  nameBeside,
  type ReplaceStep,
} from './progress.ts';
import type { VaultBytes } from '../../undo/sealed.ts';

/*
 * What a Replace keeps before the object is touched: the new bytes, then the old ones, which the person must have agreed
 * to replace.
 */

/** Retries when the object is absent; after these it is not replaced but stored as usual. */
const absentMs = [1_000, 4_000];

/**
 * Looks at the object, and checks that there is room for it and for its replacement.
 * @throws AppFailure objectChanged: what was to be reclassified is gone
 */
export const begin: ReplaceStep = async (context, progress, { looks }) => {
  const { record, files } = context;
  const seen = await context.service.head(record.identifier);
  if (!seen.present) {
    const delayMs = absentMs[looks];
    if (delayMs !== undefined) return checkAgain(looks + 1, delayMs);
    if (isReclassification(context)) throw new AppFailure({ code: 'objectChanged', copy: null });
    // A copy of the new bytes is on the service: they are stored as after a deletion.
    if (progress.staged !== null) return goOut(context, progress, 'absent');
    await files.undoCopies.drop(record.id);
    return sendAsUsual(record);
  }
  if (isReclassification(context)) return goTo(context, progress, { phase: 'keepOld' });
  const { agreed } = workOf(context, 'upload');
  if (agreed && agreed.lengthBytes !== null && agreed.lengthBytes !== seen.lengthBytes)
    return abandon(context, progress, { kind: 'asking', there: null, seen });
  if (progress.keeps === 'here') {
    // Of a file in parts only the manifest is replaced.
    const isWhole = !goesInParts(record.totalBytes ?? 0, context.rules);
    const mineBytes = progress.mine === null && isWhole ? (record.totalBytes ?? 0) : 0;
    await files.undoCopies.requireRoom(mineBytes + (seen.lengthBytes ?? 0));
  }
  if (progress.mine !== null) return goTo(context, progress, { phase: 'keepOld' });
  // Nobody else writes the row now, and the new bytes and their parts are neither kept nor sent before this is on
  // the disk.
  const row = (await rowOf(context))?.record;
  const given = workOf(context, 'upload');
  const work = { ...given, classification: classificationOver(given, row ? [row] : []) };
  return goTo({ ...context, record: { ...record, work } }, progress, { phase: 'keepNew' });
};

/**
 * Keeps the new bytes here as they are now: whatever becomes of the file, these bytes are stored. The parts of a
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
  if (isReclassification(context)) return keepOwn(context, progress);
  // Before the object is read: a later change of the row is not in it.
  const row = await rowOf(context);
  const listed = row?.record;
  const beside = progress.keeps === 'service' ? progress.beside : null;
  if (progress.keeps === 'service' && beside === null) return nameOld(context, progress, listed);
  const old = beside === null ? await keepHere(context, listed) : await keepThere(context, progress, beside);
  if (old === null) {
    // The name beside it was made for other bytes: it would be compared with them for ever.
    const again = { phase: 'begin', old: null, beside: null } as const;
    return { ...goTo(context, progress, again), replaceCopies: oldBesideOf(progress) };
  }
  const { lengthBytes, sha256 } = old;
  const seen = { present: true, lengthBytes } as const;
  if (isSame(old, progress.mine)) {
    const isFile = listed?.unverified !== undefined && (await manifestOfOld(context, old, beside)) === null;
    return { ...abandon(context, progress, { kind: 'same', seen }), ...(isFile && confirm(row, old)) };
  }
  const stored = await manifestOfOld(context, old, beside);
  if (!isAgreed(context, listed, old, stored ? fileOf(stored.manifest) : old))
    return abandon(context, progress, { kind: 'asking', there: { lengthBytes, sha256 }, seen });
  if (stored && beside === null) return goTo(context, progress, { phase: 'keepList', old, beside: null });
  return goOnToStage(context, progress, old);
};

/**
 * Another classification for an object: the service cannot change it (section 4.1), so this is a Replace with the
 * object's own bytes, which are downloaded and uploaded. Nothing is kept on this disk. The copy beside the object has
 * the new classification and is compared whole before the object is deleted: from then on only the copy is sure to
 * exist.
 * @throws AppFailure objectChanged, partsShared
 */
async function keepOwn(context: StepContext, progress: Replace): Promise<Next> {
  const bytes = await wholeAt(context, context.record.identifier);
  const listed = (await rowOf(context))?.record;
  const { agreed, base } = workOf(context, 'upload');
  // Other bytes than the list's are left alone, unless the list only claims them, or the person was told that they differ.
  const isHearsay = listed !== undefined && isUnverified(listed, 'digest') && base === undefined;
  const isAny = agreed !== undefined || isHearsay;
  if (bytes === null || !(isAny || isAgreed(context, listed, bytes, bytes)))
    throw new AppFailure({ code: 'objectChanged', copy: null });
  const mine = { file: null, ...bytes };
  const { classification } = describeOld(context, listed);
  return goOnToStage(context, { ...progress, mine }, { ...mine, classification });
}

async function keepHere(context: StepContext, listed: ObjectRecord | undefined): Promise<Replace['old']> {
  const pieces = await receive(context, context.record.identifier);
  if (pieces === null) return null;
  const described = describeOld(context, listed);
  const file = await context.files.undoCopies.keep(
    { ...copiedObjectOf(context), ...described },
    'old',
    pieces,
  );
  return { ...file, classification: described.classification };
}

/** What the list says of the replaced object. An unknown classification is taken to be that of the new bytes. */
function describeOld(
  context: StepContext,
  listed: ObjectRecord | undefined,
): Pick<CopiedObject, 'classification' | 'sourceName'> {
  const isKnown = listed && isClassificationKnown(listed);
  return {
    classification: isKnown ? listed.classification : workOf(context, 'upload').classification,
    sourceName: listed?.sourceName ?? null,
  };
}

/** The name beside the object is on the disk before anything is stored under it. */
async function nameOld(
  context: StepContext,
  progress: Replace,
  listed: ObjectRecord | undefined,
): Promise<Next> {
  const { identifier } = context.record;
  const old = await bytesAt(context, identifier);
  if (old === null) return goTo(context, progress, { phase: 'begin' });
  const beside = nameBeside(identifier, 'o', old.sha256);
  const { classification } = describeOld(context, listed);
  return goTo(context, progress, { beside, old: { file: null, ...old, classification } });
}

/** null: the object is no longer the one that the name was made for. */
async function keepThere(context: StepContext, progress: Replace, beside: string): Promise<Replace['old']> {
  const { record } = context;
  const { old } = progress;
  if (old === null || !isSame(await bytesAt(context, record.identifier), old)) return null;
  await copyBeside(context, record.identifier, old, beside, old.classification);
  if (!isSame(await bytesAt(context, beside), old))
    throw new AppFailure({ code: 'storedLengthDiffers', sentBytes: old.lengthBytes, storedBytes: null });
  return old;
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
function isAgreed(
  context: StepContext,
  listed: ObjectRecord | undefined,
  old: VaultBytes,
  content: VaultBytes,
): boolean {
  const { agreed, base } = workOf(context, 'upload');
  if (agreed?.sha256) return agreed.sha256 === old.sha256;
  if (agreed && agreed.lengthBytes !== null && agreed.lengthBytes !== old.lengthBytes) return false;
  if (!agreed && base) return base.sha256 === content.sha256;
  if (!listed || listed.state === 'uploading' || listed.state === 'failed' || listed.state === 'gone')
    return true;
  return listed.sha256 === null || listed.sha256 === content.sha256;
}
