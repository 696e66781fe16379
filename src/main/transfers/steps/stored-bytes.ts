import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { toAppError, AppFailure } from '../../../shared/app-failure.ts';
import type { SourceFile } from '../../local-files/source-file.ts';
import { sumUpBody } from '../../service/bodies.ts';
import { sniffManifest } from '../parts/read-manifest.ts';
import type { StepContext } from '../parts/step-context.ts';
import type { WorkOf } from '../model/next.ts';
import type { VaultBytes } from '../undo/sealed.ts';

/** Bytes at the service: read, compared, and copied to another identifier without being stored here. */

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
 * As `bytesAt`, of an object that is stored whole. @throws AppFailure partsShared: the parts of a file in parts keep
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
  const { service } = context;
  const body = provenPieces(context, from, expected);
  const options = { lengthBytes: expected.lengthBytes, classification };
  return unlessThere(() => service.post(to, body, options));
}

/** false: `store` was refused, because the identifier exists already. */
export async function unlessThere(store: () => Promise<unknown>): Promise<boolean> {
  try {
    await store();
    return true;
  } catch (cause) {
    if (toAppError(cause)?.code === 'exists') return false;
    throw cause;
  }
}

/**
 * Opens an object as the source of an upload. It is read twice: for its digest, and to be sent; the last piece is
 * sent only if both reads agree. @throws AppFailure moveChanged: it is gone, or not what the list knows; partsShared;
 * CircuitOpen
 */
export async function openStored(
  context: StepContext,
  { identifier, base }: NonNullable<WorkOf<'upload'>['moves']>,
): Promise<SourceFile> {
  const there = await wholeAt(context, identifier);
  if (there === null || (base !== null && !isSame(there, base))) throw changed(identifier);
  return sourceOf(context, identifier, there);
}

const changed = (identifier: string) => new AppFailure({ code: 'moveChanged', identifier });

function sourceOf(context: StepContext, identifier: string, bytes: VaultBytes): SourceFile {
  let isSent = false;
  let opened: AsyncGenerator<Uint8Array> | null = null;
  return {
    sizeBytes: bytes.lengthBytes,
    identity: { sizeBytes: bytes.lengthBytes, mtimeMs: 0, inode: '' },
    async body({ take, onProgress }) {
      const pieces = provenPieces(context, identifier, bytes);
      opened = pieces;
      return (async function* () {
        let sentBytes = 0;
        try {
          for await (const piece of pieces) {
            await take?.(piece.length);
            yield piece;
            sentBytes += piece.length;
            onProgress(sentBytes);
          }
          isSent = true;
        } catch (cause) {
          const code = toAppError(cause)?.code;
          throw code === 'digestDiffers' || code === 'missing' ? changed(identifier) : cause;
        }
      })();
    },
    sha256: async () => (isSent ? bytes.sha256 : null),
    hasChanged: async () => false,
    async close() {
      // Ends a download whose rest is not needed. Not awaited: it may wait for a piece.
      void opened?.return(undefined).catch(() => undefined);
    },
  };
}
