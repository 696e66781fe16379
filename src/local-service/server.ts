import { createHash, randomUUID, timingSafeEqual } from 'node:crypto';
import { Readable } from 'node:stream';

import { fastify } from 'fastify';
import type { FastifyInstance, FastifyReply } from 'fastify';

import { fail, Refusal } from './answers.ts';
import { createRateLimit } from './rate-limit.ts';
import { answerThenLinger, isBodyStillComing } from './upload-body.ts';

export type ServerOptions = { token: string; ratePerSecond: number | null; now: () => number };

/** Limit for the request line and headers together; identifiers can be somewhat shorter. */
const maxHeaderBytes = 64 * 1024;

/**
 * What all operations share: authentication (section 5), rate limit, error answers (section 7), raw bodies. Where the
 * interface says nothing: error bodies have the format of the 409 body, and the activity token is the request's.
 */
export function createServer(options: ServerOptions): FastifyInstance {
  const server: FastifyInstance = fastify({
    http: { maxHeaderSize: maxHeaderBytes },
    routerOptions: { maxParamLength: maxHeaderBytes },
    exposeHeadRoutes: false,
    forceCloseConnections: true,
    genReqId: () => randomUUID(),
    frameworkErrors: (_error, request, reply) => {
      sendFailure(reply, 400, 'Bad HTTP request.', request.id);
    },
    clientErrorHandler: (_error, socket) => {
      const answer = 'HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n\r\n';
      if (socket.writable) socket.end(answer, () => socket.destroy());
      else socket.destroy();
    },
  });

  server.removeAllContentTypeParsers();
  server.addContentTypeParser('application/octet-stream', (_request, body, done) => done(null, body));

  // `Expect: 100-continue` is only answered when the body is wanted, so that a refusal comes before the body is sent.
  server.server.on('checkContinue', (request, response) => server.routing(request, response));

  const isAuthorized = createAuthorization(options.token);
  const { ratePerSecond } = options;
  const takeTurn = ratePerSecond === null ? () => 0 : createRateLimit(ratePerSecond, options.now);
  server.addHook('onRequest', async (request, reply) => {
    reply.header('cache-control', 'no-store');
    if (!isAuthorized(request.headers.authorization)) {
      reply.header('www-authenticate', 'Bearer');
      throw new Refusal(401, 'Unauthorized request.');
    }
    const waitSeconds = takeTurn();
    if (waitSeconds > 0) throw new Refusal(429, 'Too many requests.', waitSeconds);
  });

  server.addHook('onSend', async (request, reply, payload) => {
    if (typeof payload !== 'string' || !isBodyStillComing(request.raw)) return payload;
    reply.header('connection', 'close').header('content-length', Buffer.byteLength(payload));
    return Readable.from(answerThenLinger(payload));
  });

  server.setErrorHandler((error, request, reply) => {
    if (error instanceof Refusal && error.retryAfterSeconds !== undefined) {
      reply.header('retry-after', error.retryAfterSeconds);
    }
    const { status, message } = describe(error);
    sendFailure(reply, status, message, request.id);
  });
  server.setNotFoundHandler((request, reply) => sendFailure(reply, 404, 'Not found.', request.id));
  return server;
}

function sendFailure(reply: FastifyReply, status: number, message: string, activityToken: string): void {
  // Section 7, note 4: the reason phrase of these two codes is that of 400.
  if (status === 413 || status === 429) reply.raw.statusMessage = 'Bad Request';
  void reply
    .status(status)
    .type('application/json')
    .send(fail(status, message, activityToken));
}

/** Fastify's own errors (such as an unknown content type) all become "Bad HTTP request". Never contains paths. */
function describe(error: unknown): { status: number; message: string } {
  if (error instanceof Refusal) return { status: error.status, message: error.message };
  const { statusCode, code } = toDetails(error);
  if (statusCode !== undefined && statusCode < 500) return { status: 400, message: 'Bad HTTP request.' };
  return { status: 500, message: `Unspecified server error${code === undefined ? '' : ` (${code})`}.` };
}

function toDetails(error: unknown): { statusCode?: number; code?: string } {
  if (!(error instanceof Error)) return {};
  return {
    ...('statusCode' in error && typeof error.statusCode === 'number' && { statusCode: error.statusCode }),
    ...('code' in error && typeof error.code === 'string' && { code: error.code }),
  };
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
