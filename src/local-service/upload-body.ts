import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';

/** The body is over the limit. Which status that is depends on the operation. */
export class BodyTooLarge extends Error {
  override readonly name = 'BodyTooLarge';
}

/** A remainder up to this size is read and dropped to keep the connection. */
const droppedBytes = 64 * 1024;
const lingerMs = 1000;

/**
 * The body of an upload, with back-pressure. Throws BodyTooLarge before anything is read when the length is declared,
 * else with the first byte over the limit. The connection stays usable for the answer.
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

/** Whether an answer given now leaves more of the body on the wire than is worth reading. */
export function isBodyStillComing(request: IncomingMessage): boolean {
  // Node drops by itself what was never touched; a body left in the middle would block the connection.
  if (request.readableDidRead) return !request.readableEnded;
  if (request.complete) return false;
  if (request.headers['transfer-encoding'] !== undefined) return true;
  return Number(request.headers['content-length'] ?? 0) > droppedBytes;
}

/**
 * The body of an answer that is the last on its connection. Closing a socket with unread bytes resets it, and a reset
 * may overtake the answer: so the answer is whole at once, and its end, with the close, comes a little later.
 */
export async function* answerThenLinger(answer: string): AsyncGenerator<string> {
  yield answer;
  await delay(lingerMs, undefined, { ref: false });
}
