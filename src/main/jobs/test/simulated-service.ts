import { Readable } from 'node:stream';
import { AppFailure, type AppError } from '../../../shared/errors.ts';
import type { ServiceClient } from '../../service/client.ts';
import type { UploadOptions, UploadSource } from '../../service/data.ts';
import type { DeferredState } from '../../service/deferred.ts';
import type { VirtualClock } from './virtual-clock.ts';

/** What goes wrong with every request, until it is said otherwise. */
export type Weather =
  | { kind: 'fine' }
  | { kind: 'unreachable' }
  | { kind: 'refused' }
  | { kind: 'tooMany'; retryAfterMs: number | null }
  /** One request each second at the most. */
  | { kind: 'oneASecond' }
  | { kind: 'errors' }
  /** Carried out, and the answer is lost. */
  | { kind: 'lossy' }
  | { kind: 'lossyStarts' }
  /** Bodies break off in the middle. */
  | { kind: 'cutting' };

interface Deferred {
  readonly kind: 'data' | 'secret';
  readonly direction: 'upload' | 'download';
  readonly identifier: string;
  readonly bytes: Uint8Array | null;
  readonly doneAtMs: number;
  expiresAtMs: number;
  result: { status: number; bytes: Uint8Array | null } | null;
}

export interface SimulatedService {
  readonly client: ServiceClient;
  readonly objects: Map<string, Uint8Array>;
  readonly secrets: Map<string, Uint8Array>;
  readonly requests: { atMs: number; what: string }[];
  /** Whole results that were given, by what they were of. */
  readonly given: Map<string, number>;
  weather: Weather;
  /** How long the next requests are processed. */
  processingMs: number;
  /** Requests whose bodies come from a file or go to one. */
  bodies: number;
  /** Requests that are not answered yet. */
  inFlight: number;
  /** How long answers take. */
  answerMs: number;
  /** The newest deferred request for an identifier: from when to when its result could be had. */
  lastOf(identifier: string): { fromMs: number; toMs: number } | null;
}

const windowMs = 30 * 60_000;

