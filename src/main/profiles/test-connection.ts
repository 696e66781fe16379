import type { ConnectionReport } from '../../shared/contract.ts';
import { toAppError, type AppError, type AppErrorCode } from '../../shared/errors.ts';
import type { Clock } from '../ports.ts';
import { createServiceClient, type ServiceClientOptions } from '../service/client.ts';

type Step = ConnectionReport['steps'][number]['step'];
const steps: readonly Step[] = ['address', 'reach', 'certificate', 'token', 'service'];

/**
 * Asks a service whether it is there, can be trusted, takes the token and behaves like one. The first step that fails
 * ends it: to a service that is not trusted no token is sent.
 */
export async function testConnection(options: ServiceClientOptions, clock: Clock): Promise<ConnectionReport> {
  const url = URL.parse(options.baseAddress);
  const begunMs = clock.monotonicMs();
  const error = await tryToConnect(options);
  const elapsedMs = clock.monotonicMs() - begunMs;
  const failedAt = error ? steps.indexOf(stepsByError[error.code] ?? 'service') : steps.length;
  const encrypted = url?.protocol === 'https:';
  return {
    host: url?.host ?? '',
    ok: error === null,
    steps: steps.map((step, index) => {
      const isFailed = index === failedAt;
      const isTried = index <= failedAt && (step !== 'certificate' || encrypted);
      return {
        step,
        result: isFailed ? 'failed' : isTried ? 'passed' : 'notTried',
        // One request shows everything past the address: its time belongs to reaching the service.
        elapsedMs: step === 'reach' && isTried ? elapsedMs : null,
        error: isFailed ? error : null,
      };
    }),
  };
}

/** null: everything is as it should be. */
async function tryToConnect(options: ServiceClientOptions): Promise<AppError | null> {
  try {
    const client = createServiceClient(options);
    try {
      await client.probe();
      return null;
    } finally {
      await client.close();
    }
  } catch (cause) {
    const error = toAppError(cause);
    if (!error) throw cause;
    return error;
  }
}

/** Whatever else is answered does not come from a service that can be worked with. */
const stepsByError: Partial<Record<AppErrorCode, Step>> = {
  badAddress: 'address',
  unreachable: 'reach',
  answerTimeout: 'reach',
  connectionLost: 'reach',
  badAuthorityFile: 'certificate',
  certificateNotTrusted: 'certificate',
  tokenMissing: 'token',
  tokenRefused: 'token',
  // The characters of a token that cannot stand in a header.
  invalidInput: 'token',
};
