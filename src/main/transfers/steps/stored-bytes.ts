import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { toAppError, AppFailure } from '../../../shared/app-failure.ts';
import { sumUpBody } from '../../service/bodies.ts';
import { sniffManifest } from '../chunks/sniff-manifest.ts';
import type { VaultBytes } from '../undo/sealed.ts';
import type { StepContext } from './step.ts';

/** Streams the bytes of an object within the bandwidth limit; fails if they are not whole. null: it does not exist. */
export async function receive(
  { service, signal, files, show }: StepContext,
  identifier: string,
): Promise<AsyncGenerator<Uint8Array> | null> {
  const answer = await service.get(identifier).catch((cause: unknown) => {
    if (toAppError(cause)?.code === 'missing') return null;
    throw cause;
  });
  if (answer === null) return null;
  const { body, lengthBytes, originalLengthBytes } = answer;
  const expectedBytes = lengthBytes ?? originalLengthBytes;
  return (async function* () {
    let receivedBytes = 0;
    show.progress(0, expectedBytes);
    for await (const piece of body as AsyncIterable<Uint8Array>) {
      await files.takeBytes('download', piece.length, signal);
      receivedBytes += piece.length;
      show.progress(receivedBytes);
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
 * As `bytesAt`, of an object that is stored whole. @throws AppFailure partsShared: the chunks of a chunked file keep
 * their identifiers and classification
 */
export async function wholeAt(context: StepContext, identifier: string): Promise<VaultBytes | null> {
  const received = await receive(context, identifier);
  if (received === null) return null;
  const { reading, pieces } = await sniffManifest(Readable.from(received), identifier);
  const bytes = await sumUpBody(pieces);
  if (reading.kind !== 'none') throw new AppFailure({ code: 'partsShared' });
  return bytes;
}

/** Downloads only when the first piece is requested: a request that is never sent downloads nothing. */
export async function* provenPieces(
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
