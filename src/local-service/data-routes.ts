import { maxObjectBytes } from '../shared/domain/limits.ts';
import { conflictMessage, json, jsonText, missingMessage, Refusal, succeed } from './answers.ts';
import type { DeferredRequests } from './deferred-requests.ts';
import type { Blob, Kind, ObjectStore } from './object-store.ts';
import type { Routes } from './routes.ts';
import { receiveUpload, requireAccept, sendBlob } from './uploads.ts';
import { classifications } from './classifications.ts';

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

/** Single-request data operations (section 4.1), and the Classification method. */
export function dataRoutes(store: ObjectStore): Routes {
  return {
    // Spelled as in the interface.
    'HEAD /api/data/': ({ parameter }) => ({
      headers: { 'x-orginal-length': findObject(store, parameter).lengthBytes },
    }),

    'POST /api/data/': async (exchange) => {
      // Checked before the body, so that 50 MB are not sent only to be refused. `put` makes the final decision.
      if (store.find('data', exchange.parameter) !== undefined) throw new Refusal(409, conflictMessage);
      const rules = { limitBytes: maxObjectBytes.sure, tooLargeStatus: 413 } as const;
      const blob = await receiveUpload(store, 'data', rules, exchange);
      if (!(await store.put(blob))) throw new Refusal(409, conflictMessage);
      return json(succeed('Put completed.', exchange.activityToken));
    },

    'GET /api/data/': ({ request, parameter }) => {
      requireAccept(request, 'application/octet-stream');
      return sendBlob(store, findObject(store, parameter));
    },

    // Section 4.1 says "Deletion is initiated"; here it is complete when the answer is sent.
    'DELETE /api/data/': async ({ parameter, activityToken }) => {
      if (!(await store.remove('data', parameter))) throw new Refusal(404, missingMessage);
      return json(succeed('Delete completed.', activityToken));
    },

    // The interface mentions this method without its path or format: both are our choice.
    'GET /api/classifications': () => json(classifications),
  };
}

function findObject(store: ObjectStore, identifier: string): Blob {
  const found = store.find('data', identifier);
  if (found === undefined) throw new Refusal(404, missingMessage);
  return found;
}
