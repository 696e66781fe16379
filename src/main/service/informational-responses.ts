import { subscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';

/** A longer head is not a 1xx: leave it to undici. */
const maxHeadBytes = 16 * 1024;
const nothing = Buffer.alloc(0);

/** By connection: what to call when a request is sent on it. */
const onRequest = new WeakMap<object, () => void>();
subscribe('undici:client:sendHeaders', (message) => {
  if (typeof message !== 'object' || message === null || !('socket' in message)) return;
  const { socket } = message;
  if (typeof socket === 'object' && socket !== null) onRequest.get(socket)?.();
});

/**
 * Removes 1xx responses from what a connection receives: undici ends it at an unexpected `100 Continue`, and RFC 9110
 * (15.2) lets a service send any of them before the final response. Only the beginning of a response is examined. 101
 * stays: no protocol changes here, so it is an error.
 */
export function skipInformationalResponses(socket: Socket): Socket {
  const push = socket.push.bind(socket);
  /** The received part of a response head; null: a body, or nothing, is expected. */
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

/** Strips every complete 1xx response. */
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
  // Only 1xx has a `1` there: most responses need not be read as text.
  if (received[9] !== 0x31) return false;
  return /^HTTP\/1\.[01] 1(?!01)\d\d/.test(received.toString('latin1', 0, 12));
}

/** Whether too little has been received to tell. */
function mayBeInterim(received: Buffer): boolean {
  if (received.length >= 12) return isInterim(received) && received.length < maxHeadBytes;
  return /^HTTP\/1\.[01] 1/.test(received.toString('latin1') + 'HTTP/1.1 1'.slice(received.length));
}
