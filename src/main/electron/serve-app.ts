// The bundle may be in app.asar, which only Electron's own fs can read.
import { readFile } from 'node:fs/promises';
import { net, protocol } from 'electron';
import { appOrigin, appHost, appScheme } from './app-origin.ts';
import { findInBundle } from './bundle-path.ts';
import { pageHeaders, previewHeaders } from './content-security.ts';

/** Returns the preview for a ticket, or the requested range of it. Its response gets its own CSP and `nosniff`. */
export type PreviewHandler = (ticket: string, range: string | null) => Promise<Response>;

/**
 * Call once, before `ready` (protocol.registerSchemesAsPrivileged). `standard` gives the scheme origins and relative
 * URLs, `secure` makes it a secure context; it never bypasses CSP.
 */
export function registerAppScheme(): void {
  protocol.registerSchemesAsPrivileged([
    { scheme: appScheme, privileges: { standard: true, secure: true, supportFetchAPI: true, stream: true } },
  ]);
}

/**
 * Call after `ready`. Serves the bundle in `folder` (absolute) and, under /preview/TICKET, previews.
 * @param origin of the page; in development that of Vite's server, which has no previews
 */
export function serveApp(folder: string, preview: PreviewHandler, origin: string): void {
  protocol.handle(appScheme, async (request) => {
    const url = new URL(request.url);
    if (url.host !== appHost || request.method !== 'GET') return refuse();
    const ticket = ticketOf(url);
    return ticket ? servePreview(ticket, request, preview) : serveFile(folder, url.pathname);
  });
  if (origin !== appOrigin) servePreviewsBeside(origin, preview);
}

/**
 * Handles a scheme that Chromium already has; other requests are passed on "with bypassCustomProtocolHandlers"
 * (net.fetch).
 */
function servePreviewsBeside(origin: string, preview: PreviewHandler): void {
  protocol.handle(new URL(origin).protocol.slice(0, -1), async (request) => {
    const url = new URL(request.url);
    const ticket = url.origin === origin ? ticketOf(url) : undefined;
    return ticket
      ? servePreview(ticket, request, preview)
      : net.fetch(request, { bypassCustomProtocolHandlers: true });
  });
}

const ticketOf = ({ pathname }: URL) => /^\/preview\/([\w-]{1,128})$/.exec(pathname)?.[1];

async function serveFile(folder: string, urlPath: string): Promise<Response> {
  const found = findInBundle(folder, urlPath);
  if (!found) return refuse();
  try {
    const bytes = await readFile(found.path);
    return new Response(bytes, { headers: { ...pageHeaders, 'content-type': found.mediaType } });
  } catch {
    return refuse(); // not in the bundle
  }
}

async function servePreview(ticket: string, request: Request, preview: PreviewHandler): Promise<Response> {
  const response = await preview(ticket, request.headers.get('range'));
  const headers = new Headers(response.headers);
  for (const [name, value] of Object.entries(previewHeaders)) headers.set(name, value);
  return new Response(response.body, { status: response.status, headers });
}

function refuse(): Response {
  return new Response(null, { status: 404, headers: pageHeaders });
}
