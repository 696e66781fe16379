import { createHash } from 'node:crypto';
import { finished, Readable } from 'node:stream';
import { AppFailure } from '../../shared/app-failure.ts';
import { TimeLimit } from '../lib/timers.ts';

/** A single write that takes longer than the timeout counts as a stall, so pieces are small. */
export const pieceBytes = 64 * 1024;

export interface SentBody {
  stream: Readable;
  /** Bytes of the caller's body that were passed on so far. */
  sentBytes(): number;
  isWhole(): boolean;
  /** The error of the caller's own body; undefined when it did not fail. */
  sourceFailure(): Error | undefined;
  /** Frees everything, including the caller's body. */
  discard(): void;
}

/**
 * Wraps a request body, splits it into small pieces and counts them. Nothing is read ahead: the caller's next piece
 * is requested only when the last one has been sent, so the caller may reuse a piece's memory. It ends at the
 * announced length, not at the end of the caller's body: a service may answer before a file has reached its end, and
 * that body must then finish undisturbed.
 */
export function countSent(body: Readable | AsyncIterable<Uint8Array>, lengthBytes: number | null): SentBody {
  const source = body[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>;
  let left: Uint8Array = new Uint8Array(0);
  let sentBytes = 0;
  let isWhole = false;
  let sourceFailure: Error | undefined;

  // Reads when undici does, which waits for the connection to drain.
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
  // The body may fail before anything is read from it.
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

/**
 * Like `countSent`, for bytes in memory. Also split into pieces, so that a slow connection can be told from a dead
 * one.
 */
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
 * Calls `onStall` when the service has accepted nothing of the body, or has not answered it, for `limitMs`. A slow
 * source is not the service's fault, so only back-pressure counts. After the last piece much of the body may still be
 * buffered, so the limit is extended by the time that sending took.
 * @returns stops watching
 */
export function watchSending(stream: Readable, limitMs: number, onStall: () => void): () => void {
  const limit = new TimeLimit(onStall);
  let startedMs: number | undefined;
  const onPause = () => limit.start(limitMs);
  const onResume = () => {
    startedMs ??= performance.now();
    // The event comes a tick late, and may come after a newer pause.
    if (!stream.isPaused()) limit.cancel();
  };
  const onEnd = () => limit.start(limitMs + performance.now() - (startedMs ?? performance.now()));
  stream.on('pause', onPause).on('resume', onResume).on('end', onEnd);
  return () => {
    limit.cancel();
    stream.off('pause', onPause).off('resume', onResume).off('end', onEnd);
  };
}

/**
 * Wraps a response body: translates its errors and keeps back-pressure. Destroying it frees the connection.
 * @param toFailure builds the error from undici's and the number of bytes received
 */
export function translateReceived(
  body: Readable,
  toFailure: (cause: Error, doneBytes: number) => Error,
): Readable {
  let doneBytes = 0;
  const received = new Readable({
    read: () => void body.resume(),
    destroy(cause, done) {
      body.destroy();
      done(cause);
    },
  });
  // Lighter than a Transform and a pipe, of which there would be one for each small answer.
  body.on('data', (chunk: Buffer) => {
    doneBytes += chunk.length;
    if (!received.push(chunk)) body.pause();
  });
  body.on('end', () => received.push(null));
  body.on('error', (cause) => received.destroy(toFailure(cause, doneBytes)));
  // It may fail before anybody listens; the reader gets the error later.
  received.on('error', () => undefined);
  return received;
}

/** For an answer that has no body: undici's own stream, which has nothing that could fail. Gives its connection back. */
export function skipBody(body: Readable): Readable {
  return body.on('error', () => undefined).resume();
}

/**
 * Reads a response body; undefined when it is larger than `maxBytes`. Rejects with the body's own error. Always ends
 * the body.
 */
export function readBytes(body: Readable, maxBytes: number): Promise<Buffer | undefined> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let sizeBytes = 0;
    finished(body, (error) => (error ? reject(error) : resolve(Buffer.concat(chunks))));
    body.on('data', (chunk: Buffer) => {
      sizeBytes += chunk.length;
      chunks.push(chunk);
      if (sizeBytes <= maxBytes) return;
      resolve(undefined);
      body.destroy();
    });
  });
}

export async function readText(body: Readable, maxBytes: number): Promise<string | undefined> {
  return (await readBytes(body, maxBytes))?.toString('utf8');
}

/**
 * Length and SHA-256 (hex) of a body; null: longer than `maxBytes`, and the rest is not read. Rejects with the body's
 * own error.
 */
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
