import { encodeObjectId } from '../../shared/domain/object-id.ts';
import { deferredStartSchema, operationResultSchema, unexpected, type OperationResult } from './responses.ts';
import { readText } from './bodies.ts';
import {
  download,
  uploadRequest,
  type CallOptions,
  type Download,
  type UploadOptions,
  type UploadSource,
} from './data.ts';
import { maxJsonBytes, readJson, type Http, type HttpRequest } from './http.ts';

/** Data objects (section 4.2) and secrets (section 4.3) have the same four operations under two paths. */
export type DeferredKind = 'data' | 'secrets';

export interface DeferredStart {
  /** Must be used within 30 minutes (section 8). */
  deferredToken: string;
}

export type DeferredState =
  | { state: 'processing'; text: string }
  /** As the service sent it: how a failed request looks is not specified. */
  | { state: 'complete'; result: OperationResult };

/** Upload (Deferred): resolves when the request is accepted, not when it is done. */
export async function startUpload(
  http: Http,
  kind: DeferredKind,
  id: string,
  source: UploadSource,
  options: UploadOptions,
): Promise<DeferredStart> {
  return start(http, uploadRequest(`/api/${kind}/deferred/start/`, id, source, options));
}

export async function startDownload(
  http: Http,
  kind: DeferredKind,
  id: string,
  { signal }: CallOptions = {},
): Promise<DeferredStart> {
  const path = `/api/${kind}/deferred/start/${encodeObjectId(id)}`;
  return start(http, { method: 'GET', path, headers: { accept: '*/*' }, signal });
}

/** Check Deferred Request: 202 while it is processing, 200 when it is complete. */
export async function checkDeferred(
  http: Http,
  kind: DeferredKind,
  deferredToken: string,
  { signal }: CallOptions = {},
): Promise<DeferredState> {
  const answer = await http.send({
    method: 'GET',
    path: `/api/${kind}/deferred/check/${encodeObjectId(deferredToken)}`,
    headers: { accept: 'application/json' },
    accepts: [200, 202],
    signal,
  });
  if (answer.status === 202) {
    const text = await readText(answer.body, maxJsonBytes);
    if (text === undefined) throw unexpected(202, `body: larger than ${maxJsonBytes} bytes`);
    return { state: 'processing', text };
  }
  return { state: 'complete', result: await readJson(answer, operationResultSchema) };
}

/** Fetch (Deferred): the bytes of a completed download. Whether they can be fetched twice is not specified. */
export async function fetchDeferred(
  http: Http,
  kind: DeferredKind,
  deferredToken: string,
  { signal }: CallOptions = {},
): Promise<Download> {
  return download(http, `/api/${kind}/deferred/fetch/${encodeObjectId(deferredToken)}`, signal);
}

async function start(http: Http, request: HttpRequest): Promise<DeferredStart> {
  const { DeferredToken } = await http.sendForJson(request, deferredStartSchema);
  return { deferredToken: DeferredToken };
}
