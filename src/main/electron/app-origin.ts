/** The scheme of the window's page: a standard one, so that the page has an origin, and 'self' refers to it. */
export const appScheme = 'app';
export const appHost = 'coffer';
export const appOrigin = `${appScheme}://${appHost}`;

export type StartPage = { url: string; origin: string };

/**
 * The page to load, and its origin. Only unpackaged builds use ELECTRON_RENDERER_URL, which electron-vite sets in
 * development.
 */
export function startPage(isPackaged: boolean, developmentUrl: string | undefined): StartPage {
  if (!isPackaged && developmentUrl) {
    const { href, origin } = new URL(developmentUrl);
    return { url: href, origin };
  }
  return { url: `${appOrigin}/index.html`, origin: appOrigin };
}
