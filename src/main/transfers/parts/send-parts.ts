import { AppFailure, toAppError } from '../../../shared/errors.ts';
import { saysNothingWasStored } from '../failure-policy.ts';
import { openSource, type SourceFile } from '../files/source.ts';
import { GateClosed } from '../service-gate.ts';
import { workOf, type StepContext } from '../step.ts';
import { headObject, patienceMs } from '../verify.ts';
import { gapsOf } from './gaps.ts';
import { isSent, type Plan } from './journal.ts';
import { readManifest, type ManifestPart } from './manifest.ts';
import { planOf } from './plan-parts.ts';
import { lookAtDeletedAgain, noteLoss } from './second-look.ts';
import { doSideBySide } from './side-by-side.ts';

/**
 * Brings the parts of a file to the service, as far as they are not there yet, so that the list of them can follow. That one may have
 * left is written down before it does, and that it is there when it is. @throws AppFailure partDiffers, partsLeaving, fileChanged,
 * and what a request or the file throws
 */
export async function sendParts(context: StepContext): Promise<void> {
  const { inParts, record } = context;
  const plan = await planOf(context);
  if (!(await inParts.janitor.reclaim(plan))) throw new AppFailure({ code: 'partsLeaving' });
  const progress = trackProgress(context, plan);
  progress.tell();
  const open = plan.parts
    .filter(({ id }) => !isThere(plan, id))
    // What is refused of one is refused of all: the smallest finds out.
    .toSorted((a, b) => a.size - b.size);
  const { source } = plan.of;
  if (source === null) await findParts(context, plan, open, progress);
  else {
    const send = (part: ManifestPart) => sendPart(context, plan, source, part, progress);
    const isFirst = open.length === plan.parts.length;
    const missing = await lookForKnown(context, plan, open, progress);
    if (isFirst && missing[0]) await send(missing.shift() as ManifestPart);
    await doSideBySide(missing, context.borrow, send);
  }
  await lookAtDeletedAgain(context, plan, (part) => isWhole(context, part));
  // As it was when it was hashed, up to here: then all parts are of one file.
  const { path, fileName } = workOf(context, 'upload');
  if (source !== null) await (await openSource(path, fileName, source, null)).close();
  if (!isSent(plan)) throw new Error(`not all parts of ${record.id} were sent`);
}

function isThere({ marks }: Plan, id: string): boolean {
  return marks.get(id) === 'done' || marks.get(id) === 'there';
}

interface Progress {
  tell(): void;
  moved(id: string, doneBytes: number): void;
}

/** Of the whole file: what is there, and what of each part is on its way. */
function trackProgress({ onProgress }: StepContext, plan: Plan): Progress {
  const moving = new Map<string, number>();
  const tell = () => {
    let doneBytes = 0;
    for (const { id, size } of plan.manifest.parts)
      doneBytes += isThere(plan, id) ? size : Math.min(moving.get(id) ?? 0, size);
    onProgress(doneBytes, plan.manifest.size);
  };
  return {
    tell,
    moved(id, doneBytes) {
      moving.set(id, doneBytes);
      tell();
    },
  };
}

/** It is there, whole. @param as `there`: it was before this upload */
async function settle(
  context: StepContext,
  { profileId, origin, transferId }: Plan<'upload'>,
  { id }: ManifestPart,
  as: 'done' | 'there',
  progress: Progress,
): Promise<void> {
  const { inParts, clock, onGotFurther } = context;
  // First, so that after a kill too nobody takes it for older than it is.
  await inParts.deletedParts.change({ profileId, origin, id }, { metAtMs: clock.nowMs() });
  await inParts.journal.mark(transferId, id, as);
  onGotFurther();
  progress.tell();
}

/** Nothing is sent: the parts are there, or nobody has them. @throws AppFailure partsMissing */
async function findParts(
  context: StepContext,
  plan: Plan<'upload'>,
  open: readonly ManifestPart[],
  progress: Progress,
): Promise<void> {
  const missing = new Set<string>();
  await doSideBySide(open, context.borrow, async (part) => {
    const as = plan.marks.get(part.id) === 'tried' ? 'done' : 'there';
    if (await isSoonWhole(context, part)) await settle(context, plan, part, as, progress);
    else missing.add(part.id);
  });
  if (missing.size > 0) throw new AppFailure(gapsOf(plan.manifest, missing));
}

/**
 * Parts that a version on the list has are looked for: the service reads a body whole before it says that it has it, and of a file that
 * was edited most parts are as they were. Answers those that are to be sent.
 */
async function lookForKnown(
  context: StepContext,
  plan: Plan<'upload'>,
  open: readonly ManifestPart[],
  progress: Progress,
): Promise<ManifestPart[]> {
  const known = await knownParts(context, plan.base);
  const found = new Set<string>();
  // One that was tried is looked for before it is sent again, and is ours then.
  const isLikely = ({ id }: ManifestPart) => known.has(id) && plan.marks.get(id) !== 'tried';
  await doSideBySide(open.filter(isLikely), context.borrow, async (part) => {
    if (!(await isWhole(context, part))) return;
    await settle(context, plan, part, 'there', progress);
    found.add(part.id);
  });
  return open.filter(({ id }) => !found.has(id));
}

