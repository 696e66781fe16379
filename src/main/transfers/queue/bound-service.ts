import { toAppError } from '../../../shared/app-failure.ts';
import type { ObjectKind } from '../../../shared/domain/object.ts';
import type { ServiceClient, UploadOptions, UploadSource } from '../../service/client.ts';
import type { Seen } from '../model/state.ts';
import type { GatedRequest } from './request-gate.ts';

type Ask = Pick<GatedRequest, 'kind' | 'bodyBytes' | 'sendsBody' | 'isOfPart'>;

/** Sends one request of a record, or of whoever asks, when its turn comes. @throws CircuitOpen, what `request` throws */
export type Send = <T>(ask: Ask, request: () => Promise<T>, signal: AbortSignal) => Promise<T>;

type Options = Omit<UploadOptions, 'signal'> & {
  /** Called when the request is about to leave: from now on it may arrive. */
  onLeaving?: () => void;
};

/** A function makes the body when the request is about to leave. */
type Body = UploadSource | (() => Promise<UploadSource>);

/**
 * The service as one attempt sees it: every request goes through the service's circuit breaker, and ends with the attempt.
 * @throws CircuitOpen, and what `ServiceClient` throws
 * @param isOfPart its requests are of parts of a file, and wait for their turns one by one
 */
export type BoundService = ReturnType<typeof bindService>;

export function bindService(client: ServiceClient, send: Send, signal: AbortSignal, isOfPart = false) {
  const call = { signal };
  const ask = <T>(kind: string, request: () => Promise<T>, bodyBytes = 0) =>
    send({ kind, bodyBytes, isOfPart }, request, signal);

  function sendBody<T>(
    kind: string,
    { onLeaving, ...options }: Options,
    post: (options: UploadOptions) => Promise<T>,
  ) {
    const leave = () => {
      onLeaving?.();
      return post({ ...options, signal });
    };
    return send({ kind, bodyBytes: options.lengthBytes ?? 0, sendsBody: true, isOfPart }, leave, signal);
  }

  return {
    /** Section 4.1, Check Data. @throws also AppFailure of anything but 404, which is an answer */
    async head(id: string): Promise<Seen> {
      try {
        const asked = { kind: 'HEAD', bodyBytes: 0, isOfPart };
        return { present: true, ...(await send(asked, () => client.headData(id, call), signal)) };
      } catch (cause) {
        if (toAppError(cause)?.code === 'missing') return { present: false };
        throw cause;
      }
    },
    /** @param bodyBytes of the answer, as far as they are known */
    get: (id: string, bodyBytes = 0, onLeaving?: () => void) =>
      ask(
        'GET',
        () => {
          onLeaving?.();
          return client.downloadData(id, call);
        },
        bodyBytes,
      ),
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
      ask(
        'fetch',
        () =>
          kind === 'data' ? client.fetchDataDeferred(token, call) : client.fetchSecretDeferred(token, call),
        bodyBytes,
      ),
    momentOf: client.momentOf,
  };
}