export function createSimulatedService(clock: VirtualClock, window: 'fixed' | 'sliding'): SimulatedService {
  const deferred = new Map<string, Deferred>();
  const stores = { data: new Map<string, Uint8Array>(), secret: new Map<string, Uint8Array>() };
  let lastToken = 0;
  let nextTurnMs = 0;

  function settle(request: Deferred): void {
    if (request.result || clock.trueMs() < request.doneAtMs) return;
    const store = stores[request.kind];
    const there = store.get(request.identifier);
    if (request.direction === 'download') {
      request.result = there ? { status: 200, bytes: there } : { status: 404, bytes: null };
    } else if (there) {
      request.result = { status: 409, bytes: null };
    } else {
      store.set(request.identifier, request.bytes ?? new Uint8Array());
      request.result = { status: 200, bytes: null };
    }
  }

  function fail(error: AppError): never {
    throw new AppFailure(error);
  }

  async function request<T>(what: string, signal: AbortSignal | undefined, carryOut: () => T): Promise<T> {
    service.requests.push({ atMs: clock.monotonicMs(), what });
    const { weather } = service;
    if (what.startsWith('fetch') || what === 'GET') service.bodies += 1;
    service.inFlight += 1;
    try {
      if (service.answerMs > 0) await clock.delay(service.answerMs, signal);
    } finally {
      service.inFlight -= 1;
    }
    signal?.throwIfAborted();
    for (const each of deferred.values()) settle(each);
    switch (weather.kind) {
      case 'unreachable':
        return fail({ code: 'unreachable', host: 'x', reason: 'refused' });
      case 'refused':
        return fail({ code: 'tokenRefused', status: 401 });
      case 'tooMany':
        return fail({ code: 'tooManyRequests', status: 429, retryAfterMs: weather.retryAfterMs });
      case 'oneASecond':
        if (clock.trueMs() < nextTurnMs)
          return fail({ code: 'tooManyRequests', status: 429, retryAfterMs: 1000 });
        nextTurnMs = clock.trueMs() + 1000;
        return carryOut();
      case 'errors':
        return fail({ code: 'serverError', status: 500, retryAfterMs: null });
      case 'lossy':
      case 'lossyStarts': {
        const answer = carryOut();
        if (weather.kind === 'lossyStarts' && !/^(POST|start)/.test(what)) return answer;
        const outcomeUnknown = what.startsWith('POST');
        return fail({ code: 'connectionLost', doneBytes: 0, expectedBytes: null, outcomeUnknown });
      }
      case 'fine':
      case 'cutting':
        return carryOut();
    }
  }

  async function bytesOf(source: UploadSource): Promise<Uint8Array> {
    if (source instanceof Uint8Array) return source;
    const pieces: Uint8Array[] = [];
    for await (const piece of source as AsyncIterable<Uint8Array>) pieces.push(Uint8Array.from(piece));
    return Buffer.concat(pieces);
  }

  function begin(
    kind: Deferred['kind'],
    direction: Deferred['direction'],
    identifier: string,
    bytes: Uint8Array | null,
  ): { deferredToken: string } {
    lastToken += 1;
    const doneAtMs = clock.trueMs() + service.processingMs;
    const expiresAtMs = clock.trueMs() + windowMs;
    deferred.set(`t${lastToken}`, {
      kind,
      direction,
      identifier,
      bytes,
      doneAtMs,
      expiresAtMs,
      result: null,
    });
    return { deferredToken: `t${lastToken}` };
  }

  function use(kind: Deferred['kind'], token: string): Deferred {
    const found = deferred.get(token);
    if (!found || found.kind !== kind || clock.trueMs() >= found.expiresAtMs) {
      return fail({ code: 'missing', status: 404 });
    }
    if (window === 'sliding') found.expiresAtMs = clock.trueMs() + windowMs;
    return found;
  }

  const check = (kind: Deferred['kind']) => (token: string, options?: { signal?: AbortSignal | undefined }) =>
    request(`check ${kind}`, options?.signal, (): DeferredState => {
      const { result, direction } = use(kind, token);
      if (!result) return { state: 'processing', text: '' };
      const { status } = result;
      const success = status === 200;
      return {
        state: 'complete',
        result: { success, status, message: direction, activityToken: `a-${token}` },
      };
    });

  const fetch = (kind: Deferred['kind']) => (token: string, options?: { signal?: AbortSignal | undefined }) =>
    request(`fetch ${kind}`, options?.signal, () => {
      const { result, identifier } = use(kind, token);
      if (!result) return fail({ code: 'badRequest', status: 400 });
      if (!result.bytes) return fail({ code: 'missing', status: 404 });
      const { bytes } = result;
      const isCut = service.weather.kind === 'cutting' || service.weather.kind === 'lossy';
      if (!isCut) service.given.set(identifier, (service.given.get(identifier) ?? 0) + 1);
      return { lengthBytes: bytes.length, originalLengthBytes: null, body: bodyOf(bytes, isCut) };
    });

  const start = (kind: Deferred['kind']) => ({
    upload: async (identifier: string, source: UploadSource, { signal }: UploadOptions) => {
      service.bodies += 1;
      const isTaken = ['fine', 'oneASecond', 'lossy', 'lossyStarts', 'cutting'].includes(
        service.weather.kind,
      );
      const bytes = isTaken ? await bytesOf(source) : new Uint8Array();
      return request(`POST ${kind}`, signal, () => begin(kind, 'upload', identifier, bytes));
    },
    download: (identifier: string, options?: { signal?: AbortSignal | undefined }) =>
      request(`start ${kind}`, options?.signal, () => begin(kind, 'download', identifier, null)),
  });

  const none = () => Promise.reject(new Error('not asked for in this test'));
  const client: ServiceClient = {
    headData: (identifier, options) =>
      request('HEAD', options?.signal, () => {
        const bytes = stores.data.get(identifier);
        return bytes ? { lengthBytes: bytes.length } : fail({ code: 'missing', status: 404 });
      }),
    downloadData: (identifier, options) =>
      request('GET', options?.signal, () => {
        const bytes = stores.data.get(identifier) ?? fail({ code: 'missing', status: 404 });
        return { lengthBytes: bytes.length, originalLengthBytes: null, body: bodyOf(bytes, false) };
      }),
    uploadData: none,
    deleteData: none,
    startDataUpload: start('data').upload,
    startDataDownload: start('data').download,
    checkDataDeferred: check('data'),
    fetchDataDeferred: fetch('data'),
    startSecretUpload: start('secret').upload,
    startSecretDownload: start('secret').download,
    checkSecretDeferred: check('secret'),
    fetchSecretDeferred: fetch('secret'),
    probe: none,
    fetchClassifications: none,
    close: async () => undefined,
  };

  const service: SimulatedService = {
    client,
    objects: stores.data,
    secrets: stores.secret,
    requests: [],
    given: new Map(),
    weather: { kind: 'fine' },
    processingMs: 1000,
    answerMs: 0,
    inFlight: 0,
    bodies: 0,
    lastOf(identifier) {
      const found = [...deferred.values()].findLast((each) => each.identifier === identifier);
      return found ? { fromMs: found.doneAtMs, toMs: found.expiresAtMs } : null;
    },
  };
  return service;
}

function bodyOf(bytes: Uint8Array, isCut: boolean): Readable {
  return Readable.from(
    (async function* () {
      yield bytes.subarray(0, bytes.length >> 1);
      if (isCut) {
        throw new AppFailure({
          code: 'connectionLost',
          doneBytes: bytes.length >> 1,
          expectedBytes: bytes.length,
          outcomeUnknown: false,
        });
      }
      yield bytes.subarray(bytes.length >> 1);
    })(),
  );
}
