import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { ownPort } from './own-port.ts';

/**
 * A small, correct service (section 4.1 of the interface, in memory) behind a faulty connection: injects faults
 * between service and client on request, at an exact byte.
 */
export interface Fault {
  /** Answer this status without reading the body or carrying out the request. */
  status?: number;
  headers?: Record<string, string>;
  body?: string;
  /** Ends the connection after this many bytes of the request's body; the request has no effect. */
  cutRequestAtBytes?: number;
  /** Ends the connection after this many bytes of the response, headers included. 0: carried out, never answered. */
  cutAnswerAtBytes?: number;
  /** How the client sees the cut: `stall` goes on reading, `hold` stops reading. Default `end`. */
  cutBy?: 'end' | 'reset' | 'stall' | 'hold';
  /** Compresses the response body; Content-Length is the compressed length. */
  contentEncoding?: 'gzip';
  /** How the end of the response body is marked. Default `length`. */
  framing?: 'length' | 'chunked' | 'close';
  /** Overrides Content-Length, whatever is sent. */
  contentLengthBytes?: number;
  /** Overrides `x-orginal-length`; null: omits it. */
  originalLengthBytes?: number | null;
  /** Sends `x-orginal-length` with GET as well. */
  originalLengthOnGet?: boolean;
  /** Offset of the byte of the response body to change. */
  corruptAtByte?: number;
  /** Stores only this many bytes of an upload, and answers success. */
  storeOnlyBytes?: number;
  /** Sends the response in pieces with pauses between them. */
  drip?: { pieceBytes: number; pauseMs: number };
  /** Reads none of the request's body until this returns true. */
  holdRequest?: () => boolean;
  /** Sends the first half of the response, and the rest once this returns true. */
  holdAnswer?: () => boolean;
  /** Runs when the request is carried out and not yet answered. */
  beforeAnswer?: () => Promise<void>;
  /** Delay before the response. */
  delayMs?: number;
  /** Sent in the response to a stored upload. */
  activityToken?: string;
}

export interface FaultyRequest {
  readonly method: string;
  readonly identifier: string;
  /** Count of requests with this method and identifier, from 1. */
  readonly number: number;
}

export interface StoredObject {
  bytes: Buffer;
  classification: string | null;
}

export interface FaultServer {
  readonly baseAddress: string;
  readonly objects: Map<string, StoredObject>;
  /** Every request received, in order. */
  readonly requests: FaultyRequest[];
  /** The accepted token; may be changed. */
  token: string;
  /** The fault for a request; may be changed. */
  plan: (request: FaultyRequest) => Fault | null;
  openConnections(): number;
  /** Closes connections without a pending response, including data on them that is not read yet. */
  closeIdleConnections(): void;
  /** Uploads received and not answered yet. */
  openUploads: () => number;
  /** Bytes of upload bodies received, complete or not. */
  receivedBytes(): number;
  close(): Promise<void>;
}

interface Answer {
  status: number;
  headers: Record<string, string>;
  body: Buffer;
}

