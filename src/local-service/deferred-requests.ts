import { randomBytes } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';

import { z } from 'zod';

import { conflictMessage, fail, missingMessage, Refusal, succeed } from './answers.ts';
import type { OperationResult } from './answers.ts';
import { identifierColumn, transact } from './database.ts';
import type { Blob, Kind, ObjectStore } from './object-store.ts';

export type DeferredOptions = {
  processingMs: number;
  tokenTtlMs: number;
  /** When a token's lifetime starts: when it was issued (fixed), or at its last use (sliding). */
  window: 'fixed' | 'sliding';
  now: () => number;
};

const rowSchema = z.object({
  kind: z.enum(['data', 'secret']),
  token: z.string(),
  method: z.enum(['POST', 'GET']),
  identifier: identifierColumn,
  activityToken: z.string(),
  blob: z.string().nullable(),
  result: z.string().nullable(),
  expiresAtMs: z.number(),
});

type Row = z.infer<typeof rowSchema>;
type Job = Pick<Row, 'kind' | 'token'>;

export type CheckAnswer =
  | { state: 'processing'; method: 'POST' | 'GET' }
  | { state: 'completed'; resultJson: string };

const maxRunning = 8;
const retryMs = 1000;
/** Minimum interval between expiry checks, in ms, whatever the clock does. */
const leastExpiryMs = 1000;
const maxExpiryMs = 60_000;

/**
 * Deferred requests (sections 3, 4.2, 4.3). They are stored in the metadata, so tokens and work survive a restart of
 * the service. Where the interface says nothing: the result of a failed request is its result body with `success`
 * false and the status it would have had (409, 404); a request is carried out even if its token was never used.
 */
export class DeferredRequests {
  readonly #database: DatabaseSync;
  readonly #store: ObjectStore;
  readonly #options: DeferredOptions;
  readonly #waiting: Job[] = [];
  readonly #closing = new AbortController();
  #running = 0;
  /** Fires when the first token expires: its result is then deleted, even if nobody asks again. */
  #expiry: NodeJS.Timeout | undefined;

  constructor(database: DatabaseSync, store: ObjectStore, options: DeferredOptions) {
    this.#database = database;
    this.#store = store;
    this.#options = options;
    for (const row of database.prepare('SELECT * FROM deferred WHERE result IS NULL').iterate()) {
      this.#waiting.push(rowSchema.parse(row));
    }
    this.#advance();
    this.#awaitExpiry();
  }

