import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';

import { Agent, request } from 'undici';
import { onTestFinished } from 'vitest';

import { ownPort } from '../../e2e/faults/own-port.ts';
import { startLocalService } from '../../src/local-service/service.ts';
import type { LocalService, LocalServiceOptions } from '../../src/local-service/service.ts';
import { eventually } from '../eventually.ts';
import { removeFolder } from '../remove-folder.ts';

export const testToken = 'token-of-the-tests';
export const testMasterKey = new Uint8Array(32).fill(7);

/** Cleans up after the test, in reverse order of the calls. */
export function cleanLater(clean: () => Promise<void>): void {
  onTestFinished(clean);
}

export async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'coffer-local-service-'));
  cleanLater(() => removeFolder(folder));
  return folder;
}

export type Body = string | Uint8Array | AsyncIterable<Uint8Array>;
export type Answer = {
  status: number;
  reason: string;
  headers: Record<string, string | string[] | undefined>;
  bytes: Buffer;
};

/** Plain requests with a token; callers encode the identifiers in paths. */
export class TestClient {
  readonly baseAddress: string;
  readonly #dispatcher = new Agent();
  readonly #token: string;

  constructor(baseAddress: string, token = testToken) {
    this.baseAddress = baseAddress;
    this.#token = token;
    cleanLater(() => this.#dispatcher.destroy());
  }

  async send(
    method: 'HEAD' | 'GET' | 'POST' | 'DELETE',
    path: string,
    body: Body | null = null,
    headers: Record<string, string> = {},
  ): Promise<Answer> {
    const answer = await request(this.baseAddress + path, {
      method,
      body: isAsync(body) ? Readable.from(body) : body,
      dispatcher: this.#dispatcher,
      headers: {
        authorization: `Bearer ${this.#token}`,
        ...(body !== null && { 'content-type': 'application/octet-stream' }),
        ...headers,
      },
    });
    return {
      status: answer.statusCode,
      reason: answer.statusText,
      headers: answer.headers,
      bytes: Buffer.from(await answer.body.arrayBuffer()),
    };
  }

  /** Starts a deferred request and waits until it is complete. */
  async defer(method: 'GET' | 'POST', kind: 'data' | 'secrets', path: string, body?: Body): Promise<string> {
    const token = await this.startDeferred(method, kind, path, body);
    await eventually(async () => {
      const { status } = await this.send('GET', `/api/${kind}/deferred/check/${token}`);
      if (status !== 200) throw new Error(`still ${status}`);
    }, 10);
    return token;
  }

  async startDeferred(
    method: 'GET' | 'POST',
    kind: 'data' | 'secrets',
    path: string,
    body?: Body,
  ): Promise<string> {
    const started = await this.send(method, `/api/${kind}/deferred/start/${path}`, body);
    const answer = toJson(started);
    if (typeof answer['DeferredToken'] !== 'string') throw new Error(`no token: ${started.status}`);
    return answer['DeferredToken'];
  }
}

function isAsync(body: Body | null): body is AsyncIterable<Uint8Array> {
  return body !== null && typeof body === 'object' && Symbol.asyncIterator in body;
}

export function toJson(answer: Answer): Record<string, unknown> {
  const value: unknown = JSON.parse(answer.bytes.toString());
  if (value === null || typeof value !== 'object') throw new Error('not an object');
  return { ...value };
}

export type TestService = { service: LocalService; client: TestClient; options: LocalServiceOptions };

export async function startTestService(changes: Partial<LocalServiceOptions> = {}): Promise<TestService> {
  const options: LocalServiceOptions = {
    dataFolder: changes.dataFolder ?? (await makeFolder()),
    token: testToken,
    masterKey: testMasterKey,
    processingMs: 0,
    port: await ownPort(),
    ...changes,
  };
  const service = await startLocalService(options);
  cleanLater(() => service.close());
  return { service, options, client: new TestClient(service.baseAddress) };
}
