import { hash, randomUUID } from 'node:crypto';
import type { ObjectTrial } from '../../shared/contract.ts';
import { type AppError } from '../../shared/errors.ts';
import { toAppError, AppFailure } from '../../shared/app-failure.ts';
import type { Clock } from '../ports.ts';
import { readBytes } from '../service/bodies.ts';
import type { ServiceClient } from '../service/client.ts';
import { saysNothingWasStored } from '../../shared/failed-requests.ts';
import { clientFor, type TestedConnection } from './test-connection.ts';

type Step = ObjectTrial['steps'][number];

/** Delays of the checks after a deletion, in ms: its answer only says that it was initiated (section 4.1). */
const checksMs = [0, 300, 1000, 2000, 4000];

/**
 * Tries a service with a small object (section 4.1): stores, reads, compares and deletes it. Deletes it whatever fails after
 * the upload. @throws AppFailure if no client can be made, for example with a bad certificate
 */
export async function tryObject(connection: TestedConnection, clock: Clock): Promise<ObjectTrial> {
  const identifier = `coffer-connection-test-${randomUUID()}.txt`;
  const bytes = Buffer.from(`${identifier}: stored to try a connection, and of no use to anybody.\n`);
  const steps: Step[] = [];

  /** @returns null if it failed */
  async function run<T>(step: Step['step'], work: () => Promise<T>): Promise<{ value: T } | null> {
    const begunMs = clock.monotonicMs();
    const end = (result: 'passed' | 'failed', error: AppError | null) =>
      void steps.push({ step, result, elapsedMs: clock.monotonicMs() - begunMs, error });
    try {
      const value = await work();
      end('passed', null);
      return { value };
    } catch (cause) {
      const error = toAppError(cause);
      if (!error) throw cause;
      end('failed', error);
      return null;
    }
  }
  const skip = (...names: Step['step'][]) => {
    for (const step of names) steps.push({ step, result: 'notTried', elapsedMs: null, error: null });
  };

  const client = clientFor(connection);
  try {
    const stored = await run('store', () =>
      client.uploadData(identifier, bytes, { lengthBytes: bytes.length, classification: null }),
    );
    if (!stored) {
      skip('read', 'compare');
      const error = steps[0]?.error;
      const isRefused = error !== null && error !== undefined && saysNothingWasStored(error);
      if (isRefused || (await isPresent(client, identifier)) === false) {
        skip('delete');
        return { identifier, steps, isLeft: false };
      }
      const removed = await run('delete', () => remove(client, identifier, clock));
      return { identifier, steps, isLeft: removed === null };
    }
    const read = await run('read', async () => {
      const { body } = await client.downloadData(identifier);
      return readBytes(body, bytes.length);
    });
    if (read === null) skip('compare');
    else await run('compare', async () => requireSame(read.value, bytes));
    const removed = await run('delete', () => remove(client, identifier, clock));
    return { identifier, steps, isLeft: removed === null };
  } finally {
    await client.close();
  }
}

/** @param read undefined: more bytes than expected */
function requireSame(read: Uint8Array | undefined, stored: Uint8Array): void {
  const receivedBytes = read?.length ?? stored.length + 1;
  if (read === undefined || receivedBytes !== stored.length)
    throw new AppFailure({ code: 'downloadLengthDiffers', expectedBytes: stored.length, receivedBytes });
  const [expected, actual] = [hash('sha256', stored), hash('sha256', read)];
  if (expected !== actual) throw new AppFailure({ code: 'digestDiffers', expected, actual });
}

/** null: unknown. */
async function isPresent(client: ServiceClient, identifier: string): Promise<boolean | null> {
  try {
    await client.headData(identifier);
    return true;
  } catch (cause) {
    return toAppError(cause)?.code === 'missing' ? false : null;
  }
}

/** @throws AppFailure of the response, or stillThere */
async function remove(client: ServiceClient, identifier: string, clock: Clock): Promise<void> {
  await client.deleteData(identifier).catch((cause: unknown) => {
    if (toAppError(cause)?.code !== 'missing') throw cause;
  });
  const { signal } = new AbortController();
  for (const waitMs of checksMs) {
    if (waitMs > 0) await clock.delay(waitMs, signal);
    if ((await isPresent(client, identifier)) === false) return;
  }
  throw new AppFailure({ code: 'stillThere' });
}
