import { json, jsonText } from './answers.ts';
import type { DeferredRequests } from './deferred-requests.ts';
import type { Kind, ObjectStore } from './object-store.ts';
import type { Routes } from './routes.ts';
import { receiveUpload, requireAccept, sendBlob } from './uploads.ts';

export type DeferredRoutes = { kind: Kind; prefix: '/api/data' | '/api/secrets'; limitBytes: number };

/** Deferred operations on data (section 4.2) or secrets (4.3), each with tokens of its own. */
export function deferredRoutes(
  store: ObjectStore,
  deferred: DeferredRequests,
  { kind, prefix, limitBytes }: DeferredRoutes,
): Routes {
  return {
    [`POST ${prefix}/deferred/start/`]: async (exchange) => {
      const blob = await receiveUpload(store, kind, { limitBytes, tooLargeStatus: 400 }, exchange);
      return json({ DeferredToken: await deferred.startUpload(blob, exchange.activityToken) });
    },

    [`GET ${prefix}/deferred/start/`]: ({ parameter, activityToken }) =>
      json({ DeferredToken: deferred.startDownload(kind, parameter, activityToken) }),

    [`GET ${prefix}/deferred/check/`]: async ({ request, parameter }) => {
      requireAccept(request, 'application/json');
      const answer = await deferred.check(kind, parameter);
      if (answer.state === 'completed') return jsonText(answer.resultJson);
      const body = `The deferred ${answer.method} request is still processing.`;
      return { status: 202, headers: { 'content-type': 'text/plain' }, body };
    },

    [`GET ${prefix}/deferred/fetch/`]: async ({ request, parameter }) => {
      requireAccept(request, 'application/octet-stream');
      return sendBlob(store, await deferred.fetch(kind, parameter));
    },
  };
}
