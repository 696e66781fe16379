import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';

/** The body exceeds the limit. The resulting status depends on the operation. */
export class BodyTooLarge extends Error {
  override readonly name = 'BodyTooLarge';
}

/** Up to this many remaining bytes are read and discarded to keep the connection. */
const droppedBytes = 64 * 1024;
const lingerMs = 1000;

/**
 * The body of an upload, with back-pressure. Throws BodyTooLarge before reading if the length is declared, else at
 * the first byte over the limit. The connection can still be used for the answer.
 */
export function readBody(
  request: IncomingMessage,
  response: ServerResponse,
  limitBytes: number,
): AsyncIterable<Uint8Array> {
  if (Number(request.headers['content-length'] ?? 0) > limitBytes) throw new BodyTooLarge();
  if (request.headers.expect !== undefined) response.writeContinue();
  return limit(request, limitBytes);
}

async function* limit(request: IncomingMessage, limitBytes: number): AsyncGenerator<Uint8Array> {
  let receivedBytes = 0;
  const chunks: AsyncIterable<Uint8Array> = request.iterator({ destroyOnReturn: false });
  for await (const chunk of chunks) {
    receivedBytes += chunk.length;
    if (receivedBytes > limitBytes) throw new BodyTooLarge();
    yield chunk;
  }
}

/** Whether so much of the body is still to come that reading it is not worth it. */
export function isBodyStillComing(request: IncomingMessage): boolean {
  // Node discards an untouched body; a partly read one would block the connection.
  if (request.readableDidRead) return !request.readableEnded;
  if (request.complete) return false;
  if (request.headers['transfer-encoding'] !== undefined) return true;
  return Number(request.headers['content-length'] ?? 0) > droppedBytes;
}

/**
 * Sends the last answer on a connection. Closing a socket with unread bytes resets it, and a reset may overtake the answer: so
 * the answer is sent at once, and its end, with the close, a little later.
 */
export async function endAfterLinger(response: ServerResponse, body: string): Promise<void> {
  response.write(body);
  await delay(lingerMs, undefined, { ref: false });
  response.end();
}
