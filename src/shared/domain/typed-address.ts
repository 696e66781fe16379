const hasScheme = /^[a-z][a-z0-9+.-]*:\/\//i;
const ofThisComputer = /^(localhost|127(\.\d+){1,3}|\[::1\])(?=[:/?]|$)/i;

/** Completes a typed address: without a scheme, https, or http for this computer. Trims it. */
export function completeAddress(typed: string): string {
  const address = typed.trim();
  if (address === '' || hasScheme.test(address)) return address;
  return `${ofThisComputer.test(address) ? 'http' : 'https'}://${address}`;
}

const authority = /^[^:]+:\/\/(?:[^/?#@]*@)?([^/?#\s]+)(?=[/?#]|$)/;

/** Host and port of a typed address; the typed text if it cannot be parsed. */
export function hostOf(typed: string): string {
  return authority.exec(completeAddress(typed))?.[1] ?? typed.trim();
}
