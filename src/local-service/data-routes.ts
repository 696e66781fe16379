import type { FastifyInstance } from 'fastify';

import { maxObjectBytes } from '../shared/domain/limits.ts';
import { conflictMessage, missingMessage, Refusal, succeed } from './answers.ts';
import { classifications } from './classifications.ts';
import type { Blob, ObjectStore } from './object-store.ts';
import { receiveUpload, requireAccept, sendBlob } from './uploads.ts';
import type { ObjectRoute } from './uploads.ts';

/** Single-request data operations (section 4.1), and the Classification method. */
export function addDataRoutes(server: FastifyInstance, store: ObjectStore): void {
  const path = '/api/data/:identifier';

  server.head<ObjectRoute>(path, async (request, reply) => {
    const { lengthBytes } = findObject(store, request.params.identifier);
    // Spelled as in the interface.
    return reply.header('x-orginal-length', lengthBytes).send();
  });

  server.post<ObjectRoute>(path, async (request, reply) => {
    // Checked before the body, so that 50 MB are not sent only to be refused. `put` makes the final decision.
    if (store.find('data', request.params.identifier) !== undefined) throw new Refusal(409, conflictMessage);
    const rules = { limitBytes: maxObjectBytes.sure, tooLargeStatus: 413 } as const;
    const blob = await receiveUpload(store, 'data', rules, request, reply);
    if (!(await store.put(blob))) throw new Refusal(409, conflictMessage);
    return succeed('Put completed.', request.id);
  });

  server.get<ObjectRoute>(path, async (request, reply) => {
    requireAccept(request, 'application/octet-stream');
    return sendBlob(store, findObject(store, request.params.identifier), reply);
  });

  // Section 4.1 says "Deletion is initiated"; here it is complete when the answer is sent.
  server.delete<ObjectRoute>(path, async (request) => {
    if (!(await store.remove('data', request.params.identifier))) throw new Refusal(404, missingMessage);
    return succeed('Delete completed.', request.id);
  });

  // The interface mentions this method without its path or format: both are our choice.
  server.get('/api/classifications', async () => classifications);
}

function findObject(store: ObjectStore, identifier: string): Blob {
  const found = store.find('data', identifier);
  if (found === undefined) throw new Refusal(404, missingMessage);
  return found;
}
