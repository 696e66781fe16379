import { basename, dirname } from 'node:path';
import { safeFileName } from '../../../shared/domain/file-name.ts';
import { AppFailure, toAppError, type AppError } from '../../../shared/errors.ts';
import type { ObjectRecord } from '../../../shared/domain/object.ts';
import type { Download } from '../../service/data.ts';
import { codeOf } from '../files/failures.ts';
import { finishPart } from '../files/finish-part.ts';
import type { ProfileFacts } from '../../profiles/connections.ts';
import type { StateOf, TransferRecord, Whole } from '../record.ts';
import { createPart, newPartName, partNameOf, type PartFile, type Target } from '../files/target.ts';
import { rowOf, type Next, type ObjectRow, type Step, type StepContext } from '../step.ts';
import { headObject } from '../verify.ts';

/** Direct download (section 4.1, Download Data), and the fetch of a deferred result (section 4.2). */
export const receive: Step<'receiving'> = async (context, { deferred }) => {
  const { record, client, signal, now } = context;
  // Asked before the request leaves, so it is of before; waited for together with the answer.
  const asked = rowOf(context);
  const answered = context
    .send(() =>
      deferred
        ? client.fetchDataDeferred(deferred.token, { signal })
        : client.downloadData(record.identifier, { signal }),
    )
    .catch((cause: unknown) => {
      const error = toAppError(cause);
      if (deferred || error?.code !== 'missing') throw cause;
      return error;
    });
  const [row, answer] = await bothOf(asked, answered);
  const target = targetOf(record, context.facts, row);
  if ('code' in answer) return missing(answer, row);
  const used = deferred && { ...deferred, usedAt: now() };
  if (used) context.note({ name: 'receiving', partPath: null, deferred: used });
  const known = knownOf(row?.record);
  const { verifiedBy, ...whole } = await takeIn(context, answer, target, known, deferred === null);
  const { replaces, fileName } = target;
  const epoch = deferred === null ? (row?.epoch ?? null) : null;
  return {
    state: { name: 'publishing', whole: { ...whole, fileName }, verifiedBy, replaces, epoch, deferred: used },
  };
};

/** A body that nobody takes would keep its connection. */
async function bothOf(
  asked: Promise<ObjectRow | null>,
  answered: Promise<Download | AppError>,
): Promise<[ObjectRow | null, Download | AppError]> {
  try {
    return await Promise.all([asked, answered]);
  } catch (cause) {
    void answered.then(
      (answer) => 'body' in answer && answer.body.destroy(),
      () => undefined,
    );
    throw cause;
  }
}

/** 404 to a direct download is what HEAD would say. */
function missing(error: AppError, row: ObjectRow | null): Next {
  const history = { action: 'downloadFailed', detail: error.code } as const;
  return {
    state: { name: 'failed', error },
    ...(row && { row: { kind: 'seen', seen: { present: false }, epoch: row.epoch, history } }),
  };
}

/** Takes the bytes into a part beside their place, and proves them. @throws AppFailure; then nothing is left behind */
async function takeIn(
  context: StepContext,
  { body, lengthBytes, originalLengthBytes }: Download,
  target: Target,
  known: Known,
  looks: boolean,
): Promise<Omit<Whole, 'fileName'> & Pick<StateOf<'publishing'>, 'verifiedBy'>> {
  const { record, signal, limits, onProgress } = context;
  // What is known before the first byte also bounds what is taken in: a body that goes on and on fills no disk.
  const announced = [lengthBytes, originalLengthBytes, known.lengthBytes].filter((length) => length !== null);
  const totalBytes = announced[0] ?? null;
  const mostBytes = Math.min(...announced, Number.MAX_SAFE_INTEGER);
  const part = await openPart(target, context).catch((cause: unknown) => {
    body.destroy();
    throw cause;
  });
  let isWhole = false;
  try {
    let receivedBytes = 0;
    onProgress(0, totalBytes);
    for await (const piece of body as AsyncIterable<Uint8Array>) {
      receivedBytes += piece.length;
      if (receivedBytes > mostBytes) break;
      await limits.takeBytes('download', piece.length, signal);
      await part.write(piece);
      onProgress(receivedBytes);
    }
    context.onVerifying();
    if (looks && originalLengthBytes === null && lengthBytes === null) {
      const seen = await headObject(context, record.identifier);
      if (seen.present && seen.lengthBytes !== null) announced.push(seen.lengthBytes);
    }
    const expectedBytes = announced.find((length) => length !== receivedBytes);
    if (expectedBytes !== undefined)
      throw new AppFailure({ code: 'downloadLengthDiffers', expectedBytes, receivedBytes });
    const sha256 = await part.digest();
    context.onMoved();
    if (known.sha256 !== null && known.sha256 !== sha256) {
      throw new AppFailure({ code: 'digestDiffers', expected: known.sha256, actual: sha256 });
    }
    signal.throwIfAborted();
    await part.sync();
    context.parts.set(record.id, part);
    isWhole = true;
    const verifiedBy = known.sha256 !== null ? 'digest' : announced.length > 0 ? 'length' : 'end';
    return { partPath: part.path, lengthBytes: receivedBytes, sha256, verifiedBy };
  } finally {
    if (!isWhole) await part.discard();
  }
}

