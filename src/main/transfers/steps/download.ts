import { basename } from 'node:path';
import type { Readable } from 'node:stream';
import { toAppError, AppFailure } from '../../../shared/app-failure.ts';
import { maxObjectBytes } from '../../../shared/domain/limits.ts';
import type { AppError } from '../../../shared/errors.ts';
import { pieceBytes } from '../../local-files/buffer-pool.ts';
import { finishTemporaryFile } from '../../local-files/finish-temporary-file.ts';
import { createSpaceGuard, withSpace } from '../../local-files/free-space.ts';
import { createSmallTemporaryFile } from '../../local-files/small-temporary-file.ts';
import { createTemporaryFile, newTemporaryName, temporaryNameOf } from '../../local-files/target.ts';
import type { TemporaryFile, Target } from '../../local-files/temporary-file.ts';
import type { Download } from '../../service/client.ts';
import { rowOf, type ObjectRow, type StepContext } from '../parts/step-context.ts';
import { inPartsOf } from '../parts/part-plans.ts';
import { gapsIn } from '../parts/missing-parts.ts';
import { sniffManifest, type Sniffed } from '../parts/read-manifest.ts';
import { receiveParts, type StoredManifest } from '../parts/receive-parts.ts';
import { workOf, type Next } from '../model/next.ts';
import type { Deferred } from '../model/state.ts';
import type { Gaps } from '../model/transition.ts';
import { isAsItIs, targetFor, temporaryFileOwner } from './download-target.ts';
import { isLengthUnverified, knownOf, requireKnown, requireReceived } from './known-bytes.ts';
import type { DeferredStep, Step } from './step.ts';
import { codeOf } from '../../local-files/file-system.ts';

/*
 * A download from top to bottom (sections 4.1 and 4.2): the request, the bytes, whole or in parts, into a temporary file
 * whose length and digest are verified, and its name, which shows that it is complete.
 */

/** Where the bytes go, the row as it was before the request, and the token, if the bytes are a deferred result. */
interface Begun {
  readonly target: Target;
  readonly asked: Promise<ObjectRow | null>;
  readonly deferred: Deferred | null;
}

/** Direct download (section 4.1, Download Data), and the fetch of a deferred result (section 4.2). */
export const receive: DeferredStep<'receiving'> = async (context, { deferred: fetched }) => {
  const { record, service, requests, show } = context;
  // The row is read before the request is sent, so that it describes the state before; the bytes do not wait for it.
  const asked = rowOf(context);
  asked.catch(() => undefined);
  const answer = await (
    fetched
      ? service.fetch('data', fetched.token, record.totalBytes ?? 0)
      : service.get(record.identifier, record.totalBytes ?? 0)
  ).catch((cause: unknown) => {
    const error = toAppError(cause);
    if (fetched || error?.code !== 'missing') throw cause;
    return error;
  });
  if ('code' in answer) return missing(answer, await asked);
  const deferred = fetched && { ...fetched, usedAt: requests.now() };
  if (deferred) show.note({ name: 'receiving', temporaryPath: null, deferred });
  const target = await targetFor(context, asked).catch((cause: unknown) => {
    // An unread body would hold its connection.
    answer.body.destroy();
    throw cause;
  });
  const { reading, bytes, pieces } = isAsItIs(record)
    ? asItIs(answer.body)
    : await sniffManifest(answer.body, record.identifier);
  const begun = { target, asked, deferred };
  switch (reading.kind) {
    case 'newer':
      throw new AppFailure({ code: 'partsTooNew', version: reading.version });
    case 'wrong':
      throw new AppFailure({ code: 'partsWrong' });
    case 'manifest':
      return receiveInParts(
        context,
        { manifest: reading.manifest, text: Buffer.from(bytes).toString() },
        begun,
      );
    case 'none': {
      const neededBytes = answer.originalLengthBytes ?? answer.lengthBytes ?? record.totalBytes;
      return receiveWhole(context, { ...answer, pieces }, begun).catch(async (cause: unknown) => {
        throw await withSpace(cause, target.folder, neededBytes);
      });
    }
  }
};

