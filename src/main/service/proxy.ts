import { type AppErrorOf } from '../../shared/errors.ts';
import { AppFailure } from '../../shared/app-failure.ts';
import type { ProxyCredentials } from './proxy-credentials.ts';

export type ProxyProblem = AppErrorOf<'proxyFailed'>['reason'];

/** A proxy, as a request is to use it. */
export interface ProxyServer {
  /** Scheme, host and port. */
  readonly origin: string;
  /** null: nothing is proven to it. */
  readonly proof: ProxyCredentials | null;
  /** What was met; called before the request fails for it. */
  readonly onProblem?: (problem: ProxyProblem) => void;
}

/**
 * Which proxy an origin (scheme, host and port) is reached over, null: none. Asked before each request, and never for this
 * computer. @throws AppFailure proxyFailed
 */
export type FindProxy = (origin: string) => Promise<ProxyServer | null>;

/**
 * The origin of a proxy's address; without a scheme it is http. Its name and password do not belong into it.
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

/** Tells the proxy's owner, and makes the error. */
export function proxyFailure(
  { origin, onProblem }: ProxyServer,
  reason: ProxyProblem,
  answered: number | null = null,
): AppFailure {
  onProblem?.(reason);
  return new AppFailure({ code: 'proxyFailed', reason, proxy: origin, answered });
}

/** Sends what the proxy may ask a password for, with the headers that prove us to it. */
export function proveTo<T>(
  { proof }: ProxyServer,
  send: (headers: Record<string, string>) => Promise<T>,
): Promise<T> {
  if (proof === null) return send({});
  return proof.present((authorization) =>
    send(authorization === null ? {} : { 'proxy-authorization': authorization }),
  );
}

/** What the refusal of a proxy means. @param offered its `Proxy-Authenticate` */
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