/** Somebody has the name that is this record's own: any other will do. */
async function openPart(target: Target, { record, installId }: StepContext): Promise<PartFile> {
  try {
    return await createPart(target, partNameOf(target.fileName, partOwner(record, installId)));
  } catch (cause) {
    if (codeOf(cause) !== 'EEXIST') throw cause;
    return createPart(target, newPartName(target.fileName));
  }
}

/** Whose the part of a download is; another Coffer may download into the same folder. */
export function partOwner({ id }: Pick<TransferRecord, 'id'>, installId: string): string {
  return `${installId} ${id}`;
}

/** Gives the part its name, or finds the file under the one it got before a kill. */
export const publish: Step<'publishing'> = async (
  context,
  { whole, verifiedBy, replaces, epoch, deferred },
) => {
  const { record, log, parts } = context;
  context.onVerifying();
  const part = parts.get(record.id);
  const published = part ? await part.publish() : await finishPart(whole, replaces);
  parts.delete(record.id);
  // A power cut took it: the bytes are asked for once more.
  if (published === null) return { state: deferred ? { name: 'completed', deferred } : { name: 'waiting' } };
  if (!published.isDurable) log.warn('a folder could not be flushed to the disk', { transferId: record.id });
  const { lengthBytes, sha256 } = whole;
  const fileName = basename(published.path);
  return {
    state: { name: 'done', outcome: { kind: 'saved', fileName, verifiedBy }, savedPath: published.path },
    change: { totalBytes: lengthBytes },
    row: { kind: 'downloaded', lengthBytes, sha256, epoch, isFresh: record.route === 'direct' },
    isBehind: true,
  };
};

interface Known {
  readonly lengthBytes: number | null;
  readonly sha256: string | null;
}

/** The row of an upload that never arrived holds what was to be stored, not what is. */
function knownOf(row: ObjectRecord | undefined): Known {
  if (!row || row.state === 'uploading' || row.state === 'failed') return { lengthBytes: null, sha256: null };
  return { lengthBytes: row.lengthBytes, sha256: row.sha256 };
}

/** The identifier's last segment is the name; one that ends with the separator has none. */
export function targetOf(record: TransferRecord, facts: ProfileFacts, row: ObjectRow | null): Target {
  const saveAsPath = record.work.kind === 'download' ? record.work.saveAsPath : null;
  if (saveAsPath !== null) {
    return {
      folder: dirname(saveAsPath),
      makesFolder: false,
      fileName: basename(saveAsPath),
      replaces: true,
    };
  }
  const name = record.identifier.split(facts.separator).at(-1) || row?.record.sourceName || '';
  return {
    folder: facts.downloadFolder,
    makesFolder: facts.downloadFolderIsDefault,
    fileName: safeFileName(name),
    replaces: false,
  };
}

export const completed: Step<'completed'> = async (_, { deferred }): Promise<Next> => ({
  state: { name: 'receiving', partPath: null, deferred },
  isBehind: true,
});
