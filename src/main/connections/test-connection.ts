import type { ConnectionReport } from '../../shared/contract.ts';
import { type AppError, type AppErrorCode } from '../../shared/errors.ts';
import { toAppError } from '../../shared/app-failure.ts';
import type { Clock } from '../ports.ts';
import { createServiceClient, type ServiceClient, type ServiceClientOptions } from '../service/client.ts';
import { named } from './certificate-file.ts';
import type { StoredService } from './service-repository.ts';

type Step = ConnectionReport['steps'][number]['step'];
const steps: readonly Step[] = ['address', 'proxy', 'reach', 'certificate', 'token', 'service'];

export interface TestedConnection extends Omit<ServiceClientOptions, 'clientCertificate'> {
  certificate: StoredService['clientCertificate'];
  passphrase: string | null;
}

/**
 * Tests whether a service is reachable, trusted, accepts the token and follows the interface. The first step that fails
 * ends the test: an untrusted service gets no token.
 */
export async function testConnection(tested: TestedConnection, clock: Clock): Promise<ConnectionReport> {
  const url = URL.parse(tested.baseAddress);
  const encrypted = url?.protocol === 'https:';
  let proxy: string | null = null;
  const begunMs = clock.monotonicMs();
  const error = await tryToConnect(tested, encrypted ? url.host : null, (origin) => (proxy = origin));
  const elapsedMs = clock.monotonicMs() - begunMs;
  if (error?.code === 'proxyFailed') proxy = error.proxy;
  const failedAt = error ? steps.indexOf(stepsByError[error.code] ?? 'service') : steps.length;
  const isSkipped: Partial<Record<Step, boolean>> = { certificate: !encrypted, proxy: proxy === null };
  // If the client cannot be made, only the address was checked.
  const isBegun = error === null || !unusable.has(error.code);
  return {
    host: url?.host ?? '',
    proxy,
    ok: error === null,
    steps: steps.map((step, index) => {
      const isFailed = index === failedAt;
      const isPassed = index < failedAt && isSkipped[step] !== true && (isBegun || step === 'address');
      return {
        step,
        result: isFailed ? 'failed' : isPassed ? 'passed' : 'notTried',
        // A single request covers all steps after the address; its time counts as reaching the service.
        elapsedMs: step === 'reach' && (isFailed || isPassed) ? elapsedMs : null,
        error: isFailed ? error : null,
        ...(step === 'service' && isPassed && { isUnproven: true }),
      };
    }),
  };
}

/** Throws badAddress, badAuthorityFile, badClientCertificate. */
export function clientFor({ certificate, passphrase, ...options }: TestedConnection): ServiceClient {
  return named(certificate, () =>
    createServiceClient({
      ...options,
      clientCertificate: certificate
        ? { pfx: Buffer.from(certificate.pfx, 'base64'), passphrase }
        : undefined,
    }),
  );
}

/** null: the service answered. @param host for encrypted connections; null: unencrypted */
async function tryToConnect(
  { certificate, passphrase, findProxy, ...options }: TestedConnection,
  host: string | null,
  onProxy: (origin: string) => void,
): Promise<AppError | null> {
  try {
    const client = clientFor({
      ...options,
      certificate,
      passphrase,
      async findProxy(origin) {
        const proxy = (await findProxy?.(origin)) ?? null;
        if (proxy) onProxy(proxy.origin);
        return proxy;
      },
    });
    try {
      await client.probe();
      return null;
    } finally {
      await client.close();
    }
  } catch (cause) {
    const error = toAppError(cause);
    if (!error) throw cause;
    // Many services close the connection if they do not accept the certificate.
    const isClosed =
      error.code === 'connectionLost' || (error.code === 'unreachable' && error.reason === 'reset');
    if (!isClosed || host === null || certificate === null) return error;
    return { code: 'clientCertificateRefused', reason: 'closed', host };
  }
}

const unusable = new Set<AppErrorCode>(['badProxyAddress', 'badAuthorityFile', 'badClientCertificate']);

/** Any other response does not come from a service that implements the interface. */
const stepsByError: Partial<Record<AppErrorCode, Step>> = {
  badAddress: 'address',
  badProxyAddress: 'proxy',
  proxyFailed: 'proxy',
  unreachable: 'reach',
  answerTimeout: 'reach',
  connectionLost: 'reach',
  badAuthorityFile: 'certificate',
  certificateNotTrusted: 'certificate',
  badClientCertificate: 'certificate',
  clientCertificateRefused: 'certificate',
  tokenMissing: 'token',
  tokenRefused: 'token',
  // A token with characters that are invalid in a header.
  invalidInput: 'token',
};
