import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import {
  startLocalService,
  type LocalService,
  type LocalServiceOptions,
} from '../src/local-service/service.ts';
import { ownPort } from './faults/own-port.ts';

/** Starts a real service over HTTP for one test. */
export async function startService(
  folder: string,
  options: Partial<LocalServiceOptions> & { token: string },
): Promise<LocalService> {
  const port = await ownPort();
  return startLocalService({
    dataFolder: join(folder, 'service'),
    masterKey: randomBytes(32),
    port,
    ...options,
  });
}

/** Sends a request directly, as a stranger with the token would. */
export async function requestData(
  { baseAddress }: Pick<LocalService, 'baseAddress'>,
  token: string,
  method: 'HEAD' | 'POST' | 'DELETE',
  identifier: string,
  body?: Uint8Array<ArrayBuffer>,
): Promise<Response> {
  const answer = await fetch(`${baseAddress}/api/data/${encodeURIComponent(identifier)}`, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body && { 'content-type': 'application/octet-stream' }),
    },
    ...(body && { body }),
  });
  await answer.arrayBuffer();
  return answer;
}

/**
 * The policy under which the built-in service stored an object, from the service's own data. The service locks its
 * folder while it runs.
 */
export function classificationAtService(dataFolder: string, identifier: string): string | null {
  const metadata = new DatabaseSync(join(dataFolder, 'metadata.sqlite'), { readOnly: true });
  try {
    const row = metadata
      .prepare(
        `SELECT classification FROM objects JOIN blobs ON blobs.name = objects.blob
         WHERE objects.kind = 'data' AND objects.identifier = ?`,
      )
      .get(Buffer.from(identifier));
    return typeof row?.['classification'] === 'string' ? row['classification'] : null;
  } finally {
    metadata.close();
  }
}
