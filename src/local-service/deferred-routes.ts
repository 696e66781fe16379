import type { FastifyInstance } from 'fastify';

import type { DeferredRequests } from './deferred-requests.ts';
import type { Kind, ObjectStore } from './object-store.ts';
import { receiveUpload, requireAccept, sendBlob } from './uploads.ts';
import type { ObjectRoute } from './uploads.ts';

type TokenRoute = { Params: { token: string } };

export type DeferredRoutes = { kind: Kind; prefix: '/api/data' | '/api/secrets'; limitBytes: number };

/** Deferred operations on data (section 4.2) or secrets (4.3), each with tokens of its own. */
export function addDeferredRoutes(
  server: FastifyInstance,
  store: ObjectStore,
  deferred: DeferredRequests,
  { kind, prefix, limitBytes }: DeferredRoutes,
): void {
  const startPath = `${prefix}/deferred/start/:identifier`;

  server.post<ObjectRoute>(startPath, async (request, reply) => {
    const blob = await receiveUpload(store, kind, { limitBytes, tooLargeStatus: 400 }, request, reply);
    return { DeferredToken: await deferred.startUpload(blob, request.id) };
  });

  server.get<ObjectRoute>(startPath, async (request) => ({
    DeferredToken: deferred.startDownload(kind, request.params.identifier, request.id),
  }));

  server.get<TokenRoute>(`${prefix}/deferred/check/:token`, async (request, reply) => {
    requireAccept(request, 'application/json');
    const answer = await deferred.check(kind, request.params.token);
    if (answer.state === 'completed') return reply.type('application/json').send(answer.resultJson);
    return reply
      .status(202)
      .type('text/plain')
      .send(`The deferred ${answer.method} request is still processing.`);
  });

  server.get<TokenRoute>(`${prefix}/deferred/fetch/:token`, async (request, reply) => {
    requireAccept(request, 'application/octet-stream');
    return sendBlob(store, await deferred.fetch(kind, request.params.token), reply);
  });
}
