import { AppFailure, toAppError } from '../../shared/app-failure.ts';
import type { AppErrorOf } from '../../shared/errors.ts';

/**
 * A name and password for a proxy, and whether the proxy accepts them. A directory locks an account after a few wrong
 * tries.
 */
export interface ProxyCredentials {
  /** The value of `Proxy-Authorization`. */
  readonly authorization: string;
  wasRefused(): boolean;
  /**
   * Calls `send` with the credentials, or with null once they were refused, which is final. Until the proxy has
   * accepted them once, only one request at a time carries them, and the others wait. `send` rejects with proxyFailed
   * (passwordRefused) when the proxy refuses them.
   */
  present<T>(send: (authorization: string | null) => Promise<T>): Promise<T>;
}

export function createProxyCredentials(
  authorization: string,
  { isRefused = false, onRefused }: { isRefused?: boolean; onRefused?: () => void } = {},
): ProxyCredentials {
  let verdict: 'unknown' | 'taken' | 'refused' = isRefused ? 'refused' : 'unknown';
  let trial: Promise<void> | null = null;

  function learn(cause: unknown): void {
    const error = toAppError(cause);
    // Any other error says nothing about the credentials: the next request tries them.
    if (error?.code !== 'proxyFailed' || error.reason !== 'passwordRefused' || verdict === 'refused') return;
    verdict = 'refused';
    onRefused?.();
  }

  return {
    authorization,
    wasRefused: () => verdict === 'refused',
    async present(send) {
      while (verdict === 'unknown' && trial !== null) await trial;
      if (verdict === 'refused') return send(null);
      const sending = send(authorization);
      const known = sending.then(() => {
        if (verdict === 'unknown') verdict = 'taken';
      }, learn);
      if (verdict === 'unknown') trial = known.finally(() => (trial = null));
      await known;
      return sending;
    },
  };
}

export type ProxyProblem = AppErrorOf<'proxyFailed'>['reason'];

/** A proxy and how a request uses it. */
export interface ProxyServer {
  /** Scheme, host and port. */
  readonly origin: string;
  /** null: sends no credentials. */
  readonly proof: ProxyCredentials | null;
  /** Called before the request fails with this problem. */
  readonly onProblem?: (problem: ProxyProblem) => void;
}

/**
 * The proxy for an origin (scheme, host and port); null: none. Called before each request, except for this computer.
 * @throws AppFailure proxyFailed
 */
export type FindProxy = (origin: string) => Promise<ProxyServer | null>;

/**
 * The origin of a proxy's address; without a scheme it is http. Credentials are not allowed in it.
 * @throws AppFailure badProxyAddress
 */
export function parseProxyAddress(address: string): string {
  const text = address.trim();
  const url = URL.parse(text.includes('://') ? text : `http://${text}`);
  if (!url) return refuse('notUrl');
  if (url.protocol !== 'http:' && url.protocol !== 'https:') refuse('scheme');
  if (url.username || url.password) refuse('credentials');
  if (url.pathname !== '/' || /[?#]/.test(url.href)) refuse('path');
  return url.origin;
}

/** RFC 7617, in UTF-8. */
export function basicAuthorization(user: string, password: string): string {
  return `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
}

/** Reports the problem to `onProblem` and makes the error. */
export function proxyFailure(
  { origin, onProblem }: ProxyServer,
  reason: ProxyProblem,
  answered: number | null = null,
): AppFailure {
  onProblem?.(reason);
  return new AppFailure({ code: 'proxyFailed', reason, proxy: origin, answered });
}

/** Calls `send` with the proxy's credentials as headers, if it has any. */
export function proveTo<T>(
  { proof }: ProxyServer,
  send: (headers: Record<string, string>) => Promise<T>,
): Promise<T> {
  if (proof === null) return send({});
  return proof.present((authorization) =>
    send(authorization === null ? {} : { 'proxy-authorization': authorization }),
  );
}

/** Translates a proxy's refusal. @param offered its `Proxy-Authenticate` */
export function proxyRefusal(
  proxy: ProxyServer,
  status: number,
  offered: string | string[] | undefined,
): AppFailure {
  if (status !== 407) return proxyFailure(proxy, status >= 500 ? 'noWay' : 'denied', status);
  const schemes = [offered ?? 'Basic'].flat().join(',');
  if (!/(^|,)\s*basic\b/i.test(schemes)) return proxyFailure(proxy, 'passwordScheme', status);
  return proxyFailure(proxy, proxy.proof ? 'passwordRefused' : 'passwordMissing', status);
}

function refuse(problem: AppErrorOf<'badProxyAddress'>['problem']): never {
  throw new AppFailure({ code: 'badProxyAddress', problem });
}
