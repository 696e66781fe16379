import type { Readable } from 'node:stream';
import { maxObjectBytes } from '../../../shared/domain/limits.ts';
import { type AppError } from '../../../shared/errors.ts';
import { toAppError, AppFailure } from '../../../shared/app-failure.ts';
import type { Download } from '../../service/client.ts';
import { createSpaceGuard, withSpace } from '../../local-files/free-space.ts';
import { codeOf } from '../../local-files/file-system.ts';
import type { StateOf, Whole } from '../model/state.ts';
import type { Gaps } from '../model/transition.ts';
import { pieceBytes } from '../../local-files/buffer-pool.ts';
import { gapsIn } from '../chunks/missing-chunks.ts';
import { receiveChunks } from '../chunks/receive-chunks.ts';
import { sniffManifest, type Sniffed } from '../chunks/sniff-manifest.ts';
import { createSmallTemporaryFile } from '../../local-files/small-temporary-file.ts';
import { createTemporaryFile, newTemporaryName, temporaryNameOf } from '../../local-files/target.ts';
import type { TemporaryFile, Target } from '../../local-files/temporary-file.ts';
import type { Step, StepContext } from './step.ts';
import { rowOf, type ObjectRow } from '../chunks/chunk-context.ts';
import { workOf, type Next } from '../model/next.ts';
import { isAsItIs, temporaryFileOwner, targetFor } from './download-target.ts';
import { digestDiffers, isLengthClaimed, knownOf, lengthDiffers, requireKnown } from './known-bytes.ts';

/** Direct download (section 4.1, Download Data), and the fetch of a deferred result (section 4.2). */
export const receive: Step<'receiving'> = async (context, { deferred }) => {
  const { record, chunks, requests } = context;
  // The row is read before the request is sent, so that it describes the state before; the bytes do not wait for it.
  const asked = rowOf(context);
  asked.catch(() => undefined);
  const answer = await (
    deferred
      ? context.service.fetch('data', deferred.token, record.totalBytes ?? 0)
      : context.service.get(record.identifier, record.totalBytes ?? 0)
  ).catch((cause: unknown) => {
    const error = toAppError(cause);
    if (deferred || error?.code !== 'missing') throw cause;
    return error;
  });
  if ('code' in answer) return missing(answer, await asked);
  const used = deferred && { ...deferred, usedAt: requests.now() };
  if (used) context.show.note({ name: 'receiving', temporaryPath: null, deferred: used });
  const target = await targetFor(context, asked).catch((cause: unknown) => {
    // An unread body would hold its connection.
    answer.body.destroy();
    throw cause;
  });
  const { reading, bytes, pieces } = isAsItIs(record)
    ? asItIs(answer.body)
    : await sniffManifest(answer.body, record.identifier);
  if (reading.kind === 'newer') throw new AppFailure({ code: 'partsTooNew', version: reading.version });
  if (reading.kind === 'wrong') throw new AppFailure({ code: 'partsWrong' });
  const { replaces, fileName } = target;
  if (reading.kind === 'manifest') {
    const list = { manifest: reading.manifest, text: Buffer.from(bytes).toString() };
    requireKnown(workOf(context, 'download'), await asked, list);
    // The token is used up: the chunks are fetched one by one.
    if (used) context.show.note({ name: 'receiving', temporaryPath: null, deferred: null });
    const temporaryName = temporaryNameOf(fileName, temporaryFileOwner(record, context.files.installId));
    const whole = await receiveChunks(context, list, target, temporaryName).catch(async (cause: unknown) => {
      const error = toAppError(cause);
      if (deferred || error?.code !== 'partsMissing') throw cause;
      return error;
    });
    if ('code' in whole) {
      const plan = chunks.plans.ofKind(record.id, 'download');
      return missing(whole, await asked, plan && gapsIn(plan, (id) => plan.marks.get(id) !== 'done'));
    }
    const epoch = deferred === null ? ((await asked)?.epoch ?? null) : null;
    return {
      state: {
        name: 'publishing',
        whole: { ...whole, fileName },
        verifiedBy: 'digest',
        replaces,
        epoch,
        deferred: null,
      },
    };
  }
  const neededBytes = answer.originalLengthBytes ?? answer.lengthBytes ?? record.totalBytes;
  const taken = await takeIn(context, { ...answer, pieces }, target, asked).catch(async (cause: unknown) => {
    throw await withSpace(cause, target.folder, neededBytes);
  });
  const { verifiedBy, row, ...whole } = taken;
  const epoch = deferred === null ? (row?.epoch ?? null) : null;
  return {
    state: { name: 'publishing', whole: { ...whole, fileName }, verifiedBy, replaces, epoch, deferred: used },
  };
};

