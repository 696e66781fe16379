import { toAppError } from '../../../shared/app-failure.ts';
import type { ObjectKind } from '../../../shared/domain/object.ts';
import type { ServiceClient } from '../../service/client.ts';
import type { UploadOptions, UploadSource } from '../../service/data.ts';
import type { Seen } from '../model/state.ts';

type Options = Omit<UploadOptions, 'signal'> & {
  /** Called when the request is about to leave: from now on it may arrive. */
  onLeaving?: () => void;
};

/**
 * The service as one attempt sees it: every request goes through the service's circuit breaker, and ends with the attempt.
 * @throws CircuitOpen, and what `ServiceClient` throws
 */
export type BoundService = ReturnType<typeof bindService>;

export function bindService(
  client: ServiceClient,
  send: <T>(request: () => Promise<T>) => Promise<T>,
  signal: AbortSignal,
) {
  const call = { signal };

  function sendBody<T>({ onLeaving, ...options }: Options, post: (options: UploadOptions) => Promise<T>) {
    return send(() => {
      onLeaving?.();
      return post({ ...options, signal });
    });
  }

  return {
    /** Section 4.1, Check Data. @throws also AppFailure of anything but 404, which is an answer */
    async head(id: string): Promise<Seen> {
      try {
        return { present: true, ...(await send(() => client.headData(id, call))) };
      } catch (cause) {
        if (toAppError(cause)?.code === 'missing') return { present: false };
        throw cause;
      }
    },
    get: (id: string) => send(() => client.downloadData(id, call)),
    post: (id: string, body: UploadSource, options: Options) =>
      sendBody(options, (all) => client.uploadData(id, body, all)),
    remove: (id: string) => send(() => client.deleteData(id, call)),
    startUpload: (kind: ObjectKind, id: string, body: UploadSource, options: Options) =>
      sendBody(options, (all) =>
        kind === 'data' ? client.startDataUpload(id, body, all) : client.startSecretUpload(id, body, all),
      ),
    startDownload: (kind: ObjectKind, id: string) =>
      send(() =>
        kind === 'data' ? client.startDataDownload(id, call) : client.startSecretDownload(id, call),
      ),
    check: (kind: ObjectKind, token: string) =>
      send(() =>
        kind === 'data' ? client.checkDataDeferred(token, call) : client.checkSecretDeferred(token, call),
      ),
    fetch: (kind: ObjectKind, token: string) =>
      send(() =>
        kind === 'data' ? client.fetchDataDeferred(token, call) : client.fetchSecretDeferred(token, call),
      ),
    momentOf: client.momentOf,
  };
}
