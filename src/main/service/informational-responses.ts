import { subscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';

/** More head than this is nobody's 1xx: undici judges it. */
const maxHeadBytes = 16 * 1024;
const nothing = Buffer.alloc(0);

/** What to do on each connection when a request leaves on it. */
const onRequest = new WeakMap<object, () => void>();
subscribe('undici:client:sendHeaders', (message) => {
  if (typeof message !== 'object' || message === null || !('socket' in message)) return;
  const { socket } = message;
  if (typeof socket === 'object' && socket !== null) onRequest.get(socket)?.();
});

/**
 * Takes 1xx answers out of what a connection receives, since undici ends it at a `100 Continue` that was not asked for,
 * and RFC 9110 (15.2) lets a service send any of them before the final answer. Only what begins an answer is looked at.
 * 101 stays: nothing here changes its protocol, so it is an error.
 */
export function skipInformationalResponses(socket: Socket): Socket {
  const push = socket.push.bind(socket);
  /** What has come of an answer's head; null: its body, or nothing, is expected. */
  let head: Buffer | null = null;
  onRequest.set(socket, () => {
    head = nothing;
  });

  socket.push = (chunk: Buffer | null, encoding?: BufferEncoding): boolean => {
    if (head === null) return push(chunk, encoding);
    if (chunk === null) {
      if (head.length > 0) push(head);
      head = null;
      return push(null);
    }
    head = withoutInterim(head.length === 0 ? chunk : Buffer.concat([head, chunk]));
    if (head.length === 0 || mayBeInterim(head)) return true;
    const answer = head;
    head = null;
    return push(answer);
  };
  return socket;
}

/** What is left when every 1xx that is whole is taken off. */
function withoutInterim(received: Buffer): Buffer {
  let rest = received;
  while (isInterim(rest)) {
    const endsAt = rest.indexOf('\r\n\r\n');
    if (endsAt === -1) break;
    rest = rest.subarray(endsAt + 4);
  }
  return rest;
}

function isInterim(received: Buffer): boolean {
  return /^HTTP\/1\.[01] 1(?!01)\d\d/.test(received.toString('latin1', 0, 12));
}

/** More of it has to come before anything can be said. */
function mayBeInterim(received: Buffer): boolean {
  if (received.length >= 12) return isInterim(received) && received.length < maxHeadBytes;
  return /^HTTP\/1\.[01] 1/.test(received.toString('latin1') + 'HTTP/1.1 1'.slice(received.length));
}
