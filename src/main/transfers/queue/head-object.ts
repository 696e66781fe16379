import { toAppError } from '../../../shared/app-failure.ts';
import type { Seen } from '../model/state.ts';
import { sumUpBody } from '../../service/bodies.ts';
import type { Attempt } from './attempt.ts';
import type { Limits } from './limits/limits.ts';

/** Section 4.1, Check Data. @throws CircuitOpen, AppFailure of anything but 404 */
export async function headObject(
  { send, client, signal }: Pick<Attempt, 'send' | 'client' | 'signal'>,
  identifier: string,
): Promise<Seen> {
  try {
    return { present: true, ...(await send(() => client.headData(identifier, { signal }))) };
  } catch (cause) {
    if (toAppError(cause)?.code === 'missing') return { present: false };
    throw cause;
  }
}

/** SHA-256 (hex) of a stream, read within the byte limit; null: its length is not `sizeBytes`. */
export async function digestOf(
  { limits, signal }: { limits: Pick<Limits, 'takeBytes'>; signal: AbortSignal },
  pieces: AsyncIterable<Uint8Array>,
  sizeBytes: number,
): Promise<string | null> {
  const found = await sumUpBody(paced(), sizeBytes);
  return found?.lengthBytes === sizeBytes ? found.sha256 : null;

  async function* paced() {
    for await (const piece of pieces) {
      await limits.takeBytes('download', piece.length, signal);
      yield piece;
    }
  }
}
