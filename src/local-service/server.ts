import { createHash, randomUUID, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import {
  createServer as createHttpServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Answer, fail, json, Refusal } from './answers.ts';
import { findRoute, type Routes } from './routes.ts';
import { endAfterLinger, isBodyStillComing } from './upload-body.ts';

/**
 * A token bucket that holds one second's worth of requests.
 * @returns a function that returns 0 if a request may pass, else the number of whole seconds to wait
 */
export function createRateLimit(ratePerSecond: number, now: () => number): () => number {
  const capacity = Math.max(1, ratePerSecond);
  let available = capacity;
  let filledAtMs = now();
  return () => {
    const nowMs = now();
    available = Math.min(capacity, available + (Math.max(0, nowMs - filledAtMs) / 1000) * ratePerSecond);
    filledAtMs = nowMs;
    if (available < 1) return Math.max(1, Math.ceil((1 - available) / ratePerSecond));
    available -= 1;
    return 0;
  };
}

export type ServerOptions = { token: string; ratePerSecond: number | null; now: () => number };

const httpOptions = {
  /** Limit for the request line and headers together; identifiers can be somewhat shorter. */
  maxHeaderSize: 64 * 1024,
  /** None for a whole request: a client may limit how fast it uploads. */
  requestTimeout: 0,
  /** Longer than any client keeps a connection it does not use: none closes just as the next request is sent. */
  keepAliveTimeout: 72_000,
};

/**
 * What all operations share: authentication (section 5), rate limit, error answers (section 7), raw bodies. Where the
 * interface says nothing: error bodies have the format of the 409 body, and the activity token is the request's.
 */
export function createServer(options: ServerOptions, routes: Routes): Server {
  const isAuthorized = createAuthorization(options.token);
  const { ratePerSecond } = options;
  const takeTurn = ratePerSecond === null ? () => 0 : createRateLimit(ratePerSecond, options.now);

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const activityToken = randomUUID();
    response.setHeader('cache-control', 'no-store');
    try {
      if (!isAuthorized(request.headers.authorization)) {
        response.setHeader('www-authenticate', 'Bearer');
        throw new Refusal(401, 'Unauthorized request.');
      }
      const waitSeconds = takeTurn();
      if (waitSeconds > 0) {
        response.setHeader('retry-after', waitSeconds);
        throw new Refusal(429, 'Too many requests.');
      }
      const { run, parameter, query } = findRoute(routes, request);
      await send(request, response, await run({ request, response, activityToken, parameter, query }));
    } catch (cause) {
      // A body that cannot be read to its end, or whose reader has gone: its length tells the client that it is incomplete.
      if (response.headersSent) response.destroy();
      else await send(request, response, toFailure(cause, activityToken));
    }
  }

  const server = createHttpServer(httpOptions, (request, response) => void handle(request, response));
  // `Expect: 100-continue` is only answered when the body is wanted, so that a refusal comes before the body is sent.
  server.on('checkContinue', (request, response) => void handle(request, response));
  server.on('clientError', (_error, socket) => {
    const answer = 'HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n\r\n';
    if (socket.writable) socket.end(answer, () => socket.destroy());
    else socket.destroy();
  });
  return server;
}

async function send(
  request: IncomingMessage,
  response: ServerResponse,
  { status = 200, headers = {}, body = '' }: Answer,
): Promise<void> {
  // Section 7, note 4: the reason phrase of these two codes is that of 400.
  if (status === 413 || status === 429) response.statusMessage = 'Bad Request';
  response.statusCode = status;
  response.setHeaders(new Map(Object.entries(headers)));
  if (body instanceof Readable) {
    // Before the status is sent: what cannot be read at all is an error of the server.
    await once(body, 'readable');
    await pipeline(body, response);
    return;
  }
  if (request.method !== 'HEAD') response.setHeader('content-length', Buffer.byteLength(body));
  if (isBodyStillComing(request)) await endAfterLinger(response.setHeader('connection', 'close'), body);
  else response.end(body);
}

/** Never contains paths. */
function toFailure(cause: unknown, activityToken: string): Answer {
  if (cause instanceof Refusal) {
    return { ...json(fail(cause.status, cause.message, activityToken)), status: cause.status };
  }
  const code = cause instanceof Error && 'code' in cause ? ` (${String(cause.code)})` : '';
  return { ...json(fail(500, `Unspecified server error${code}.`, activityToken)), status: 500 };
}

/** Compares digests, so that timing reveals nothing about the token, not even its length. */
function createAuthorization(token: string): (header: string | undefined) => boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  const expected = digest(token);
  return (header) => {
    const given = /^Bearer +(\S+) *$/i.exec(header ?? '')?.[1];
    return given !== undefined && timingSafeEqual(digest(given), expected);
  };
}
