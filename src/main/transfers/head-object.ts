import { toAppError } from '../../shared/errors.ts';
import type { Seen } from './record.ts';
import type { StepContext } from './step.ts';

/** Section 4.1, Check Data. @throws GateClosed, AppFailure of anything but 404 */
export async function headObject(
  { send, client, signal }: Pick<StepContext, 'send' | 'client' | 'signal'>,
  identifier: string,
): Promise<Seen> {
  try {
    return { present: true, ...(await send(() => client.headData(identifier, { signal }))) };
  } catch (cause) {
    if (toAppError(cause)?.code === 'missing') return { present: false };
    throw cause;
  }
}
