import type { Readable } from 'node:stream';
import { AppFailure, toAppError } from '../../shared/app-failure.ts';
import { encodeObjectId } from '../../shared/domain/object-id.ts';
import { readText } from './bodies.ts';
import { fetchClassifications, type Classification } from './classifications.ts';
import {
  createHttp,
  maxJsonBytes,
  readJson,
  type Answer,
  type Http,
  type HttpOptions,
  type HttpRequest,
  type UploadSource,
} from './http.ts';
import { judgeMistaken, mistaken, probe, requireService, requireTelling } from './probe.ts';
import {
  deferredStartSchema,
  mayBeOfGateway,
  operationResultSchema,
  originalLength,
  unexpected,
  type OperationResult,
} from './responses.ts';

export type { HttpOptions as ServiceClientOptions, UploadSource } from './http.ts';

export interface CallOptions {
  signal?: AbortSignal | undefined;
}

export interface UploadOptions extends CallOptions {
  /** Sent as Content-Length when known. For bytes in memory it must be their length, or null. */
  lengthBytes: number | null;
  /** Sent unchanged as `classstr`; null: not sent, so that the service's default policy applies. */
  classification: string | null;
}

export interface Download {
  /** Content-Length; null when absent, or when the body is encoded. */
  lengthBytes: number | null;
  /** `x-orginal-length`; specified for HEAD only, but read here too when a service sends it. */
  originalLengthBytes: number | null;
  /** Fails with connectionLost when it is cut, answerTimeout when it stalls, or cancelled. */
  body: Readable;
}

export interface DeferredStart {
  /** Must be used within 30 minutes (section 8). */
  deferredToken: string;
}

export type DeferredState =
  | { state: 'processing'; text: string }
  /** As the service sent it: how a failed request looks is not specified. */
  | { state: 'complete'; result: OperationResult };

/** The whole interface (section 4). Operations throw only AppFailure, or the error of the caller's own body: see `Http.send`. */
export interface ServiceClient {
  /** Section 4.1, Check Data. Throws `missing` when the identifier does not exist. */
  headData(id: string, options?: CallOptions): Promise<{ lengthBytes: number | null }>;
  /** Section 4.1, Upload Data. Streams once. Throws `exists` for 409, also when a 200's body says so. */
  uploadData(id: string, source: UploadSource, options: UploadOptions): Promise<OperationResult>;
  /** Section 4.1, Download Data. */
  downloadData(id: string, options?: CallOptions): Promise<Download>;
  /** Section 4.1, Delete Data. Success means that the deletion is initiated: HEAD tells when it is done. */
  deleteData(id: string, options?: CallOptions): Promise<OperationResult>;

  /** Upload (Deferred): resolves when the request is accepted, not when it is done. */
  startDataUpload(id: string, source: UploadSource, options: UploadOptions): Promise<DeferredStart>;
  startDataDownload(id: string, options?: CallOptions): Promise<DeferredStart>;
  /** Check Deferred Request: 202 while it is processing, 200 when it is complete. */
  checkDataDeferred(deferredToken: string, options?: CallOptions): Promise<DeferredState>;
  /** Fetch (Deferred): the bytes of a completed download. Whether they can be fetched twice is not specified. */
  fetchDataDeferred(deferredToken: string, options?: CallOptions): Promise<Download>;

  startSecretUpload(id: string, source: UploadSource, options: UploadOptions): Promise<DeferredStart>;
  startSecretDownload(id: string, options?: CallOptions): Promise<DeferredStart>;
  checkSecretDeferred(deferredToken: string, options?: CallOptions): Promise<DeferredState>;
  fetchSecretDeferred(deferredToken: string, options?: CallOptions): Promise<Download>;

  /** Checks that the service answers and accepts the token; throws otherwise. A wrong path may answer the same. */
  probe(options?: CallOptions): Promise<void>;
  fetchClassifications(address: string, options?: CallOptions): Promise<Classification[]>;
  /** Converts a moment of this computer's clock to the service's, as learned from its answers. */
  readonly momentOf: (ownMs: number) => number;
  /**
   * Cancels running requests (`cancelled`) and closes all connections. `whenIdle`: rejects new requests with
   * `cancelled`, and closes when the last one is over, including its body.
   */
  close(options?: { whenIdle?: boolean }): Promise<void>;
}

/** @throws AppFailure badAddress, badAuthorityFile, badClientCertificate */
export function createServiceClient(options: HttpOptions): ServiceClient {
  return clientOver(createHttp(options), options.insecureAllowed);
}

