// The bundle may lie in app.asar, which Electron's own fs reads.
import { readFile } from 'node:fs/promises';
import { net, protocol } from 'electron';
import { appOrigin, appHost, appScheme } from './app-origin.ts';
import { findInBundle } from './bundle-path.ts';
import { pageHeaders, previewHeaders } from './content-security.ts';

/** Answers the preview that a ticket stands for. Its own CSP and `nosniff` are put on whatever comes back. */
export type PreviewHandler = (ticket: string) => Promise<Response>;

/**
 * Before `ready`, and once (protocol.registerSchemesAsPrivileged). `standard` gives the scheme origins and
 * relative URLs, `secure` makes it a secure context; it never bypasses CSP.
 */
export function registerAppScheme(): void {
  protocol.registerSchemesAsPrivileged([
    { scheme: appScheme, privileges: { standard: true, secure: true, supportFetchAPI: true, stream: true } },
  ]);
}

/**
 * After `ready`. Serves the bundle in `folder` (absolute) and, under /preview/TICKET, previews.
 * @param origin of the page; in development that is a server's, which knows no previews
 */
export function serveApp(folder: string, preview: PreviewHandler, origin: string): void {
  protocol.handle(appScheme, async (request) => {
    const url = new URL(request.url);
    if (url.host !== appHost || request.method !== 'GET') return refuse();
    const ticket = ticketOf(url);
    return ticket ? servePreview(ticket, preview) : serveFile(folder, url.pathname);
  });
  if (origin !== appOrigin) servePreviewsBeside(origin, preview);
}

/** A scheme that Chromium has is handled too; everything else goes its way "with bypassCustomProtocolHandlers" (net.fetch). */
function servePreviewsBeside(origin: string, preview: PreviewHandler): void {
  protocol.handle(new URL(origin).protocol.slice(0, -1), async (request) => {
    const url = new URL(request.url);
    const ticket = url.origin === origin ? ticketOf(url) : undefined;
    return ticket
      ? servePreview(ticket, preview)
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

async function servePreview(ticket: string, preview: PreviewHandler): Promise<Response> {
  const response = await preview(ticket);
  const headers = new Headers(response.headers);
  for (const [name, value] of Object.entries(previewHeaders)) headers.set(name, value);
  return new Response(response.body, { status: response.status, headers });
}

function refuse(): Response {
  return new Response(null, { status: 404, headers: pageHeaders });
}
