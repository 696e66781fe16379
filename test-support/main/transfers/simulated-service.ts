import { Readable } from 'node:stream';
import { type AppError } from '../../../src/shared/errors.ts';
import { AppFailure } from '../../../src/shared/app-failure.ts';
import type {
  CallOptions,
  DeferredState,
  ServiceClient,
  UploadOptions,
  UploadSource,
} from '../../../src/main/service/client.ts';
import type { VirtualClock } from './virtual-clock.ts';
import { readPage } from './gateway-page.ts';
import { RequestCount, type ServiceLimit } from './service-limit.ts';
import { answerIn, fail, type Weather } from './weather.ts';

interface Deferred {
  readonly kind: 'data' | 'secret';
  readonly direction: 'upload' | 'download';
  readonly identifier: string;
  readonly bytes: Uint8Array | null;
  readonly classification: string | null;
  readonly doneAtMs: number;
  readonly expiresAtMs: number;
  /** A client has its token. */
  isKnown: boolean;
  result: { status: number; bytes: Uint8Array | null } | null;
}

export interface Request {
  readonly atMs: number;
  readonly what: string;
  readonly identifier: string;
  readonly origin: string;
  readonly token: string;
  /** The installation that sent it. */
  readonly who: string;
}

/** One version that was stored under an identifier, and when. */
export interface Version {
  readonly text: string;
  readonly by: 'us' | 'stranger';
  readonly classification: string | null;
  readonly fromMs: number;
  untilMs: number;
  /** null: still stored. `late`: by a deletion of ours that was sent for an earlier version, which the client cannot know. */
  removedBy: 'us' | 'stranger' | 'late' | null;
}

const windowMs = 30 * 60_000;

/** The complete service of the interface, at one origin, in virtual time. Keeps the whole history. */
export class SimulatedService {
  readonly requests: Request[] = [];
  readonly versions = new Map<string, Version[]>();
  readonly secrets = new Map<string, Uint8Array>();
  weather: Weather = { kind: 'fine' };
  processingMs = 1000;
  /** How far its clock is ahead of the clients'. */
  aheadMs = 0;
  /** Larger uploads are refused; null: no limit. */
  limitBytes: number | null = null;
  answerMs = 0;
  /** Time between the initiation of a deletion and its effect. */
  deletionMs = 0;
  /**
   * `lost`: answered with success, without effect. `hidden`: the object is gone at once, and the next one stored is deleted
   * `deletionMs` after it was stored.
   */
  deletionKind: 'usual' | 'lost' | 'hidden' = 'usual';
  /** Whether HEAD returns the length of an object, as the interface specifies. */
  headLength = true;
  /** Compresses downloads: the client decodes them, and does not know their length. */
  contentEncoding: 'gzip' | null = null;
  /** Number of the next deletions that have no effect, whatever `deletionKind` is. */
  lostDeletions = 0;
  /** Number of the next uploads, direct or deferred, that succeed without storing anything, whatever is there already. */
  lostUploads = 0;
  /** Where one of them met an object of its length, or got one before it was looked for: a client has to believe it. */
  readonly lostOverAsLong = new Set<string>();
  readonly #lostLengths = new Map<string, Set<number>>();
  /** Number of the next uploads, direct or deferred, that are stored and answered with 409, as if they had been there before. */
  falseConflicts = 0;
  /** Where they were: a client that had not looked there before can't know that the object is its own. */
  readonly denied = new Set<string>();
  /** Where a deferred upload was stored whose token no client got: one that has given the identifier up can't know of it. */
  readonly unheard = new Set<string>();
  /** Number of the next requests that a gateway answers with a page, and the service never gets. */
  pages = 0;
  /** Called after a request was carried out, or would have been. */
  onRequest: (what: string, identifier: string, who: string) => void = () => undefined;
  /** Called before a request is carried out, to act between two requests. */
  beforeRequest: (what: string, identifier: string, who: string) => void = () => undefined;
  /**
   * All DELETEs. `isSeen`: a GET since the last DELETE returned exactly what was deleted, or it was stored after that GET, which
   * the client cannot know.
   */
  readonly deletions: { identifier: string; isSeen: boolean; who: string }[] = [];
  /** Rejects a request with this error every time; null: lets it pass. */
  refuses: (request: { what: string; identifier: string; who: string }) => AppError | null = () => null;
  /** Overrides the weather for one request; null: no override. */
  weatherOf: (what: string, identifier: string) => Weather | null = () => null;
  /** How many requests it takes; null: all. A refused one has no effect. */
  limit: ServiceLimit | null = null;
  /** Requests in progress; below, those with bodies, and their maximum. */
  inFlight = 0;
  bodiesInFlight = 0;
  maxBodies = 0;
  readonly #objects = new Map<string, Uint8Array>();
  readonly #deferred = new Map<string, Deferred>();
  readonly #clock: VirtualClock;
  readonly #count: RequestCount;
  readonly #doomed = new Set<string>();
  readonly #deletions: { identifier: string; atMs: number; of: Version | undefined }[] = [];
  readonly origin: string;
  readonly token: string;
  #lastToken = 0;

