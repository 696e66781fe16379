import type { Readable } from 'node:stream';
import { encodeObjectId } from '../../shared/domain/object-id.ts';
import { AppFailure, toAppError } from '../../shared/app-failure.ts';
import {
  mayBeOfGateway,
  operationResultSchema,
  originalLength,
  unexpected,
  type OperationResult,
} from './responses.ts';
import { mistaken, requireService, requireTelling } from './probe.ts';
import type { Answer, Http, HttpRequest, UploadSource } from './http.ts';

export interface CallOptions {
  signal?: AbortSignal | undefined;
}

export interface UploadOptions extends CallOptions {
  /** Sent as Content-Length when known. For bytes in memory it must be their length, or null. */
  lengthBytes: number | null;
  /** Sent unchanged as `classstr`; null: not sent, so that the service's default policy applies. */
  classification: string | null;
}

export type { UploadSource } from './http.ts';

export interface Download {
  /** Content-Length; null when absent, or when the body is encoded. */
  lengthBytes: number | null;
  /** `x-orginal-length`; specified for HEAD only, but read here too when a service sends it. */
  originalLengthBytes: number | null;
  /** Fails with connectionLost when it is cut, answerTimeout when it stalls, or cancelled. */
  body: Readable;
}

/** Section 4.1, Check Data. Throws `missing` when the identifier does not exist. */
export async function headData(
  http: Http,
  id: string,
  { signal }: CallOptions = {},
): Promise<{ lengthBytes: number | null }> {
  const { headers, body } = await http.send({
    method: 'HEAD',
    path: `/api/data/${encodeObjectId(id)}`,
    signal,
  });
  // The body is empty; reading it to its end is cheaper than destroying it.
  body.resume();
  const lengthBytes = originalLength(headers);
  if (lengthBytes === null) await requireTelling(http, { signal });
  return { lengthBytes };
}

/** Section 4.1, Upload Data. Streams once. Throws `exists` for 409, also when a 200's body says so. */
export async function uploadData(
  http: Http,
  id: string,
  source: UploadSource,
  options: UploadOptions,
): Promise<OperationResult> {
  return requireSuccess(
    await http.sendForJson(uploadRequest('/api/data/', id, source, options), operationResultSchema),
  );
}

/** Section 4.1, Download Data. */
export async function downloadData(http: Http, id: string, { signal }: CallOptions = {}): Promise<Download> {
  const path = `/api/data/${encodeObjectId(id)}`;
  return download(http, path, signal, () => headData(http, id, { signal }));
}

/** Section 4.1, Delete Data. Success means that the deletion is initiated: HEAD tells when it is done. */
export async function deleteData(
  http: Http,
  id: string,
  { signal }: CallOptions = {},
): Promise<OperationResult> {
  const request: HttpRequest = { method: 'DELETE', path: `/api/data/${encodeObjectId(id)}`, signal };
  return requireSuccess(await http.sendForJson(request, operationResultSchema));
}

/** The request of every upload (section 2: each has `classstr`). An empty classification counts as none. */
export function uploadRequest(
  folder: string,
  id: string,
  source: UploadSource,
  options: UploadOptions,
): HttpRequest {
  const { lengthBytes, classification, signal } = options;
  const query = classification ? `?classstr=${encodeURIComponent(classification)}` : '';
  return {
    method: 'POST',
    path: folder + encodeObjectId(id) + query,
    headers: { 'content-type': 'application/octet-stream' },
    body: { source, lengthBytes },
    signal,
  };
}

/**
 * Downloads the bytes of an object or of a deferred result. A stored web page may come as `text/html`, and so does the
 * sign-in page of a network, which must not be saved in its place.
 * @param head of the object: a length there is the service's, and tells how long the bytes must be
 */
export async function download(
  http: Http,
  path: string,
  signal: AbortSignal | undefined,
  head?: () => Promise<{ lengthBytes: number | null }>,
): Promise<Download> {
  const answer = await http.send({
    method: 'GET',
    path,
    headers: { accept: 'application/octet-stream' },
    signal,
  });
  const { headers, lengthBytes, body } = answer;
  let originalLengthBytes = originalLength(headers);
  if (originalLengthBytes === null && mayBeOfGateway(headers)) {
    try {
      originalLengthBytes = (await head?.().catch((cause) => unseen(answer, cause)))?.lengthBytes ?? null;
      if (originalLengthBytes === null) await requireService(http, answer, { signal });
    } catch (cause) {
      // An unread body would hold its connection.
      body.destroy();
      throw cause;
    }
  }
  return { lengthBytes, originalLengthBytes, body };
}

/** A token may fetch an object that it may not look at; bytes of an object that HEAD denies are none of the service. */
function unseen(answer: Answer, cause: unknown): null {
  const code = toAppError(cause)?.code;
  if (code === 'forbidden') return null;
  throw code === 'missing' ? mistaken(answer, cause) : cause;
}

/** A 200 whose body reports failure is a failure. */
function requireSuccess(result: OperationResult): OperationResult {
  const { success, status, message, activityToken } = result;
  if (success && status === 200) return result;
  if (status === 409) throw new AppFailure({ code: 'exists', status, message, activityToken });
  throw unexpected(200, `success: ${success}, status: ${status}`);
}
