/** Where the window's page lives. A standard scheme, so that it has an origin of its own and 'self' means it. */
export const appScheme = 'app';
export const appHost = 'coffer';
export const appOrigin = `${appScheme}://${appHost}`;

export type StartPage = { url: string; origin: string };

/**
 * The page to load, and its origin. Only an unpackaged build listens to ELECTRON_RENDERER_URL, which
 * electron-vite sets in development.
 */
export function startPage(isPackaged: boolean, developmentUrl: string | undefined): StartPage {
  if (!isPackaged && developmentUrl) {
    const { href, origin } = new URL(developmentUrl);
    return { url: href, origin };
  }
  return { url: `${appOrigin}/index.html`, origin: appOrigin };
}
