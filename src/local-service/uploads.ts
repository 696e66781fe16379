import type { IncomingMessage } from 'node:http';

import { Refusal } from './answers.ts';
import type { Answer } from './answers.ts';
import { classificationNames, defaultClassification, findClassification } from './classifications.ts';
import type { Blob, Kind, ObjectStore } from './object-store.ts';
import type { Exchange } from './routes.ts';
import { BodyTooLarge, readBody } from './upload-body.ts';

export type UploadRules = {
  limitBytes: number;
  /** 413 only exists for single requests; section 7 gives deferred starts 400. */
  tooLargeStatus: 413 | 400;
};

/** What all uploads share: request format, policy, limit, writing to the disk. */
export async function receiveUpload(
  store: ObjectStore,
  kind: Kind,
  rules: UploadRules,
  { request, response, parameter: identifier, query }: Exchange,
): Promise<Blob> {
  if (identifier === '') throw new Refusal(400, 'The object identifier is missing.');
  const type = request.headers['content-type']?.split(';')[0]?.trim().toLowerCase();
  if (type !== 'application/octet-stream') {
    throw new Refusal(400, 'Content-Type must be application/octet-stream.');
  }
  const [name = defaultClassification, ...more] = query.getAll('classstr');
  const classification = more.length === 0 ? findClassification(name) : undefined;
  if (classification === undefined) {
    throw new Refusal(400, `classstr must be one of ${classificationNames.join(', ')}.`);
  }
  try {
    return await store.receive(
      kind,
      identifier,
      classification,
      readBody(request, response, rules.limitBytes),
    );
  } catch (cause) {
    if (!(cause instanceof BodyTooLarge)) throw cause;
    throw new Refusal(rules.tooLargeStatus, `The body is over the limit of ${rules.limitBytes} bytes.`);
  }
}

/** For the operations that require an `Accept` header: a missing one, or one that accepts anything, will do. */
export function requireAccept(request: IncomingMessage, type: string): void {
  const { accept } = request.headers;
  if (accept === undefined) return;
  const ranges = accept.split(',').map((range) => range.split(';')[0]?.trim().toLowerCase());
  if (!ranges.some((range) => range === type || range === '*/*' || range === 'application/*')) {
    throw new Refusal(400, `Accept must be ${type}.`);
  }
}

/** Sends the bytes with their length, so that the client notices a body that ends early. */
export async function sendBlob(store: ObjectStore, blob: Blob): Promise<Answer> {
  return {
    headers: { 'content-type': 'application/octet-stream', 'content-length': blob.lengthBytes },
    body: await store.read(blob),
  };
}
