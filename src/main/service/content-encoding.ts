import type { Readable, Transform } from 'node:stream';
import { createBrotliDecompress, createUnzip } from 'node:zlib';
import { AppFailure } from '../../shared/app-failure.ts';
import { unexpected, type Headers } from './responses.ts';
import { translateReceived } from './bodies.ts';

const decoders: Readonly<Record<string, () => Transform>> = {
  gzip: createUnzip,
  'x-gzip': createUnzip,
  deflate: createUnzip,
  br: createBrotliDecompress,
};

/** The encoding as named in the response; null: the body is not encoded. */
export function encodingOf(headers: Headers): string | null {
  const names = String(headers['content-encoding'] ?? '')
    .split(',')
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== '' && name !== 'identity');
  return names.length === 0 ? null : names.join(', ');
}

/**
 * Decodes a body. The result fails with the error of `received`, or with unexpectedAnswer when it cannot be decoded
 * to its end. null: unknown encoding, and `received` is destroyed.
 */
export function decodeReceived(received: Readable, status: number, encoding: string): Readable | null {
  const decoder = decoders[encoding]?.();
  if (!decoder) {
    received.destroy();
    return null;
  }
  received.on('error', (cause) => decoder.destroy(cause));
  decoder.on('close', () => received.destroy());
  return translateReceived(received.pipe(decoder), (cause) =>
    cause instanceof AppFailure
      ? cause
      : unexpected(status, `content-encoding ${encoding}: ${cause.message}`),
  );
}

export function unknownEncoding(status: number, encoding: string | null): AppFailure {
  const named = encoding?.slice(0, 50) ?? '';
  return new AppFailure({
    code: 'unexpectedAnswer',
    status,
    problem: `content-encoding: ${named}`,
    encoding: named,
  });
}