export function clientOver(http: Http, insecureAllowed = false): ServiceClient {
  /** A page in place of an answer is a network's only where the address is not the service now. */
  function judged<T>(call: CallOptions | undefined, answer: Promise<T>): Promise<T> {
    return answer.catch(async (cause: unknown) => {
      throw await judgeMistaken(http, cause, { signal: call?.signal });
    });
  }

  async function head(id: string, { signal }: CallOptions = {}): Promise<{ lengthBytes: number | null }> {
    const { headers, body } = await http.send({ method: 'HEAD', path: pathOf('data', id), signal });
    // The body is empty; reading it to its end is cheaper than destroying it.
    body.resume();
    const lengthBytes = originalLength(headers);
    if (lengthBytes === null) await requireTelling(http, { signal });
    return { lengthBytes };
  }

  /** A 200 whose body reports failure is a failure. */
  async function change(request: HttpRequest): Promise<OperationResult> {
    const result = await http.sendForJson(request, operationResultSchema);
    const { success, status, message, activityToken } = result;
    if (success && status === 200) return result;
    if (status === 409) throw new AppFailure({ code: 'exists', status, message, activityToken });
    throw unexpected(200, `success: ${success}, status: ${status}`);
  }

  async function start(request: HttpRequest): Promise<DeferredStart> {
    const { DeferredToken } = await http.sendForJson(request, deferredStartSchema);
    return { deferredToken: DeferredToken };
  }

  /** Data objects (section 4.2) and secrets (section 4.3) have the same four operations under two paths. */
  const deferred = (kind: 'data' | 'secrets') => ({
    startUpload: async (id: string, source: UploadSource, call: UploadOptions) =>
      judged(call, start(uploadRequest(`${kind}/deferred/start`, id, source, call))),
    startDownload: async (id: string, call?: CallOptions) => {
      const path = pathOf(`${kind}/deferred/start`, id);
      const headers = { accept: '*/*' };
      return judged(call, start({ method: 'GET', path, headers, signal: call?.signal }));
    },
    check: async (token: string, call?: CallOptions) =>
      judged(call, checkDeferred(http, pathOf(`${kind}/deferred/check`, token), call)),
    fetch: async (token: string, call?: CallOptions) =>
      judged(call, download(http, pathOf(`${kind}/deferred/fetch`, token), call)),
  });
  const [data, secrets] = [deferred('data'), deferred('secrets')];

  return {
    headData: async (id, call) => judged(call, head(id, call)),
    uploadData: async (id, source, call) => judged(call, change(uploadRequest('data', id, source, call))),
    downloadData: async (id, call) =>
      judged(
        call,
        download(http, pathOf('data', id), call, () => head(id, call)),
      ),
    deleteData: async (id, call) =>
      judged(call, change({ method: 'DELETE', path: pathOf('data', id), signal: call?.signal })),
    startDataUpload: data.startUpload,
    startDataDownload: data.startDownload,
    checkDataDeferred: data.check,
    fetchDataDeferred: data.fetch,
    startSecretUpload: secrets.startUpload,
    startSecretDownload: secrets.startDownload,
    checkSecretDeferred: secrets.check,
    fetchSecretDeferred: secrets.fetch,
    probe: (call) => probe(http, call),
    fetchClassifications: (address, call) =>
      fetchClassifications(http, address, { ...call, insecureAllowed }),
    momentOf: http.momentOf,
    close: (how) => http.close(how),
  };
}

const pathOf = (folder: string, id: string) => `/api/${folder}/${encodeObjectId(id)}`;

/** The request of every upload (section 2: each has `classstr`). An empty classification counts as none. */
function uploadRequest(
  folder: string,
  id: string,
  source: UploadSource,
  { lengthBytes, classification, signal }: UploadOptions,
): HttpRequest {
  const query = classification ? `?classstr=${encodeURIComponent(classification)}` : '';
  return {
    method: 'POST',
    path: pathOf(folder, id) + query,
    headers: { 'content-type': 'application/octet-stream' },
    body: { source, lengthBytes },
    signal,
  };
}

async function checkDeferred(http: Http, path: string, { signal }: CallOptions = {}): Promise<DeferredState> {
  const headers = { accept: 'application/json' };
  const answer = await http.send({ method: 'GET', path, headers, accepts: [200, 202], signal });
  if (answer.status === 202) {
    const text = await readText(answer.body, maxJsonBytes);
    if (text === undefined) throw unexpected(202, `body: larger than ${maxJsonBytes} bytes`);
    return { state: 'processing', text };
  }
  return { state: 'complete', result: await readJson(answer, operationResultSchema) };
}

/**
 * Downloads the bytes of an object or of a deferred result. A stored web page may come as `text/html`, and so does the
 * sign-in page of a network, which must not be saved in its place.
 * @param head of the object: a length there is the service's, and tells how long the bytes must be
 */
async function download(
  http: Http,
  path: string,
  { signal }: CallOptions = {},
  head?: () => Promise<{ lengthBytes: number | null }>,
): Promise<Download> {
  const accept = { accept: 'application/octet-stream' };
  const answer = await http.send({ method: 'GET', path, headers: accept, signal });
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
