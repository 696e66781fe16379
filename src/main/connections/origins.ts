import { parseBaseAddress } from '../service/base-address.ts';

type Address = { isLocal: boolean; baseAddress: string };

/** The built-in service is one and the same at whatever port it listens. */
export const localOrigin = 'local';

/** Which service an address leads to: scheme, host, port and path prefix, or `local`. Throws badAddress. */
export function originOf({ isLocal, baseAddress }: Address): string {
  if (isLocal) return localOrigin;
  const { origin, prefix } = parseBaseAddress(baseAddress, true);
  return origin + prefix;
}

/** Who sees a token that goes to an address: scheme, host and port, or `local`. A path makes no other. Throws badAddress. */
export function tokenOriginOf({ isLocal, baseAddress }: Address): string {
  return isLocal ? localOrigin : parseBaseAddress(baseAddress, true).origin;
}
