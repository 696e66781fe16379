import { hash } from 'node:crypto';
import { AppFailure } from '../../shared/app-failure.ts';
import { constants, open, stat, type BigIntStats, type FileHandle } from './fs.ts';
import { openDigest } from './digest.ts';
import { sourceFailureOf } from './file-system.ts';
import { identityOf, isAsExpected, isSameState, type Expected } from './file-state.ts';
import { borrowPiece, pieceBytes, returnPiece, threadFromBytes } from './buffer-pool.ts';
import { type BodyOptions, readPieces, type SourceFile } from './source-file.ts';
import { isGenerated } from './read-whole.ts';
import { openSmallSource } from './small-source.ts';
import { untilAborted } from '../lib/async.ts';

/**
 * @param expected the file as the person saw it; null: any state
 * @param slice the bytes to send; undefined: the whole file, which is read when it is opened if it is small; null:
 * the whole file, read only on demand
 * @throws AppFailure fileGone, fileUnreadable, fileSpecial, fileChanged
 */
export async function openSource(
  path: string,
  fileName: string,
  expected: Expected | null,
  slice?: { readonly offsetBytes: number; readonly lengthBytes: number } | null,
): Promise<SourceFile> {
  if (expected && expected.sizeBytes <= pieceBytes && slice === undefined)
    return openSmallSource(path, fileName, expected);
  const explain = (cause: unknown) => {
    throw sourceFailureOf(cause, fileName);
  };
  // Do not follow a link put in the file's place, or wait for a pipe.
  const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
  const handle = await open(path, flags).catch(explain);
  try {
    const before = await handle.stat({ bigint: true });
    if (!before.isFile() || (await isGenerated(handle, before)))
      throw new AppFailure({ code: 'fileSpecial', fileName });
    const identity = identityOf(before);
    const { offsetBytes, lengthBytes } = slice ?? { offsetBytes: 0, lengthBytes: identity.sizeBytes };
    if ((expected && !isAsExpected(identity, expected)) || offsetBytes + lengthBytes > identity.sizeBytes)
      throw new AppFailure({ code: 'fileChanged', fileName });
    return createSource({ handle, before, path, fileName, offsetBytes, sizeBytes: lengthBytes });
  } catch (cause) {
    await handle.close();
    return explain(cause);
  }
}

interface Opened {
  readonly handle: FileHandle;
  readonly before: BigIntStats;
  readonly path: string;
  readonly fileName: string;
  readonly offsetBytes: number;
  readonly sizeBytes: number;
}

function createSource({ handle, before, path, fileName, offsetBytes, sizeBytes }: Opened): SourceFile {
  let sha256: string | Promise<string> | null = null;

  async function hasChanged(): Promise<boolean> {
    // Deleting the file changes nothing that was read; another file under its name counts as a change.
    const now =
      (await stat(path, { bigint: true }).catch(() => null)) ?? (await handle.stat({ bigint: true }));
    return !isSameState(before, now);
  }

  /** @throws AppFailure fileChanged when the file is shorter */
  async function fill(into: Uint8Array, startBytes: number): Promise<void> {
    for (let filledBytes = 0; filledBytes < into.length;) {
      const { bytesRead } = await handle.read(
        into,
        filledBytes,
        into.length - filledBytes,
        offsetBytes + startBytes + filledBytes,
      );
      if (bytesRead === 0) throw new AppFailure({ code: 'fileChanged', fileName });
      filledBytes += bytesRead;
    }
  }

  async function requireUnchanged(): Promise<void> {
    if (await hasChanged()) throw new AppFailure({ code: 'fileChanged', fileName });
  }

  async function readWhole({ take, onProgress, signal }: BodyOptions): Promise<Uint8Array> {
    await untilAborted(take?.(sizeBytes), signal);
    const bytes = Buffer.allocUnsafeSlow(sizeBytes);
    await untilAborted(fill(bytes, 0), signal);
    await untilAborted(requireUnchanged(), signal);
    sha256 = sizeBytes > threadFromBytes ? digestInThread(bytes) : hash('sha256', bytes, 'hex');
    onProgress(sizeBytes);
    return bytes;
  }

  /** Hashes a copy: there is no sign that a body has been sent, so the original memory cannot be shared. */
  function digestInThread(bytes: Uint8Array): Promise<string> {
    const memory = borrowPiece();
    const piece = memory.subarray(0, bytes.length);
    piece.set(bytes);
    const digest = openDigest();
    void digest
      .add(piece)
      .then(() => returnPiece(memory))
      .catch(() => undefined);
    return digest.end();
  }

  async function* readInPieces(options: BodyOptions): AsyncGenerator<Uint8Array> {
    const onDigest = (digest: Promise<string>) => {
      sha256 = digest;
    };
    try {
      yield* readPieces({ ...options, sizeBytes, fill, beforeLast: requireUnchanged, onDigest });
    } catch (cause) {
      throw bodyFailureOf(cause, options.signal);
    }
  }

  /** After an abort its reason counts, whatever else failed because of it. */
  function bodyFailureOf(cause: unknown, signal: AbortSignal): unknown {
    return signal.aborted ? signal.reason : sourceFailureOf(cause, fileName);
  }

  return {
    sizeBytes,
    identity: identityOf(before),
    async body(options) {
      sha256 = null;
      if (sizeBytes > pieceBytes) return readInPieces(options);
      return readWhole(options).catch((cause: unknown) => {
        throw bodyFailureOf(cause, options.signal);
      });
    },
    sha256: async () => sha256,
    hasChanged,
    close: () => handle.close(),
  };
}

/** SHA-256 in hex of all its bytes. @throws as `body`, the signal's reason */
export async function readThrough(source: SourceFile, signal: AbortSignal): Promise<string | null> {
  const body = await source.body({ signal, onProgress: () => undefined });
  if (!(body instanceof Uint8Array)) for await (const piece of body) void piece;
  signal.throwIfAborted();
  return source.sha256();
}

/** SHA-256 in hex of a whole file in the expected state. @throws as `openSource` and `body`, the signal's reason */
export async function digestOf(
  path: string,
  fileName: string,
  expected: Expected | null,
  signal: AbortSignal,
): Promise<string> {
  const source = await openSource(path, fileName, expected);
  try {
    const sha256 = await readThrough(source, signal);
    if (sha256 === null) throw new AppFailure({ code: 'fileChanged', fileName });
    return sha256;
  } finally {
    await source.close();
  }
}
