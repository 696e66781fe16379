import { createHash } from 'node:crypto';
import { finished, Readable, Transform } from 'node:stream';
import { AppFailure } from '../../shared/app-failure.ts';

/** A write of one piece that takes longer than the timeout counts as a standstill, so pieces are small. */
export const pieceBytes = 64 * 1024;

export interface SentBody {
  stream: Readable;
  /** Bytes of the caller's body that were handed on so far. */
  sentBytes(): number;
  isWhole(): boolean;
  /** What the caller's own body failed with, undefined when it did not. */
  sourceFailure(): Error | undefined;
  /** Frees everything, the caller's body too. */
  discard(): void;
}

/**
 * A request body that counts, in small pieces. The caller is asked for its next piece only when the last one has left, so that
 * it may use a piece's memory again: nothing is read ahead here. It ends with the announced length, not with the caller's body:
 * a service may answer before a file has noticed its end, and that body must then come to its end undisturbed.
 */
export function countSent(body: Readable | AsyncIterable<Uint8Array>, lengthBytes: number | null): SentBody {
  const source = body[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>;
  let left: Uint8Array = new Uint8Array(0);
  let sentBytes = 0;
  let isWhole = false;
  let sourceFailure: Error | undefined;

  // It asks for more when undici does, which waits for the connection to be drained.
  const stream = new Readable({
    highWaterMark: 0,
    read: () => (left.length > 0 ? handOn() : void take()),
  });
  const fail = (error: Error) => {
    if (!stream.destroyed) sourceFailure = error;
    stream.destroy(error);
  };
  function handOn(): void {
    const piece = left.subarray(0, pieceBytes);
    left = left.subarray(piece.length);
    sentBytes += piece.length;
    stream.push(piece);
    if (sentBytes !== lengthBytes) return;
    end();
    source.next().catch(fail);
  }
  function end(): void {
    isWhole = true;
    stream.push(null);
  }
  async function take(): Promise<void> {
    try {
      let taken = await source.next();
      while (taken.done !== true && taken.value.length === 0) taken = await source.next();
      if (taken.done !== true && (lengthBytes === null || sentBytes + taken.value.length <= lengthBytes)) {
        left = taken.value;
        handOn();
      } else if (taken.done === true && (lengthBytes === null || sentBytes === lengthBytes)) end();
      else fail(lengthFailure());
    } catch (cause) {
      fail(cause instanceof Error ? cause : new Error(String(cause)));
    }
  }
  // It may fail before it is asked for anything.
  if (body instanceof Readable) finished(body, { writable: false }, (error) => error && fail(error));
  return {
    stream,
    sentBytes: () => sentBytes,
    isWhole: () => isWhole,
    sourceFailure: () => sourceFailure,
    discard() {
      stream.destroy();
      if (body instanceof Readable) body.destroy();
      else source.return?.().catch(() => undefined);
    },
  };
}

/** As `countSent`, of bytes that are all there: in pieces too, so that a slow connection can be told from a dead one. */
export function sendBytes(bytes: Uint8Array): SentBody {
  let sentBytes = 0;
  const stream = new Readable({
    highWaterMark: pieceBytes,
    read() {
      const piece = bytes.subarray(sentBytes, sentBytes + pieceBytes);
      sentBytes += piece.length;
      this.push(piece.length === 0 ? null : piece);
    },
  });
  stream.on('error', () => undefined);
  return {
    stream,
    sentBytes: () => sentBytes,
    isWhole: () => sentBytes === bytes.length,
    sourceFailure: () => undefined,
    discard: () => void stream.destroy(),
  };
}

export function lengthFailure(): AppFailure {
  return new AppFailure({
    code: 'invalidInput',
    field: 'lengthBytes',
    problem: 'the body has another length',
  });
}

/**
 * Calls `onStall` when the service has taken nothing of the body, or has not answered it, for `limitMs`. A slow source
 * is not the service's fault, so only a full connection counts. After the last piece much of the body may still lie in
 * buffers on the way: it is given as long again as handing it over took.
 * @returns how to stop watching
 */
export function watchSending(stream: Readable, limitMs: number, onStall: () => void): () => void {
  let timer: NodeJS.Timeout | undefined;
  let startedMs: number | undefined;
  const arm = (delayMs: number) => {
    clearTimeout(timer);
    timer = setTimeout(onStall, delayMs);
  };
  const onPause = () => arm(limitMs);
  const onResume = () => {
    startedMs ??= performance.now();
    // The event comes a tick late, and may come after a newer pause.
    if (!stream.isPaused()) clearTimeout(timer);
  };
  const onEnd = () => arm(limitMs + performance.now() - (startedMs ?? performance.now()));
  stream.on('pause', onPause).on('resume', onResume).on('end', onEnd);
  return () => {
    clearTimeout(timer);
    stream.off('pause', onPause).off('resume', onResume).off('end', onEnd);
  };
}

/**
 * A response body with the errors of this project, and with back-pressure. Destroying it frees the connection.
 * @param toFailure makes the error from undici's and the bytes received so far
 */
export function translateReceived(
  body: Readable,
  toFailure: (cause: Error, doneBytes: number) => Error,
): Readable {
  let doneBytes = 0;
  const received = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      doneBytes += chunk.length;
      done(null, chunk);
    },
  });
  body.on('error', (cause) => received.destroy(toFailure(cause, doneBytes)));
  body.pipe(received);
  received.on('close', () => body.destroy());
  // It may fail before its reader has begun to listen; the reader finds the error then.
  received.on('error', () => undefined);
  return received;
}

/**
 * A response body, or undefined when it is larger than `maxBytes`. Rejects with the body's own error. Ends the body in
 * every case.
 */
export async function readBytes(body: Readable, maxBytes: number): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    sizeBytes += chunk.length;
    if (sizeBytes > maxBytes) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** As `readBytes`, as text. */
export async function readText(body: Readable, maxBytes: number): Promise<string | undefined> {
  return (await readBytes(body, maxBytes))?.toString('utf8');
}

/** Length and SHA-256 (hex) of a body; null: it is longer than that, and the rest is not taken. Rejects with the body's own error. */
export async function sumUpBody(
  pieces: AsyncIterable<Uint8Array>,
  maxBytes = Infinity,
): Promise<{ lengthBytes: number; sha256: string } | null> {
  const hash = createHash('sha256');
  let lengthBytes = 0;
  for await (const piece of pieces) {
    lengthBytes += piece.length;
    if (lengthBytes > maxBytes) return null;
    hash.update(piece);
  }
  return { lengthBytes, sha256: hash.digest('hex') };
}
