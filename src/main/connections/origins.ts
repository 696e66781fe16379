import { perObject } from '../lib/per-object.ts';
import { parseBaseAddress } from '../service/base-address.ts';

type Address = { isLocal: boolean; baseAddress: string };

/** The built-in service is the same at any port. */
export const localOrigin = 'local';

/** Identity of the service at an address: scheme, host, port and path prefix, or `local`. @throws AppFailure badAddress */
export const originOf = perObject(({ isLocal, baseAddress }: Address): string => {
  if (isLocal) return localOrigin;
  const { origin, prefix } = parseBaseAddress(baseAddress, true);
  return origin + prefix;
});

/** Scheme, host and port, or `local`, whatever the path: a token is never carried over to another. @throws AppFailure badAddress */
export function tokenOriginOf({ isLocal, baseAddress }: Address): string {
  return isLocal ? localOrigin : parseBaseAddress(baseAddress, true).origin;
}
