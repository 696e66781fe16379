import { toAppError } from '../../../shared/app-failure.ts';
import type { ObjectKind } from '../../../shared/domain/object.ts';
import type { ServiceClient } from '../../service/client.ts';
import type { UploadOptions, UploadSource } from '../../service/data.ts';
import type { Seen } from '../model/state.ts';
import type { GatedRequest } from './request-gate.ts';

export type Ask = Pick<GatedRequest, 'kind' | 'bodyBytes' | 'sendsBody' | 'isOfPart'>;

/** Sends a request when its turn comes. */
export type Send = <T>(ask: Ask, request: () => Promise<T>) => Promise<T>;

type Options = Omit<UploadOptions, 'signal'> & {
  /** Called when the request is about to leave: from now on it may arrive. */
  onLeaving?: () => void;
};

/** A function makes the body when the request is about to leave. */
type Body = UploadSource | (() => Promise<UploadSource>);

/**
 * The service as one attempt sees it: every request goes through the service's circuit breaker, and ends with the attempt.
 * @throws CircuitOpen, and what `ServiceClient` throws
 */
export type BoundService = ReturnType<typeof bindService>;

export function bindService(client: ServiceClient, send: Send, signal: AbortSignal) {
  const call = { signal };
  const ask = <T>(kind: string, request: () => Promise<T>) => send({ kind, bodyBytes: 0 }, request);

  function sendBody<T>(
    kind: string,
    { onLeaving, ...options }: Options,
    post: (options: UploadOptions) => Promise<T>,
  ) {
    return send({ kind, bodyBytes: options.lengthBytes ?? 0, sendsBody: true }, () => {
      onLeaving?.();
      return post({ ...options, signal });
    });
  }

  return {
    /** Section 4.1, Check Data. @throws also AppFailure of anything but 404, which is an answer */
    async head(id: string): Promise<Seen> {
      try {
        return { present: true, ...(await ask('HEAD', () => client.headData(id, call))) };
      } catch (cause) {
        if (toAppError(cause)?.code === 'missing') return { present: false };
        throw cause;
      }
    },
    /** @param bodyBytes of the answer, as far as they are known */
    get: (id: string, bodyBytes = 0, onLeaving?: () => void) =>
      send({ kind: 'GET', bodyBytes }, () => {
        onLeaving?.();
        return client.downloadData(id, call);
      }),
    post: (id: string, body: Body, options: Options) =>
      sendBody('POST', options, async (all) =>
        client.uploadData(id, typeof body === 'function' ? await body() : body, all),
      ),
    remove: (id: string, onLeaving: () => void) =>
      ask('DELETE', () => {
        onLeaving();
        return client.deleteData(id, call);
      }),
    startUpload: (kind: ObjectKind, id: string, body: UploadSource, options: Options) =>
      sendBody('start', options, (all) =>
        kind === 'data' ? client.startDataUpload(id, body, all) : client.startSecretUpload(id, body, all),
      ),
    startDownload: (kind: ObjectKind, id: string) =>
      ask('start', () =>
        kind === 'data' ? client.startDataDownload(id, call) : client.startSecretDownload(id, call),
      ),
    check: (kind: ObjectKind, token: string) =>
      ask('check', () =>
        kind === 'data' ? client.checkDataDeferred(token, call) : client.checkSecretDeferred(token, call),
      ),
    fetch: (kind: ObjectKind, token: string, bodyBytes = 0) =>
      send({ kind: 'fetch', bodyBytes }, () =>
        kind === 'data' ? client.fetchDataDeferred(token, call) : client.fetchSecretDeferred(token, call),
      ),
    momentOf: client.momentOf,
  };
}