function asItIs(body: Readable): Sniffed {
  return { reading: { kind: 'none' }, bytes: new Uint8Array(0), pieces: body };
}

/** A 404 to a direct download says the same as HEAD would. @param gaps of a chunked file */
function missing(error: AppError, row: ObjectRow | null, gaps: Gaps | null = null): Next {
  const history = { action: 'downloadFailed', detail: error.code } as const;
  const seen = { present: false } as const;
  return {
    state: { name: 'failed', error },
    ...(row && { row: { kind: 'seen', seen, epoch: row.epoch, history, ...(gaps && { gaps }) } }),
  };
}

/**
 * Receives the bytes into a temporary file in the target folder, and verifies them. @throws AppFailure; then nothing
 * is left behind
 */
async function takeIn(
  context: StepContext,
  { body, pieces, lengthBytes, originalLengthBytes }: Download & Pick<Sniffed, 'pieces'>,
  target: Target,
  asked: Promise<ObjectRow | null>,
): Promise<Omit<Whole, 'fileName'> & Pick<StateOf<'publishing'>, 'verifiedBy'> & { row: ObjectRow | null }> {
  const { record, signal, files, show } = context;
  const freeing = (cause: unknown): never => {
    body.destroy();
    throw cause;
  };
  const said = [lengthBytes, originalLengthBytes].filter((length) => length !== null);
  const announced = said.length > 0 ? said : await lookAtLength(context).catch(freeing);
  // Known lengths also limit what is received: an endless body must not fill the disk.
  let maxBytes = Math.min(...announced, Number.MAX_SAFE_INTEGER);
  const guard = announced.length === 0 ? createLengthGuard(context, target.folder) : null;
  asked.then(
    (row) => {
      const { lengthBytes } = knownOf(record, row);
      if (lengthBytes !== null && row && !isLengthClaimed(row)) maxBytes = Math.min(maxBytes, lengthBytes);
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
    context.show.verifying();
    const sha256 = await temporaryFile.digest();
    context.show.moved();
    const row = await asked;
    const known = knownOf(record, row);
    const expectedBytes = announced.find((length) => length !== receivedBytes);
    if (expectedBytes !== undefined)
      throw new AppFailure({ code: 'downloadLengthDiffers', expectedBytes, receivedBytes });
    if (known.lengthBytes !== null && known.lengthBytes !== receivedBytes)
      throw new AppFailure(lengthDiffers(row, known.lengthBytes, receivedBytes));
    if (known.sha256 !== null && known.sha256 !== sha256) {
      throw new AppFailure(digestDiffers(row, known.sha256, sha256));
    }
    signal.throwIfAborted();
    await temporaryFile.sync();
    context.files.temporaryFiles.set(record.id, temporaryFile);
    isWhole = true;
    const isLengthKnown = announced.length > 0 || known.lengthBytes !== null;
    const verifiedBy = known.sha256 !== null ? 'digest' : isLengthKnown ? 'length' : 'end';
    return { temporaryPath: temporaryFile.path, lengthBytes: receivedBytes, sha256, verifiedBy, row };
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
 * The length by HEAD, when the download does not announce it because it is chunked or encoded. Empty when HEAD does
 * not say either, the object has gone since, or this token may fetch it but not look at it.
 */
async function lookAtLength(context: StepContext): Promise<number[]> {
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

export const completed: Step<'completed'> = async (_, { deferred }): Promise<Next> => ({
  state: { name: 'receiving', temporaryPath: null, deferred },
  isBehind: true,
});
