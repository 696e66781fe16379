import { randomUUID } from 'node:crypto';
import { fetchClassifications, type Classification } from './classifications.ts';
import { parseLength, unexpected, type OperationResult } from './responses.ts';
import {
  deleteData,
  downloadData,
  headData,
  uploadData,
  type CallOptions,
  type Download,
  type UploadOptions,
  type UploadSource,
} from './data.ts';
import {
  checkDeferred,
  fetchDeferred,
  startDownload,
  startUpload,
  type DeferredStart,
  type DeferredState,
} from './deferred.ts';
import { createHttp, type Http, type HttpOptions } from './http.ts';

export type { HttpOptions as ServiceClientOptions } from './http.ts';

/** The whole interface (section 4). Operations throw only AppFailure, or the error of the caller's own body: see `Http.send`. */
export interface ServiceClient {
  headData(id: string, options?: CallOptions): Promise<{ lengthBytes: number | null }>;
  uploadData(id: string, source: UploadSource, options: UploadOptions): Promise<OperationResult>;
  downloadData(id: string, options?: CallOptions): Promise<Download>;
  deleteData(id: string, options?: CallOptions): Promise<OperationResult>;

  startDataUpload(id: string, source: UploadSource, options: UploadOptions): Promise<DeferredStart>;
  startDataDownload(id: string, options?: CallOptions): Promise<DeferredStart>;
  checkDataDeferred(deferredToken: string, options?: CallOptions): Promise<DeferredState>;
  fetchDataDeferred(deferredToken: string, options?: CallOptions): Promise<Download>;

  startSecretUpload(id: string, source: UploadSource, options: UploadOptions): Promise<DeferredStart>;
  startSecretDownload(id: string, options?: CallOptions): Promise<DeferredStart>;
  checkSecretDeferred(deferredToken: string, options?: CallOptions): Promise<DeferredState>;
  fetchSecretDeferred(deferredToken: string, options?: CallOptions): Promise<Download>;

  /**
   * Checks that the service answers and accepts the token; throws otherwise. `provesPath`: something at this exact
   * path answered as the service does; a 404 would be the same under a wrong path.
   */
  probe(options?: CallOptions): Promise<{ provesPath: boolean }>;
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
  const http = createHttp(options);
  const insecureAllowed = options.insecureAllowed ?? false;
  return {
    headData: (id, call) => headData(http, id, call),
    uploadData: (id, source, call) => uploadData(http, id, source, call),
    downloadData: (id, call) => downloadData(http, id, call),
    deleteData: (id, call) => deleteData(http, id, call),

    startDataUpload: (id, source, call) => startUpload(http, 'data', id, source, call),
    startDataDownload: (id, call) => startDownload(http, 'data', id, call),
    checkDataDeferred: (token, call) => checkDeferred(http, 'data', token, call),
    fetchDataDeferred: (token, call) => fetchDeferred(http, 'data', token, call),

    startSecretUpload: (id, source, call) => startUpload(http, 'secrets', id, source, call),
    startSecretDownload: (id, call) => startDownload(http, 'secrets', id, call),
    checkSecretDeferred: (token, call) => checkDeferred(http, 'secrets', token, call),
    fetchSecretDeferred: (token, call) => fetchDeferred(http, 'secrets', token, call),

    probe: (call) => probe(http, call),
    fetchClassifications: (address, call) =>
      fetchClassifications(http, address, { ...call, insecureAllowed }),
    momentOf: http.momentOf,
    close: (how) => http.close(how),
  };
}

/**
 * Sends HEAD for a random identifier. Any web server answers 404 to that, also under a wrong path, so the same
 * request without a token must be refused: by section 5 a missing credential is answered with 401.
 */
async function probe(http: Http, { signal }: CallOptions = {}): Promise<{ provesPath: boolean }> {
  const request = { method: 'HEAD', path: `/api/data/coffer-probe-${randomUUID()}`, signal } as const;
  const answer = await http.send({ ...request, accepts: [200, 404] });
  answer.body.destroy();
  if (answer.status === 200 && parseLength(answer.headers['x-orginal-length']) === null) {
    throw unexpected(200, 'x-orginal-length: missing');
  }
  const unproven = await http.send({ ...request, authenticated: false, accepts: [200, 401, 404] });
  unproven.body.destroy();
  if (unproven.status !== 401) throw unexpected(unproven.status, 'asks for no token');
  return { provesPath: answer.status === 200 };
}
