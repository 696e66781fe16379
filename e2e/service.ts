import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import {
  startLocalService,
  type LocalService,
  type LocalServiceOptions,
} from '../src/local-service/service.ts';

/** A real service over HTTP, of a test's own. */
export function startService(
  folder: string,
  options: Partial<LocalServiceOptions> & { token: string },
): Promise<LocalService> {
  return startLocalService({ dataFolder: join(folder, 'service'), masterKey: randomBytes(32), ...options });
}

/** A request past Coffer, as somebody else with the token would send it. */
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
 * Which policy the built-in service secured an object by: what it noted, not what Coffer believes. The service holds
 * its folder locked while it runs.
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
