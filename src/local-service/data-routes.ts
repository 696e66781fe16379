import { maxObjectBytes } from '../shared/domain/limits.ts';
import { conflictMessage, json, missingMessage, Refusal, succeed } from './answers.ts';
import { classifications } from './classifications.ts';
import type { Blob, ObjectStore } from './object-store.ts';
import type { Routes } from './routes.ts';
import { receiveUpload, requireAccept, sendBlob } from './uploads.ts';

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
