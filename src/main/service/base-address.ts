import { type AppErrorOf } from '../../shared/errors.ts';
import { AppFailure } from '../../shared/app-failure.ts';

/** Where a service lives. All paths of the interface are relative to it. */
export interface BaseAddress {
  /** Scheme, host and port, as undici wants it. */
  origin: string;
  /** Path prefix without a slash at its end; empty when there is none. */
  prefix: string;
}

/**
 * Checks a service's base address. Without encryption only this computer is reached, unless the service says
 * `insecureAllowed`. Throws badAddress with the reason.
 */
export function parseBaseAddress(address: string, insecureAllowed = false): BaseAddress {
  const url = parseAddress(address, insecureAllowed);
  // Also an empty query or fragment, which URL forgets.
  if (url.href.includes('?')) refuse('query');
  return { origin: url.origin, prefix: url.pathname.replace(/\/+$/, '') };
}

/**
 * Where a list of classifications is read: an absolute address, or a path relative to the base address.
 * May have a query. Throws badAddress.
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

/** URL has already brought every spelling of an IP address (127.1, 0x7f000001, [0::1]) into one form. */
export function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}

function refuse(problem: AppErrorOf<'badAddress'>['problem']): never {
  throw new AppFailure({ code: 'badAddress', problem });
}