function asItIs(body: Readable): Sniffed {
  return { reading: { kind: 'none' }, bytes: new Uint8Array(0), pieces: body };
}

/** A 404 to a direct download says the same as HEAD would. @param gaps of a file in parts */
function missing(error: AppError, row: ObjectRow | null, gaps: Gaps | null = null): Next {
  const history = { action: 'downloadFailed', detail: error.code } as const;
  const seen = { present: false } as const;
  return {
    state: { name: 'failed', error },
    ...(row && { row: { kind: 'seen', seen, epoch: row.epoch, history, ...(gaps && { gaps }) } }),
  };
}

/** Receives the parts that a manifest names; those that have arrived stay if others are missing. */
async function receiveInParts(
  context: StepContext,
  stored: StoredManifest,
  { target, asked, deferred }: Begun,
): Promise<Next> {
  const { record, parts, files, show } = context;
  const { fileName, replaces } = target;
  requireKnown(workOf(context, 'download'), await asked, stored);
  // The token is used up: the parts are fetched one by one.
  if (deferred) show.note({ name: 'receiving', temporaryPath: null, deferred: null });
  const temporaryName = temporaryNameOf(fileName, temporaryFileOwner(record, files.installId));
  const whole = await receiveParts(context, stored, target, temporaryName).catch((cause: unknown) => {
    const error = toAppError(cause);
    if (deferred || error?.code !== 'partsMissing') throw cause;
    return error;
  });
  const row = await asked;
  if ('code' in whole) {
    const plan = parts.plans.ofKind(record.id, 'download');
    return missing(whole, row, plan && gapsIn(plan, (id) => plan.marks.get(id) !== 'done'));
  }
  return {
    state: {
      name: 'publishing',
      whole: { ...whole, fileName },
      verifiedBy: 'digest',
      replaces,
      epoch: deferred ? null : (row?.epoch ?? null),
      deferred: null,
    },
  };
}

/** Receives a body into a temporary file in the target folder. @throws AppFailure; then nothing is left behind */
async function receiveWhole(
  context: StepContext,
  { body, pieces, lengthBytes, originalLengthBytes }: Download & Pick<Sniffed, 'pieces'>,
  { target, asked, deferred }: Begun,
): Promise<Next> {
  const { record, signal, files, show } = context;
  const freeing = (cause: unknown): never => {
    body.destroy();
    throw cause;
  };
  const said = [lengthBytes, originalLengthBytes].filter((length) => length !== null);
  const announced = said.length > 0 ? said : await checkLength(context).catch(freeing);
  // Known lengths also limit what is received: an endless body must not fill the disk.
  let maxBytes = Math.min(...announced, Number.MAX_SAFE_INTEGER);
  const guard = announced.length === 0 ? createLengthGuard(context, target.folder) : null;
  asked.then(
    (row) => {
      const known = knownOf(record, row).lengthBytes;
      if (known !== null && row && !isLengthUnverified(row)) maxBytes = Math.min(maxBytes, known);
    },
    () => undefined,
  );
  const temporaryFile = await openTemporaryFile(target, context, announced[0] ?? null).catch(freeing);
  let isWhole = false;
  try {
    let receivedBytes = 0;
    // Without an announced length the record's own stays.
    show.progress(0, announced[0]);
    for await (const piece of pieces) {
      receivedBytes += piece.length;
      if (receivedBytes > maxBytes) break;
      await guard?.(receivedBytes);
      await files.takeBytes('download', piece.length, signal);
      await temporaryFile.write(piece);
      show.progress(receivedBytes);
    }
    show.verifying();
    const sha256 = await temporaryFile.digest();
    show.transferred();
    const row = await asked;
    const verifiedBy = requireReceived(record, row, announced, { lengthBytes: receivedBytes, sha256 });
    signal.throwIfAborted();
    await temporaryFile.sync();
    files.temporaryFiles.set(record.id, temporaryFile);
    isWhole = true;
    const { fileName, replaces } = target;
    const whole = { temporaryPath: temporaryFile.path, lengthBytes: receivedBytes, sha256, fileName };
    const epoch = deferred ? null : (row?.epoch ?? null);
    return { state: { name: 'publishing', whole, verifiedBy, replaces, epoch, deferred } };
  } finally {
    if (!isWhole) await temporaryFile.discard();
  }
}

