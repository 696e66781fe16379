import { toAppError } from '../../shared/errors.ts';
import type { ServiceClient } from '../service/client.ts';
import type { Seen } from './entry.ts';

/** What an attempt needs of the outside. */
export interface Way {
  readonly client: ServiceClient;
  readonly signal: AbortSignal;
  /** Waits until the profile may send. */
  turn(): Promise<void>;
  onState(state: 'moving' | 'verifying'): void;
  onProgress(doneBytes: number, totalBytes: number | null): void;
}

/** Section 4.1, Check Data. @throws AppFailure of anything but 404 */
export async function look(way: Pick<Way, 'client' | 'signal' | 'turn'>, identifier: string): Promise<Seen> {
  await way.turn();
  try {
    return { present: true, ...(await way.client.headData(identifier, { signal: way.signal })) };
  } catch (cause) {
    if (toAppError(cause)?.code === 'missing') return { present: false };
    throw cause;
  }
}
