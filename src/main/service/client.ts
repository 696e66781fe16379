import { fetchClassifications, type Classification } from './classifications.ts';
import { judgeMistaken, probe } from './probe.ts';
import type { OperationResult } from './responses.ts';
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
import { createHttp, type HttpOptions } from './http.ts';

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
  const http = createHttp(options);
  const insecureAllowed = options.insecureAllowed ?? false;

  function judged<T>(answer: Promise<T>, call: CallOptions | undefined): Promise<T> {
    return answer.catch(async (cause: unknown) => {
      throw await judgeMistaken(http, cause, { signal: call?.signal });
    });
  }

  return {
    headData: (id, call) => judged(headData(http, id, call), call),
    uploadData: (id, source, call) => judged(uploadData(http, id, source, call), call),
    downloadData: (id, call) => judged(downloadData(http, id, call), call),
    deleteData: (id, call) => judged(deleteData(http, id, call), call),

    startDataUpload: (id, source, call) => judged(startUpload(http, 'data', id, source, call), call),
    startDataDownload: (id, call) => judged(startDownload(http, 'data', id, call), call),
    checkDataDeferred: (token, call) => judged(checkDeferred(http, 'data', token, call), call),
    fetchDataDeferred: (token, call) => judged(fetchDeferred(http, 'data', token, call), call),

    startSecretUpload: (id, source, call) => judged(startUpload(http, 'secrets', id, source, call), call),
    startSecretDownload: (id, call) => judged(startDownload(http, 'secrets', id, call), call),
    checkSecretDeferred: (token, call) => judged(checkDeferred(http, 'secrets', token, call), call),
    fetchSecretDeferred: (token, call) => judged(fetchDeferred(http, 'secrets', token, call), call),

    probe: (call) => probe(http, call),
    fetchClassifications: (address, call) =>
      fetchClassifications(http, address, { ...call, insecureAllowed }),
    momentOf: http.momentOf,
    close: (how) => http.close(how),
  };
}