/** Limits a body of unknown length. @throws AppFailure downloadTooLong, diskFull */
function createLengthGuard({ rules }: StepContext, folder: string) {
  const limitBytes = rules.maxObjectBytes ?? maxObjectBytes.possible;
  const requireSpace = createSpaceGuard(folder);
  return async (receivedBytes: number) => {
    if (receivedBytes > limitBytes) throw new AppFailure({ code: 'downloadTooLong', limitBytes });
    await requireSpace(receivedBytes);
  };
}

/**
 * The length by HEAD, when the download does not announce it because its encoding is `chunked` or another. Empty when HEAD does
 * not say either, the object has gone since, or this token may fetch it but not look at it.
 */
async function checkLength(context: StepContext): Promise<number[]> {
  try {
    const seen = await context.service.head(context.record.identifier);
    return seen.present && seen.lengthBytes !== null ? [seen.lengthBytes] : [];
  } catch (cause) {
    if (toAppError(cause)?.code === 'forbidden') return [];
    throw cause;
  }
}

/** If the record's own temporary name is taken, any other will do. */
async function openTemporaryFile(
  target: Target,
  { record, files }: StepContext,
  lengthBytes: number | null,
): Promise<TemporaryFile> {
  const names = [
    temporaryNameOf(target.fileName, temporaryFileOwner(record, files.installId)),
    newTemporaryName(target.fileName),
  ] as const;
  if (lengthBytes !== null && lengthBytes <= pieceBytes)
    return createSmallTemporaryFile(target, names, lengthBytes);
  try {
    return await createTemporaryFile(target, names[0]);
  } catch (cause) {
    if (codeOf(cause) !== 'EEXIST') throw cause;
    return createTemporaryFile(target, names[1]);
  }
}

/** Gives the temporary file its name, or finds the file under the name it got before a kill. */
export const publish: Step<'publishing'> = async (
  context,
  { whole, verifiedBy, replaces, epoch, deferred },
) => {
  const { record, files, parts } = context;
  context.show.verifying();
  const temporaryFile = files.temporaryFiles.get(record.id);
  const published = temporaryFile
    ? await temporaryFile.publish()
    : await finishTemporaryFile(whole, replaces);
  files.temporaryFiles.delete(record.id);
  // Lost in a power cut: request the bytes once more.
  if (published === null) return { state: deferred ? { name: 'completed', deferred } : { name: 'waiting' } };
  if (!published.isDurable) files.onUnflushed(record.id);
  const { lengthBytes, sha256 } = whole;
  const fileName = basename(published.path);
  const { copyFor } = workOf(context, 'download');
  // A private copy is not shown to the person as a file.
  const savedPath = copyFor === undefined ? published.path : null;
  const outcome = { kind: 'saved', fileName, verifiedBy, ...(copyFor && { copyFor }) } as const;
  const plan = parts.plans.ofKind(record.id, 'download');
  return {
    state: { name: 'done', outcome, savedPath },
    change: { totalBytes: lengthBytes },
    row: isAsItIs(record)
      ? { kind: 'note', history: { action: 'downloaded' } }
      : {
          kind: 'downloaded',
          lengthBytes,
          sha256,
          epoch,
          isFresh: record.route === 'direct',
          ...(plan && { inParts: inPartsOf(plan) }),
        },
    isLazy: true,
  };
};
