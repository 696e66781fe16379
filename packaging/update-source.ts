/**
 * Where this build checks for newer versions, from COFFER_UPDATE_ADDRESS and COFFER_RELEASE_PAGE; null if neither is
 * set.
 * @throws if only one is set, or one is not a plain https address
 */
export function readUpdateSource(
  env: Record<string, string | undefined>,
): { address: string; releasePage: string } | null {
  const { COFFER_UPDATE_ADDRESS: address, COFFER_RELEASE_PAGE: releasePage } = env;
  if (!address && !releasePage) return null;
  return {
    address: requireHttps('COFFER_UPDATE_ADDRESS', address),
    releasePage: requireHttps('COFFER_RELEASE_PAGE', releasePage),
  };
}

function requireHttps(name: string, value: string | undefined): string {
  const url = URL.parse(value ?? '');
  if (url?.protocol === 'https:' && !url.username && !url.password) return url.href;
  throw new Error(`${name} has to be an https address without credentials, as the other one`);
}
