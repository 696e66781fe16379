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

export interface PatientWay extends Way {
  /** Rejects when the attempt is stopped. */
  delay(delayMs: number): Promise<void>;
}

/** How long a service may take to show what it has just answered success for. The interface does not say. */
const patienceMs = [300, 1000, 2000];

/** After a success was answered: a 404 is asked about again, for a few seconds. @throws as `look` */
export async function lookPatiently(
  way: Pick<PatientWay, 'client' | 'signal' | 'turn' | 'delay'>,
  identifier: string,
): Promise<Seen> {
  for (const delayMs of patienceMs) {
    const seen = await look(way, identifier);
    if (seen.present) return seen;
    await way.delay(delayMs);
  }
  return look(way, identifier);
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
