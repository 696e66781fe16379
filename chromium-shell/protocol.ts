import type * as Electron from 'electron';
import { refuseWhenReady, theChromium } from './app.ts';
import type { CdpSession } from './cdp.ts';
import { provideOnly, refuse, sayOnce, unlessGone } from './refuse.ts';

/*
 * Chromium does not know our schemes, so `scheme://host/path` is mapped to `https://host.scheme.invalid/path`, an
 * address that no name server may answer (RFC 6761), and the debugger answers every request for it without opening a
 * port. Both are secure contexts with an origin of their own.
 */

type Handler = (request: Request) => Response | Promise<Response>;
const privileged = new Set<string>();
const handlers = new Map<string, Handler>();

export function toShown(address: string): string {
  const url = new URL(address);
  const scheme = url.protocol.slice(0, -1);
  if (!privileged.has(scheme)) return address;
  return `https://${url.host}.${scheme}.invalid${url.pathname}${url.search}${url.hash}`;
}

export function fromShown(address: string): string {
  const url = URL.parse(address);
  const [, host, scheme] = /^(.+)\.([a-z0-9+-]+)\.invalid$/.exec(url?.host ?? '') ?? [];
  if (!url || !host || !scheme || !privileged.has(scheme)) return address;
  return `${scheme}://${host}${url.pathname}${url.search}${url.hash}`;
}

/** `https://coffer.app.invalid` is the origin `app://coffer`. */
export const originFromShown = (origin: string): string =>
  fromShown(origin).replace(/^(?!https?:)(.+)\/$/, '$1');

export const protocol = provideOnly('protocol', {
  registerSchemesAsPrivileged: (schemes: Electron.CustomScheme[]): void => {
    refuseWhenReady('protocol.registerSchemesAsPrivileged');
    for (const { scheme, privileges } of schemes) {
      if (!privileges?.standard || !privileges.secure || privileges.bypassCSP) {
        refuse(`the scheme "${scheme}" must be standard and secure, and not bypass CSP`);
      }
      privileged.add(scheme);
    }
  },
  handle: (scheme: string, handler: Handler): void => {
    theChromium('protocol.handle');
    if (!privileged.has(scheme) && scheme !== 'http')
      refuse(`protocol.handle: "${scheme}" was not registered as privileged`);
    if (handlers.has(scheme)) refuse(`Failed to register protocol: ${scheme}`);
    handlers.set(scheme, handler);
  },
  isProtocolHandled: (scheme: string): boolean => handlers.has(scheme),
} satisfies Partial<Electron.Protocol>);

export type PausedDocument = { url: string; frameId: string; isRedirect: boolean };

/** Handles requests for our schemes; `mayLoad` decides about documents. Call before the first page is loaded. */
export async function interceptRequests(mayLoad: (paused: PausedDocument) => boolean): Promise<void> {
  const { browser } = theChromium('protocol');
  browser.on('Fetch.requestPaused', (paused) => {
    const { requestId, request, resourceType, frameId, redirectedRequestId } = paused;
    const url = fromShown(request.url);
    const isRefused =
      resourceType === 'Document' &&
      !mayLoad({ url, frameId, isRedirect: redirectedRequestId !== undefined });
    const done = isRefused
      ? browser.send('Fetch.failRequest', { requestId, errorReason: 'Aborted' })
      : url === request.url && !handlers.has(new URL(url).protocol.slice(0, -1))
        ? browser.send('Fetch.continueRequest', { requestId })
        : answer(browser, requestId, url, request, resourceType === 'Media');
    unlessGone(done);
  });
  const ours = [...privileged].map((scheme) => ({ urlPattern: `https://*.${scheme}.invalid/*` }));
  if (handlers.has('http')) ours.push({ urlPattern: 'http://*/*' });
  await browser.send('Fetch.enable', { patterns: [...ours, { urlPattern: '*', resourceType: 'Document' }] });
}

async function answer(
  browser: CdpSession,
  requestId: string,
  url: string,
  { method, headers, postData }: { method: string; headers: Record<string, string>; postData?: string },
  isForPlayer: boolean,
): Promise<void> {
  const handler = handlers.get(new URL(url).protocol.slice(0, -1));
  if (!handler) {
    await browser.send('Fetch.failRequest', { requestId, errorReason: 'AddressUnreachable' });
    return;
  }
  // Chromium requests it by itself, Electron does not.
  if (new URL(url).pathname === '/favicon.ico') {
    await browser.send('Fetch.fulfillRequest', { requestId, responseCode: 204 });
    return;
  }
  try {
    const request = new Request(url, {
      method,
      headers,
      ...(postData === undefined ? {} : { body: postData }),
    });
    const answered = await handler(request);
    const response = isForPlayer ? await firstPiece(answered, request.headers.get('range')) : answered;
    await browser.send('Fetch.fulfillRequest', {
      requestId,
      responseCode: response.status,
      responseHeaders: [...response.headers].map(([name, value]) => ({ name, value })),
      body: Buffer.from(await response.arrayBuffer()).toString('base64'),
    });
  } catch (cause) {
    sayOnce(`the protocol handler failed: ${String(cause)}`);
    await browser.send('Fetch.failRequest', { requestId, errorReason: 'Failed' });
  }
}

/** Bytes sent to a player at a time: the debugger takes whole bodies only, in base64. */
const playedBytes = 2 * 1024 * 1024;

/**
 * Outside http Chromium's player ignores status and `content-range`: for it a file ends `content-length` bytes after the place where it
 * asked to start (`ResourceMultiBufferDataProvider::DidReceiveResponse`). As the address is https here, it is told that length by a range
 * of its own, and asks for the rest.
 */
async function firstPiece(response: Response, range: string | null): Promise<Response> {
  const length = Number(response.headers.get('content-length'));
  if (!response.ok || !response.body || length === 0) return response;
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of response.body as AsyncIterable<Uint8Array>) {
    pieces.push(piece);
    bytes += piece.length;
    if (bytes >= playedBytes) break;
  }
  const start = Number(/^bytes=(\d+)-/.exec(range ?? '')?.[1] ?? 0);
  const headers = new Headers(response.headers);
  headers.set('content-length', String(bytes));
  headers.set('content-range', `bytes ${start}-${start + bytes - 1}/${start + length}`);
  return new Response(Buffer.concat(pieces), { status: 206, headers });
}
