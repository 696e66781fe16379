/** Where the window's page lives. A standard scheme, so that it has an origin of its own and 'self' means it. */
export const appScheme = 'app';
export const appHost = 'coffer';
export const appOrigin = `${appScheme}://${appHost}`;

/**
 * The page to load, and its origin. Only an unpackaged build listens to ELECTRON_RENDERER_URL, which
 * electron-vite sets in development.
 */
export function startPage(
  isPackaged: boolean,
  developmentUrl: string | undefined,
): { url: string; origin: string } {
  if (!isPackaged && developmentUrl) return { url: developmentUrl, origin: new URL(developmentUrl).origin };
  return { url: `${appOrigin}/index.html`, origin: appOrigin };
}
