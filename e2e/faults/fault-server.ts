import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';

/**
 * A service that is correct and small, section 4.1 of the interface in memory, behind a way that is not: whatever may
 * go wrong between it and a client goes wrong here, on request and at an exact byte.
 */
export interface Fault {
  /** Answered instead of carrying the request out; its body is not read. */
  status?: number;
  headers?: Record<string, string>;
  body?: string;
  /** Ends the connection when so many bytes of the request's body have come; it has no effect. */
  cutRequestAtBytes?: number;
  /** Ends the connection after so many bytes of the answer, its head included. 0: carried out and never answered. */
  cutAnswerAtBytes?: number;
  /** How a cut looks like from the other side: `stall` takes what comes, `hold` takes nothing more. Default `end`. */
  cutBy?: 'end' | 'reset' | 'stall' | 'hold';
  /** The answer's body is compressed, and its Content-Length is of that. */
  contentEncoding?: 'gzip';
  /** How the end of the answer's body is told. Default `length`. */
  framing?: 'length' | 'chunked' | 'close';
  /** Said as Content-Length, whatever is sent. */
  contentLengthBytes?: number;
  /** Said as `x-orginal-length`; null: not said. */
  originalLengthBytes?: number | null;
  /** GET carries `x-orginal-length` too. */
  originalLengthOnGet?: boolean;
  /** Of an answer's body, this byte is another one. */
  corruptAtByte?: number;
  /** An upload is stored only up to here, and success is answered. */
  storeOnlyBytes?: number;
  /** The answer comes in pieces of so many bytes, with a pause between. */
  drip?: { pieceBytes: number; pauseMs: number };
  /** Nothing of the request's body is taken before this is true. */
  holdRequest?: () => boolean;
  /** Before the answer. */
  delayMs?: number;
  /** Answered to an upload that was stored. */
  activityToken?: string;
}

export interface FaultyRequest {
  readonly method: string;
  readonly identifier: string;
  /** 1 for the first with this method and identifier. */
  readonly number: number;
}

export interface StoredObject {
  bytes: Buffer;
  classification: string | null;
}

export interface FaultServer {
  readonly baseAddress: string;
  readonly objects: Map<string, StoredObject>;
  /** Every request that came, in order. */
  readonly requests: FaultyRequest[];
  /** The token that is taken; may be changed. */
  token: string;
  /** What goes wrong; may be changed. */
  plan: (request: FaultyRequest) => Fault | null;
  openConnections(): number;
  /** Uploads under way: they came, and are not answered yet. */
  openUploads: () => number;
  /** Of the bodies of uploads, whole or not. */
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
    // A request that is cut from the other side fails while it is read; nobody is left to be told.
    handle(request, response).catch(() => request.socket.destroy());
  });
  http.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => http.listen(options.port ?? 0, '127.0.0.1', resolve));
  const { port } = http.address() as AddressInfo;

  const server: FaultServer = {
    baseAddress: `http://127.0.0.1:${port}`,
    objects: options.objects ?? new Map(),
    requests: [],
    token: options.token ?? 'good-token',
    plan: options.plan ?? (() => null),
    openConnections: () => sockets.size,
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
      // Nobody waits for the answer any more.
      if (request.socket.destroyed) return;
    }
    if (fault?.cutRequestAtBytes !== undefined) {
      await readBody(request, fault.cutRequestAtBytes, countBytes);
      cut(request, fault);
      return;
    }
    const answer = await answerOf(request, identifier, searchParams.get('classstr'), fault ?? {});
    if (fault?.delayMs !== undefined) await setTimeout(fault.delayMs);
    // The other side may begin another as soon as it has the answer.
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
      // Another may have stored it while the body came.
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
      // What `cut` lets come after this is dropped, and must not pause the request again.
      request.off('data', take).pause();
      resolve(Buffer.concat(pieces));
    };
    request.on('data', take);
    request.on('end', () => resolve(Buffer.concat(pieces)));
    request.on('error', reject);
  });
}

/** Past Node's own writer, which would not let a wrong answer out. The connection is not used again. */
async function sendBadly(request: IncomingMessage, answer: Answer, fault: Fault): Promise<void> {
  const { socket } = request;
  const wire = wireOf(answer, fault, request.method === 'HEAD').subarray(0, fault.cutAnswerAtBytes);
  const { pieceBytes, pauseMs } = fault.drip ?? { pieceBytes: wire.length || 1, pauseMs: 0 };
  for (let start = 0; start < wire.length && !socket.destroyed; start += pieceBytes) {
    await new Promise((resolve) => socket.write(wire.subarray(start, start + pieceBytes), resolve));
    if (pauseMs > 0) await setTimeout(pauseMs);
  }
  if (fault.cutAnswerAtBytes === undefined) {
    // What still comes of a body that was not read must not turn the end into a reset.
    request.resume();
    socket.end();
  } else {
    cut(request, fault);
  }
}

function wireOf(answer: Answer, fault: Fault, isHead: boolean): Buffer {
  const { contentEncoding } = fault;
  const coded = contentEncoding ? gzipSync(answer.body) : answer.body;
  const body = Buffer.from(isHead ? '' : coded);
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
  // A socket that is not read from never notices that the other side has gone.
  if (cutBy === 'stall') request.resume();
}