  constructor(clock: VirtualClock, origin: string, token: string) {
    this.#clock = clock;
    this.#count = new RequestCount(() => clock.trueMs());
    this.origin = origin;
    this.token = token;
  }

  get(identifier: string): Uint8Array | undefined {
    this.settle();
    return this.#objects.get(identifier);
  }

  /** The classification of the version stored last. */
  classificationOf(identifier: string): string | null | undefined {
    return this.#lastOf(identifier)?.classification;
  }

  /** Reads an object without applying pending deletions. */
  peek(identifier: string): Uint8Array | undefined {
    return this.#objects.get(identifier);
  }

  put(
    identifier: string,
    bytes: Uint8Array,
    by: 'us' | 'stranger',
    classification: string | null = null,
  ): void {
    this.#objects.set(identifier, bytes);
    this.#noteAsLong(identifier);
    const versions = this.versions.get(identifier) ?? [];
    versions.push({
      text: Buffer.from(bytes).toString(),
      by,
      classification,
      fromMs: this.#clock.trueMs(),
      untilMs: Infinity,
      removedBy: null,
    });
    this.versions.set(identifier, versions);
  }

  /** Stores an upload of ours, as far as it is not lost. Returns the status of its answer. */
  #store(identifier: string, bytes: Uint8Array, classification: string | null): 200 | 409 {
    if (this.lostUploads > 0) {
      this.lostUploads -= 1;
      const lengths = this.#lostLengths.get(identifier) ?? new Set();
      this.#lostLengths.set(identifier, lengths.add(bytes.length));
      this.#noteAsLong(identifier);
      return 200;
    }
    if (this.#objects.has(identifier)) return 409;
    this.put(identifier, bytes, 'us', classification);
    return this.#statusOfStored(identifier);
  }

  #noteAsLong(identifier: string): void {
    const length = this.#objects.get(identifier)?.length;
    if (length !== undefined && this.#lostLengths.get(identifier)?.has(length))
      this.lostOverAsLong.add(identifier);
  }