  /** The bytes are already on the disk; processing turns them into the object. */
  startUpload(blob: Blob, activityToken: string): Promise<string> {
    return this.#store.adopt(blob, () =>
      this.#start('POST', blob.kind, blob.identifier, activityToken, blob.name),
    );
  }

  startDownload(kind: Kind, identifier: string, activityToken: string): string {
    return this.#start('GET', kind, identifier, activityToken, null);
  }

  /** Throws a Refusal 404 when the token is unknown or has expired. */
  async check(kind: Kind, token: string): Promise<CheckAnswer> {
    const { method, result } = await this.#use(kind, token);
    return result === null ? { state: 'processing', method } : { state: 'completed', resultJson: result };
  }

  /**
   * The result of a deferred GET as of its processing; can be fetched repeatedly while the token is valid. Throws a
   * Refusal: 400 for an upload's token or before completion, 404 when there is no result.
   */
  async fetch(kind: Kind, token: string): Promise<Blob> {
    const { method, result, blob } = await this.#use(kind, token);
    if (method === 'POST')
      throw new Refusal(400, 'The token belongs to an upload: there is nothing to fetch.');
    if (result === null) throw new Refusal(400, 'The deferred GET request is still processing.');
    const found = blob === null ? undefined : this.#store.findBlob(blob);
    if (found === undefined) throw new Refusal(404, missingMessage);
    return found;
  }

  /** Unprocessed requests are processed after the next start. */
  close(): void {
    this.#waiting.length = 0;
    this.#closing.abort();
    clearTimeout(this.#expiry);
  }

  #start(
    method: Row['method'],
    kind: Kind,
    identifier: string,
    activityToken: string,
    blob: string | null,
  ): string {
    const token = randomBytes(24).toString('base64url');
    this.#database
      .prepare('INSERT INTO deferred VALUES (?, ?, ?, ?, ?, ?, NULL, ?)')
      .run(kind, token, method, Buffer.from(identifier), activityToken, blob, this.#nextExpiryMs());
    this.#waiting.push({ kind, token });
    this.#advance();
    return token;
  }

  #nextExpiryMs(): number {
    return this.#options.now() + this.#options.tokenTtlMs;
  }

  #find({ kind, token }: Job): Row | undefined {
    const row = this.#database
      .prepare('SELECT * FROM deferred WHERE kind = ? AND token = ?')
      .get(kind, token);
    return row === undefined ? undefined : rowSchema.parse(row);
  }

  async #use(kind: Kind, token: string): Promise<Row> {
    await this.#dropExpired();
    const row = this.#find({ kind, token });
    if (row === undefined || row.expiresAtMs <= this.#options.now()) {
      throw new Refusal(404, 'The deferred token is not known, or its time is over.');
    }
    if (this.#options.window === 'sliding') {
      this.#database
        .prepare('UPDATE deferred SET expiresAtMs = ? WHERE kind = ? AND token = ?')
        .run(this.#nextExpiryMs(), kind, token);
    }
    return row;
  }

  /** Completed requests only: others still have to be carried out. */
  async #dropExpired(): Promise<void> {
    const dropped = this.#database
      .prepare('DELETE FROM deferred WHERE expiresAtMs <= ? AND result IS NOT NULL RETURNING blob')
      .all(this.#options.now());
    for (const { blob } of dropped) {
      if (typeof blob === 'string') await this.#store.release(blob);
    }
  }

  #awaitExpiry(): void {
    if (this.#expiry !== undefined || this.#closing.signal.aborted) return;
    const first = this.#database
      .prepare('SELECT MIN(expiresAtMs) AS atMs FROM deferred WHERE result IS NOT NULL')
      .get()?.['atMs'];
    if (typeof first !== 'number') return;
    const delayMs = Math.min(Math.max(first - this.#options.now(), leastExpiryMs), maxExpiryMs);
    this.#expiry = setTimeout(() => void this.#expire(), delayMs).unref();
  }

  async #expire(): Promise<void> {
    try {
      await this.#dropExpired();
    } catch {
      // Closing, or a disk error: tried again later.
    }
    this.#expiry = undefined;
    this.#awaitExpiry();
  }

  #advance(): void {
    while (this.#running < maxRunning) {
      const job = this.#waiting.shift();
      if (job === undefined) return;
      this.#running += 1;
      void this.#run(job);
    }
  }

  async #run(job: Job): Promise<void> {
    const { signal } = this.#closing;
    let delayMs = this.#options.processingMs;
    for (let isDone = false; !isDone && !signal.aborted; delayMs = retryMs) {
      try {
        await delay(delayMs, undefined, { signal });
        await this.#process(job);
        isDone = true;
      } catch {
        // Closing, or for example a full disk. Accepted requests are retried, also after the next start.
        isDone = signal.aborted;
      }
    }
    this.#running -= 1;
    this.#advance();
  }

  async #process(job: Job): Promise<void> {
    const row = this.#find(job);
    if (row === undefined || row.result !== null) return;
    const complete = (result: OperationResult, blob: string | null): void => {
      this.#database
        .prepare('UPDATE deferred SET result = ?, blob = ? WHERE kind = ? AND token = ?')
        .run(JSON.stringify(result), blob, row.kind, row.token);
      this.#awaitExpiry();
    };
    if (row.method === 'GET') {
      const found = this.#store.find(row.kind, row.identifier);
      if (found === undefined) complete(fail(404, missingMessage, row.activityToken), null);
      else complete(succeed('Deferred GET workflow completed.', row.activityToken), found.name);
      return;
    }
    const blob = row.blob === null ? undefined : this.#store.findBlob(row.blob);
    if (blob === undefined) throw new Error('a deferred upload without its bytes');
    const isNew = transact(this.#database, () => {
      const linked = this.#store.link(blob);
      complete(
        linked
          ? succeed('Deferred POST workflow completed.', row.activityToken)
          : fail(409, conflictMessage, row.activityToken),
        null,
      );
      return linked;
    });
    if (!isNew) await this.#store.release(blob.name);
  }
}
