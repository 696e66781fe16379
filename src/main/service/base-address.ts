import { type AppErrorOf } from '../../shared/errors.ts';
import { AppFailure } from '../../shared/app-failure.ts';

/** A service's address. All paths of the interface are relative to it. */
export interface BaseAddress {
  /** Scheme, host and port, in undici's format. */
  origin: string;
  /** Path prefix without a trailing slash; may be empty. */
  prefix: string;
}

/**
 * Parses and checks a service's base address. Plain http is allowed for this computer only, unless `insecureAllowed`.
 * @throws AppFailure badAddress, with the reason
 */
export function parseBaseAddress(address: string, insecureAllowed = false): BaseAddress {
  const url = parseAddress(address, insecureAllowed);
  // `href` also shows an empty query or fragment, which URL's properties drop.
  if (url.href.includes('?')) refuse('query');
  return { origin: url.origin, prefix: url.pathname.replace(/\/+$/, '') };
}

/**
 * Resolves the address of a list of classifications: absolute, or relative to the base address. May have a query.
 * @throws AppFailure badAddress
 */
export function resolveAddress(base: BaseAddress, address: string, insecureAllowed = false): URL {
  if (/^[a-z][a-z0-9+.-]*:/i.test(address.trim())) return parseAddress(address, insecureAllowed);
  // Joined as text, so that `//elsewhere` or a leading slash cannot leave the base's origin.
  return parseAddress(`${base.origin}${base.prefix}/${address.trim().replace(/^[/\\]+/, '')}`, true);
}

function parseAddress(address: string, insecureAllowed: boolean): URL {
  const url = URL.parse(address);
  if (!url) return refuse('notUrl');
  if (url.protocol !== 'https:' && url.protocol !== 'http:') refuse('scheme');
  if (url.username || url.password) refuse('credentials');
  if (url.href.includes('#')) refuse('fragment');
  if (url.protocol === 'http:' && !insecureAllowed && !isLoopback(url.hostname)) refuse('insecure');
  return url;
}

/** Host and port of an origin, which URL has normalised: parsing it again for each request costs more than the rest of its address. */
export function hostOf(origin: string): string {
  return origin.slice(origin.indexOf('//') + 2);
}

/** URL has already normalised every spelling of an IP address (127.1, 0x7f000001, [0::1]). */
export function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}

function refuse(problem: AppErrorOf<'badAddress'>['problem']): never {
  throw new AppFailure({ code: 'badAddress', problem });
}
