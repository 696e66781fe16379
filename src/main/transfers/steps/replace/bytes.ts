import { createHash } from 'node:crypto';
import { toAppError, AppFailure } from '../../../../shared/app-failure.ts';
import { sumUpBody } from '../../../service/bodies.ts';
import type { VaultBytes } from '../../undo/sealed-source.ts';
import type { Replace } from '../../model/record.ts';
import type { StepContext } from '../step.ts';
import { workOf } from '../../model/next.ts';
import { sendFile } from '../upload.ts';

/** Streams the bytes of an object within the bandwidth limit; fails if they are not whole. null: it does not exist. */
export async function receive(
  { send, client, signal, limits, onProgress }: StepContext,
  identifier: string,
): Promise<AsyncGenerator<Uint8Array> | null> {
  const answer = await send(() => client.downloadData(identifier, { signal })).catch((cause: unknown) => {
    if (toAppError(cause)?.code === 'missing') return null;
    throw cause;
  });
  if (answer === null) return null;
  const { body, lengthBytes, originalLengthBytes } = answer;
  const expectedBytes = lengthBytes ?? originalLengthBytes;
  return (async function* () {
    let receivedBytes = 0;
    onProgress(0, expectedBytes);
    for await (const piece of body as AsyncIterable<Uint8Array>) {
      await limits.takeBytes('download', piece.length, signal);
      receivedBytes += piece.length;
      onProgress(receivedBytes);
      yield piece;
    }
    if (expectedBytes !== null && receivedBytes !== expectedBytes)
      throw new AppFailure({ code: 'downloadLengthDiffers', expectedBytes, receivedBytes });
  })();
}

/** Length and digest of the stored bytes; null: no object. @throws CircuitOpen, AppFailure */
export async function bytesAt(context: StepContext, identifier: string): Promise<VaultBytes | null> {
  const pieces = await receive(context, identifier);
  return pieces && sumUpBody(pieces);
}

export function isSame(one: VaultBytes | null, other: VaultBytes | null): boolean {
  return one !== null && other !== null && one.sha256 === other.sha256;
}

/**
 * Stores the new bytes there, from this computer or from the copy beside the object. false: the identifier exists
 * already.
 * @throws CircuitOpen, AppFailure; fileChanged when the file has changed since the Replace began
 */
export async function storeMine(
  context: StepContext,
  { mine, staged }: Replace,
  identifier: string,
): Promise<boolean> {
  const { client, record } = context;
  const work = workOf(context, 'upload');
  if (mine === null) throw new Error('a Replace stores what it has not seen');
  const isAtService = mine.file === null && (identifier !== staged || work.reclassifies === true);
  if (isAtService && identifier === staged)
    return copyBeside(context, record.identifier, mine, identifier, work.classification).catch(asChanged);
  if (isAtService && staged !== null)
    return copyBeside(context, staged, mine, identifier, work.classification);
  return unlessThere(async () => {
    const { sent } = await sendFile(context, identifier, (body, options) =>
      client.uploadData(identifier, body, options),
    );
    if (sent.sha256 !== mine.sha256) throw new AppFailure({ code: 'fileChanged', fileName: work.fileName });
  });
}

/**
 * Copies an object to another identifier without storing it here. The last piece is sent only when all bytes were the
 * expected ones, so that nothing else is ever stored. false: the identifier exists already. @throws digestDiffers,
 * missing
 */
export async function copyBeside(
  context: StepContext,
  from: string,
  expected: VaultBytes,
  to: string,
  classification: string | null,
): Promise<boolean> {
  const { client, send, signal } = context;
  const body = provenPieces(context, from, expected);
  const options = { lengthBytes: expected.lengthBytes, classification, signal };
  return unlessThere(() => send(() => client.uploadData(to, body, options)));
}

function asChanged(cause: unknown): never {
  const code = toAppError(cause)?.code;
  if (code === 'digestDiffers' || code === 'missing')
    throw new AppFailure({ code: 'objectChanged', copy: null }, { cause });
  throw cause;
}

async function unlessThere(store: () => Promise<unknown>): Promise<boolean> {
  try {
    await store();
    return true;
  } catch (cause) {
    if (toAppError(cause)?.code === 'exists') return false;
    throw cause;
  }
}

/** Downloads only when the first piece is requested: a request that is never sent downloads nothing. */
async function* provenPieces(
  context: StepContext,
  from: string,
  { sha256, lengthBytes }: VaultBytes,
): AsyncGenerator<Uint8Array> {
  const pieces = await receive(context, from);
  if (pieces === null) throw new AppFailure({ code: 'missing', status: 404 });
  const hash = createHash('sha256');
  let held: Uint8Array | null = null;
  let receivedBytes = 0;
  for await (const piece of pieces) {
    if (held !== null) yield held;
    held = Uint8Array.from(piece);
    receivedBytes += piece.length;
    hash.update(piece);
  }
  const actual = hash.digest('hex');
  if (actual !== sha256 || receivedBytes !== lengthBytes)
    throw new AppFailure({ code: 'digestDiffers', expected: sha256, actual });
  if (held !== null) yield held;
}
