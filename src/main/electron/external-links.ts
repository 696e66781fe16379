/**
 * Whether an address may be opened in the browser: https, without credentials, and equal to or below one of `pages`
 * (such as `https://example.org/help`).
 */
export function isAllowedLink(address: string, pages: readonly string[]): boolean {
  const url = URL.parse(address);
  if (!url || url.protocol !== 'https:' || url.username || url.password) return false;
  return pages.some((page) => {
    const allowed = new URL(page);
    const folder = allowed.pathname.endsWith('/') ? allowed.pathname : `${allowed.pathname}/`;
    return url.origin === allowed.origin && `${url.pathname}/`.startsWith(folder);
  });
}