export async function startFaultServer(
  options: Partial<Pick<FaultServer, 'token' | 'plan' | 'objects'>> & { port?: number } = {},
): Promise<FaultServer> {
  const sockets = new Set<Socket>();
  const counts = new Map<string, number>();
  let openUploads = 0;
  let receivedBytes = 0;
  const countBytes = (bytes: number) => (receivedBytes += bytes);
  const http = createServer((request, response) => {
    // Reading fails when the client ends the connection: there is nobody to respond to.
    handle(request, response).catch(() => request.socket.destroy());
  });
  http.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
  });
  http.listen(options.port ?? (await ownPort()), '127.0.0.1');
  await once(http, 'listening');
  const { port } = http.address() as AddressInfo;

  const server: FaultServer = {
    baseAddress: `http://127.0.0.1:${port}`,
    objects: options.objects ?? new Map(),
    requests: [],
    token: options.token ?? 'good-token',
    plan: options.plan ?? (() => null),
    openConnections: () => sockets.size,
    closeIdleConnections: () => http.closeIdleConnections(),
    openUploads: () => openUploads,
    receivedBytes: () => receivedBytes,
    async close() {
      const closed = new Promise((resolve) => http.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '/', server.baseAddress);
    const identifier = decodeURIComponent(pathname.replace(/^\/api\/data\//, ''));
    const method = request.method ?? '';
    const key = `${method} ${identifier}`;
    const number = (counts.get(key) ?? 0) + 1;
    counts.set(key, number);
    server.requests.push({ method, identifier, number });
    const fault = server.plan({ method, identifier, number });
    let isUpload = method === 'POST';
    if (isUpload) openUploads += 1;
    const endUpload = () => {
      if (isUpload) openUploads -= 1;
      isUpload = false;
    };
    response.once('close', endUpload);

    while (fault?.holdRequest && !fault.holdRequest()) {
      await setTimeout(5);
      // The client has gone.
      if (request.socket.destroyed) return;
    }
    if (fault?.cutRequestAtBytes !== undefined) {
      await readBody(request, fault.cutRequestAtBytes, countBytes);
      cut(request, fault);
      return;
    }
    const answer = await answerOf(request, identifier, searchParams.get('classstr'), fault ?? {});
    await fault?.beforeAnswer?.();
    if (fault?.delayMs !== undefined) await setTimeout(fault.delayMs);
    // Before the response: the client may start another upload as soon as it has it.
    endUpload();
    if (fault) await sendBadly(request, answer, fault);
    else response.writeHead(answer.status, answer.headers).end(method === 'HEAD' ? undefined : answer.body);
  }

  async function answerOf(
    request: IncomingMessage,
    identifier: string,
    classification: string | null,
    fault: Fault,
  ): Promise<Answer> {
    if (fault.status !== undefined) {
      return { status: fault.status, headers: fault.headers ?? {}, body: Buffer.from(fault.body ?? '') };
    }
    if (request.headers.authorization !== `Bearer ${server.token}`) return result(401, false, 'unauthorized');
    const stored = server.objects.get(identifier);
    if (request.method === 'POST') {
      const bytes = await readBody(request, Infinity, countBytes);
      // Another request may have stored it while the body arrived.
      if (server.objects.has(identifier)) return result(409, false, 'exists in the metadata store');
      server.objects.set(identifier, { bytes: bytes.subarray(0, fault.storeOnlyBytes), classification });
      return result(200, true, 'put completed', fault.activityToken);
    }
    if (!stored) return result(404, false, 'not found');
    if (request.method === 'DELETE') {
      server.objects.delete(identifier);
      return result(200, true, 'delete completed');
    }
    const carriesLength = request.method === 'HEAD' || fault.originalLengthOnGet === true;
    const { originalLengthBytes = stored.bytes.length } = fault;
    return {
      status: 200,
      headers: {
        'content-type': 'application/octet-stream',
        ...(carriesLength &&
          originalLengthBytes !== null && { 'x-orginal-length': String(originalLengthBytes) }),
        ...(request.method === 'GET' && { 'content-length': String(stored.bytes.length) }),
      },
      body: stored.bytes,
    };
  }

  return server;
}

function result(
  status: number,
  success: boolean,
  message: string,
  activityToken = `activity-${status}`,
): Answer {
  const body = Buffer.from(JSON.stringify({ success, status, message, activityToken }));
  return {
    status,
    headers: { 'content-type': 'application/json', 'content-length': String(body.length) },
    body,
  };
}

async function readBody(
  request: IncomingMessage,
  atMostBytes: number,
  onBytes: (bytes: number) => void,
): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let sizeBytes = 0;
  if (atMostBytes === 0) return Buffer.alloc(0);
  return new Promise((resolve, reject) => {
    const take = (piece: Buffer) => {
      pieces.push(piece);
      onBytes(piece.length);
      sizeBytes += piece.length;
      if (sizeBytes < atMostBytes) return;
      // `cut` may read on; those bytes are dropped and must not pause the request again.
      request.off('data', take).pause();
      resolve(Buffer.concat(pieces));
    };
    request.on('data', take);
    request.on('end', () => resolve(Buffer.concat(pieces)));
    request.on('error', reject);
  });
}

/** Writes to the socket, since Node's own response rejects invalid ones. The connection is not reused. */
async function sendBadly(request: IncomingMessage, answer: Answer, fault: Fault): Promise<void> {
  const { socket } = request;
  const wire = wireOf(answer, fault, request.method === 'HEAD').subarray(0, fault.cutAnswerAtBytes);
  const half = Math.ceil(wire.length / 2) || 1;
  const { pieceBytes, pauseMs } = fault.drip ?? { pieceBytes: half, pauseMs: 0 };
  for (let start = 0; start < wire.length && !socket.destroyed; start += pieceBytes) {
    while (start >= half && fault.holdAnswer?.() === false && !socket.destroyed) await setTimeout(5);
    await new Promise((resolve) => socket.write(wire.subarray(start, start + pieceBytes), resolve));
    if (pauseMs > 0) await setTimeout(pauseMs);
  }
  if (fault.cutAnswerAtBytes === undefined) {
    // An unread body would turn the end of the connection into a reset.
    request.resume();
    socket.end();
  } else {
    cut(request, fault);
  }
}

function wireOf(answer: Answer, fault: Fault, isHead: boolean): Buffer {
  const { contentEncoding } = fault;
  const sent = isHead ? '' : answer.body;
  const body = Buffer.from(contentEncoding && !isHead ? gzipSync(sent) : sent);
  if (fault.corruptAtByte !== undefined && body.length > 0) {
    const at = fault.corruptAtByte % body.length;
    body[at] = (body[at] ?? 0) ^ 1;
  }
  const { framing = 'length', contentLengthBytes = body.length } = fault;
  const headers: Record<string, string> = { ...answer.headers, connection: 'close' };
  delete headers['content-length'];
  if (contentEncoding) headers['content-encoding'] = contentEncoding;
  if (framing === 'length') headers['content-length'] = String(contentLengthBytes);
  if (framing === 'chunked') headers['transfer-encoding'] = 'chunked';
  const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const parts = [Buffer.from(`HTTP/1.1 ${answer.status} Status\r\n${head.join('')}\r\n`)];
  if (framing === 'chunked' && !isHead) {
    if (body.length > 0)
      parts.push(Buffer.from(`${body.length.toString(16)}\r\n`), body, Buffer.from('\r\n'));
    parts.push(Buffer.from('0\r\n\r\n'));
  } else {
    parts.push(body);
  }
  return Buffer.concat(parts);
}

function cut(request: IncomingMessage, { cutBy = 'end' }: Fault): void {
  if (cutBy === 'reset') request.socket.resetAndDestroy();
  if (cutBy === 'end') request.socket.destroySoon();
  // A socket that is not read from never notices that the client has gone.
  if (cutBy === 'stall') request.resume();
}
