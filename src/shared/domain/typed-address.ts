const hasScheme = /^[a-z][a-z0-9+.-]*:\/\//i;
const ofThisComputer = /^(localhost|127(\.\d+){1,3}|\[::1\])(?=[:/?]|$)/i;

/** The address that a person means: without a scheme it is https, for this computer http. Trims it. */
export function completeAddress(typed: string): string {
  const address = typed.trim();
  if (address === '' || hasScheme.test(address)) return address;
  return `${ofThisComputer.test(address) ? 'http' : 'https'}://${address}`;
}

const authority = /^[^:]+:\/\/(?:[^/?#@]*@)?([^/?#\s]+)(?=[/?#]|$)/;

/** The host of a typed address, with its port; what was typed if there is none. */
export function hostOf(typed: string): string {
  return authority.exec(completeAddress(typed))?.[1] ?? typed.trim();
}