/** Of what lies under the identifier, and of the newest version that is in parts, as far as the list knows. */
async function knownParts(
  { record, store, facts, inParts }: StepContext,
  base: string,
): Promise<Set<string>> {
  const { separator, versionMark } = facts;
  const listed = await store.versions(record.profileId, 'data', base, { separator, versionMark });
  const inPartsOnly = listed.flatMap(({ record: row }) => (row.parts ? [row] : []));
  const own = inPartsOnly.find(({ identifier }) => identifier === record.identifier);
  const ids = new Set<string>();
  for (const row of new Set([own, inPartsOnly.at(-1)])) {
    const text = row && (await inParts.manifestOf(row.id));
    if (!text) continue;
    const reading = readManifest(Buffer.from(text), row.identifier, separator);
    if (reading.kind === 'manifest') for (const { id } of reading.manifest.parts) ids.add(id);
  }
  return ids;
}

async function sendPart(
  context: StepContext,
  plan: Plan<'upload'>,
  identity: SourceFile['identity'],
  part: ManifestPart,
  progress: Progress,
): Promise<void> {
  const { record, inParts, client, signal, limits } = context;
  const { path, fileName, classification } = workOf(context, 'upload');
  const mark = (as: 'tried' | null) => inParts.journal.mark(record.id, part.id, as);
  const wasTried = plan.marks.get(part.id) === 'tried';
  const settleAs = (as: 'done' | 'there') => settle(context, plan, part, as, progress);
  if (wasTried && (await isWhole(context, part))) return settleAs('done');
  if (!wasTried) await mark('tried');
  const source = await openSource(path, fileName, identity, {
    offsetBytes: offsetOf(plan, part),
    lengthBytes: part.size,
  });
  try {
    const body = await source.body({
      signal,
      take: (bytes) => limits.takeBytes('upload', bytes, signal),
      onProgress: (doneBytes) => progress.moved(part.id, doneBytes),
    });
    const proven = await prove(source, body, part, fileName);
    const options = { lengthBytes: part.size, classification, signal };
    await context.send(() => client.uploadData(part.id, proven, options));
  } catch (cause) {
    progress.moved(part.id, 0);
    const error = toAppError(cause);
    const isUntried = cause instanceof GateClosed || (error !== undefined && saysNothingWasStored(error));
    // What has its name then is not of this upload, and is never removed with it.
    if (isUntried && !wasTried) await mark(null);
    if (error?.code === 'exists') {
      if (await isWhole(context, part)) return settleAs(wasTried ? 'done' : 'there');
      // It is going at this moment, or another's copy of it is.
      throw new AppFailure({ code: 'partsLeaving' });
    }
    throw cause;
  } finally {
    await source.close();
  }
  await confirm(context, plan, part);
  await settleAs('done');
}

function offsetOf({ manifest }: Plan, part: ManifestPart): number {
  return manifest.parts.findIndex(({ id }) => id === part.id) * manifest.split.bytes;
}

/** A part is named after its bytes, so with its length it is that part. @throws AppFailure partDiffers */
async function isWhole(context: StepContext, { id, size }: ManifestPart): Promise<boolean> {
  const seen = await headObject(context, id);
  if (!seen.present) return false;
  if (seen.lengthBytes === size) return true;
  throw new AppFailure({
    code: 'partDiffers',
    identifier: id,
    expectedBytes: size,
    storedBytes: seen.lengthBytes,
  });
}

async function isSoonWhole(context: StepContext, part: ManifestPart): Promise<boolean> {
  for (const delayMs of patienceMs) {
    if (await isWhole(context, part)) return true;
    await context.clock.delay(delayMs, context.signal);
  }
  return isWhole(context, part);
}

/** Success was answered; HEAD must agree, after a moment if need be. */
async function confirm(context: StepContext, plan: Plan<'upload'>, part: ManifestPart): Promise<void> {
  if (await isSoonWhole(context, part)) return;
  await noteLoss(context, plan, part);
  throw new AppFailure({ code: 'partsLeaving' });
}

/**
 * The bytes under a part's name must be those it is named after: the last of them leave only when the digest agrees, and a
 * service that never gets a whole body stores nothing.
 */
async function prove(
  source: SourceFile,
  body: Uint8Array | AsyncIterable<Uint8Array>,
  { size, sha256 }: ManifestPart,
  fileName: string,
): Promise<Uint8Array | AsyncIterable<Uint8Array>> {
  async function requireDigest(): Promise<void> {
    if ((await source.sha256()) !== sha256) throw new AppFailure({ code: 'fileChanged', fileName });
  }
  if (body instanceof Uint8Array) {
    await requireDigest();
    return body;
  }
  return (async function* () {
    let doneBytes = 0;
    for await (const piece of body) {
      doneBytes += piece.length;
      if (doneBytes === size) await requireDigest();
      yield piece;
    }
  })();
}
