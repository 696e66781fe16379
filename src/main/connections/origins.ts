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

const ofThisComputer = /^(https?:\/\/)(?:127\.0\.0\.1|\[::1\])(?=[:/]|$)/;
const spelling = (origin: string) => origin.replace(ofThisComputer, '$1localhost');

/** Whether two results of `originOf` name one service. This computer has several names; each may be in a link or a list. */
export function isSameOrigin(one: string, other: string): boolean {
  return spelling(one) === spelling(other);
}