  #statusOfStored(identifier: string): 200 | 409 {
    if (this.falseConflicts === 0) return 200;
    this.falseConflicts -= 1;
    this.denied.add(identifier);
    return 409;
  }

  remove(identifier: string, by: Exclude<Version['removedBy'], null>): void {
    if (!this.#objects.delete(identifier)) return;
    const last = this.#lastOf(identifier);
    if (last) Object.assign(last, { untilMs: this.#clock.trueMs(), removedBy: by });
  }

  #lastOf(identifier: string): Version | undefined {
    return this.versions.get(identifier)?.at(-1);
  }

  /** Applies everything that is due. */
  settle(): void {
    const nowMs = this.#clock.trueMs();
    for (const deletion of this.#deletions.splice(0)) {
      if (deletion.atMs > nowMs) this.#deletions.push(deletion);
      else
        this.remove(deletion.identifier, this.#lastOf(deletion.identifier) === deletion.of ? 'us' : 'late');
    }
    for (const request of this.#deferred.values()) {
      if (request.result || nowMs < request.doneAtMs) continue;
      const there =
        request.kind === 'data'
          ? this.#objects.get(request.identifier)
          : this.secrets.get(request.identifier);
      if (request.direction === 'download') {
        request.result = there ? { status: 200, bytes: there } : { status: 404, bytes: null };
      } else if (request.kind === 'data') {
        const { identifier, bytes, classification } = request;
        const status = this.#store(identifier, bytes ?? new Uint8Array(), classification);
        if (status === 200 && !request.isKnown) this.unheard.add(identifier);
        request.result = { status, bytes: null };
      } else {
        if (!there) this.secrets.set(request.identifier, request.bytes ?? new Uint8Array());
        request.result = { status: there ? 409 : this.#statusOfStored(request.identifier), bytes: null };
      }
    }
  }

  /** A client with the current token. Its requests never settle once `isAlive` is false. */
  client(isAlive: () => boolean, who = ''): ServiceClient {
    /** The result of the last GET, by identifier. Of this process: what a killed one has sent may arrive after a GET of the next. */
    const shown = new Map<string, { text: string; atMs: number }>();
    const call = <T>(what: string, identifier: string, options: CallOptions | undefined, carryOut: () => T) =>
      this.#request({ what, identifier, who }, options?.signal, isAlive, carryOut);
    const result = { success: true, status: 200, message: '', activityToken: 'a' };
    const upload = async <T>(
      what: string,
      identifier: string,
      source: UploadSource,
      options: UploadOptions,
      carryOut: (bytes: Uint8Array) => T,
    ) => {
      // A killed process sends and receives nothing.
      if (!isAlive()) return new Promise<never>(() => undefined);
      this.#enterBody();
      try {
        const bytes = await this.#bytesOf(source);
        return await call(what, identifier, options, () => {
          if (bytes.length > (this.limitBytes ?? Infinity)) fail({ code: 'tooLarge', status: 413 });
          return carryOut(bytes);
        });
      } finally {
        if (isAlive()) this.bodiesInFlight -= 1;
      }
    };
    const begin = (
      kind: Deferred['kind'],
      direction: Deferred['direction'],
      identifier: string,
      bytes: Uint8Array | null,
      classification: string | null = null,
    ) => {
      this.#lastToken += 1;
      const nowMs = this.#clock.trueMs();
      const doneAtMs = nowMs + this.processingMs;
      const deferredToken = `t${this.#lastToken}`;
      this.#deferred.set(deferredToken, {
        kind,
        direction,
        identifier,
        bytes,
        classification,
        doneAtMs,
        expiresAtMs: nowMs + windowMs,
        isKnown: false,
        result: null,
      });
      return { deferredToken };
    };
    const check = (kind: Deferred['kind']) => (token: string, options?: CallOptions) =>
      call(`check`, token, options, (): DeferredState => {
        const { result: found } = this.#use(kind, token);
        if (!found) return { state: 'processing', text: '' };
        const { status } = found;
        return {
          state: 'complete',
          result: { success: status === 200, status, message: '', activityToken: `a-${token}` },
        };
      });
    const fetch = (kind: Deferred['kind']) => (token: string, options?: CallOptions) =>
      call('fetch', token, options, () => {
        const { result: found } = this.#use(kind, token);
        if (!found) return fail({ code: 'badRequest', status: 400 });
        return this.#download(found.bytes ?? fail({ code: 'missing', status: 404 }), isAlive);
      });
    return {
      headData: (id, options) =>
        call('HEAD', id, options, () => {
          const { length } = this.#objects.get(id) ?? fail({ code: 'missing', status: 404 });
          return { lengthBytes: this.headLength ? length : null };
        }),
      downloadData: (id, options) =>
        call('GET', id, options, () => {
          const bytes = this.#objects.get(id) ?? fail({ code: 'missing', status: 404 });
          shown.set(id, {
            text: Buffer.from(bytes).toString(),
            atMs: this.#clock.trueMs(),
          });
          return this.#download(bytes, isAlive);
        }),
      uploadData: (id, source, options) =>
        upload('POST', id, source, options, (bytes) => {
          const status = this.#store(id, bytes, options.classification);
          if (status === 409) fail({ code: 'exists', status, message: '' });
          if (this.#doomed.delete(id))
            this.#deletions.push({
              identifier: id,
              atMs: this.#clock.trueMs() + this.deletionMs,
              of: undefined,
            });
          return result;
        }),
      deleteData: (id, options) =>
        call('DELETE', id, options, () => {
          const there = this.#objects.get(id) ?? fail({ code: 'missing', status: 404 });
          const seen = shown.get(id);
          const isLater = seen !== undefined && (this.#lastOf(id)?.fromMs ?? 0) >= seen.atMs;
          const isSeen = seen?.text === Buffer.from(there).toString() || isLater;
          this.deletions.push({ identifier: id, isSeen, who });
          shown.delete(id);
          if (this.deletionKind === 'lost' || this.lostDeletions > 0) {
            this.lostDeletions -= 1;
            return result;
          }
          if (this.deletionKind === 'hidden') {
            this.remove(id, 'us');
            this.#doomed.add(id);
            return result;
          }
          const atMs = this.#clock.trueMs() + this.deletionMs;
          this.#deletions.push({ identifier: id, atMs, of: this.#lastOf(id) });
          this.settle();
          return result;
        }),
      startDataUpload: (id, source, options) =>
        upload('start', id, source, options, (bytes) =>
          begin('data', 'upload', id, bytes, options.classification),
        ),
      startDataDownload: (id, options) =>
        call('start', id, options, () => begin('data', 'download', id, null)),
      checkDataDeferred: check('data'),
      fetchDataDeferred: fetch('data'),
      startSecretUpload: async (id, source, options) => {
        const bytes = await this.#bytesOf(source);
        return call('start', id, options, () => begin('secret', 'upload', id, bytes));
      },
      startSecretDownload: (id, options) =>
        call('start', id, options, () => begin('secret', 'download', id, null)),
      checkSecretDeferred: check('secret'),
      fetchSecretDeferred: fetch('secret'),
      probe: none,
      fetchClassifications: none,
      momentOf: (ownMs) => ownMs + this.aheadMs,
      close: async () => undefined,
    };
  }

  async #request<T>(
    { what, identifier, who }: { what: string; identifier: string; who: string },
    signal: AbortSignal | undefined,
    isAlive: () => boolean,
    carryOut: () => T,
  ): Promise<T> {
    if (!isAlive()) return new Promise<never>(() => undefined);
    const { origin, token } = this;
    this.requests.push({ atMs: this.#clock.trueMs(), what, identifier, origin, token, who });
    const weather = this.weatherOf(what, identifier) ?? this.weather;
    const { refusal, end } = this.#count.take(this.limit, isAlive);
    const unlessRefused = () => (refusal ? fail(refusal) : carryOut());
    let body: unknown;
    this.inFlight += 1;
    try {
      if (this.answerMs > 0) await this.#clock.delay(this.answerMs, signal);
      signal?.throwIfAborted();
      this.beforeRequest(what, identifier, who);
      this.settle();
      const answer = await this.#answered({ what, identifier, who }, weather, unlessRefused);
      body = (answer as { body?: unknown }).body;
      return isAlive() ? answer : await new Promise<never>(() => undefined);
    } catch (cause) {
      if (!isAlive()) await new Promise<never>(() => undefined);
      throw cause;
    } finally {
      this.inFlight -= 1;
      if (body instanceof Readable && !body.closed) body.once('close', end);
      else end();
    }
  }

  #answered<T>(
    request: { what: string; identifier: string; who: string },
    weather: Weather,
    carryOut: () => T,
  ): T | Promise<T> {
    const { what, identifier, who } = request;
    try {
      if (this.pages > 0) {
        this.pages -= 1;
        return readPage(what, identifier) as Promise<T>;
      }
      const refusal = this.refuses(request);
      if (refusal) fail(refusal);
      return answerIn(weather, what, carryOut);
    } finally {
      this.onRequest(what, identifier, who);
    }
  }

  #use(kind: Deferred['kind'], token: string): Deferred {
    const found = this.#deferred.get(token);
    if (!found || found.kind !== kind || this.#clock.trueMs() >= found.expiresAtMs)
      fail({ code: 'missing', status: 404 });
    found.isKnown = true;
    return found;
  }

  #download(bytes: Uint8Array, isAlive: () => boolean) {
    const isCut = this.weather.kind === 'cutting';
    this.#enterBody();
    const leave = () => {
      if (isAlive()) this.bodiesInFlight -= 1;
    };
    const body = Readable.from(
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
    body.once('close', leave);
    const lengthBytes = this.contentEncoding === null ? bytes.length : null;
    return { lengthBytes, originalLengthBytes: null, body };
  }

  #enterBody(): void {
    this.bodiesInFlight += 1;
    // A stopped stream reports its end a moment later.
    setImmediate(() => (this.maxBodies = Math.max(this.maxBodies, this.bodiesInFlight)));
  }

  async #bytesOf(source: UploadSource): Promise<Uint8Array> {
    if (source instanceof Uint8Array) return Uint8Array.from(source);
    const pieces: Uint8Array[] = [];
    for await (const piece of source as AsyncIterable<Uint8Array>) pieces.push(Uint8Array.from(piece));
    return Buffer.concat(pieces);
  }
}

const none = () => Promise.reject(new Error('not asked for in this test'));
