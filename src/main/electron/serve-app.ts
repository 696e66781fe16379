import { readFile } from 'node:fs/promises';
import { protocol } from 'electron';
import { appHost, appScheme } from './app-origin.ts';
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

/** After `ready`. Serves the bundle in `folder` (absolute) and, under /preview/TICKET, previews. */
export function serveApp(folder: string, preview: PreviewHandler): void {
  protocol.handle(appScheme, async (request) => {
    const url = new URL(request.url);
    if (url.host !== appHost || request.method !== 'GET') return refuse();
    const ticket = /^\/preview\/([\w-]{1,128})$/.exec(url.pathname)?.[1];
    return ticket ? servePreview(ticket, preview) : serveFile(folder, url.pathname);
  });
}

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
