import type { Client } from '../../../app/client.ts';
import { allocationRefused } from './limit-allocations.ts';
import { limitMemory, MemoryExceeded } from './memory-limit.ts';
import { getDocument, GlobalWorkerOptions, PDFWorker } from 'pdfjs-dist';
// Vite turns `?url` imports into addresses.
// oxlint-disable import/default
import parserUrl from './pdf-parser.ts?worker&url';
import rendererUrl from 'pdfjs-dist/build/pdf.renderer.min.mjs?url';

/** Timeout in ms for hostile or very large documents. */
const limitMs = 10_000;
/** Longer side of the drawn page, in pixels. */
const maxPx = 1600;
/** Larger images within the page are omitted. */
const maxImagePixels = 50_000_000;

/** Draws one at a time, because the memory of each is what the page grows by meanwhile. */
let drawn: Promise<unknown> = Promise.resolve();

/** A drawn page, and the number of pages of its document. */
export type DrawnPage = { canvas: HTMLCanvasElement; pageCount: number };

/**
 * Draws a page of a PDF. Two workers parse and draw it and are terminated afterwards, so that no document can block the window
 * or fill the memory. Never runs scripts of a document, and fetches nothing it refers to.
 * @throws MemoryExceeded; a DOMException named TimeoutError if it takes too long; another error if it is not a PDF, or needs a password
 */
export function drawPage(
  client: Client,
  bytes: Blob,
  number: number,
  signal: AbortSignal,
): Promise<DrawnPage> {
  const mine = drawn.then(() => drawInWorkers(client, bytes, number, signal));
  drawn = mine.catch(() => undefined);
  return mine;
}

export async function drawFirstPage(
  client: Client,
  bytes: Blob,
  signal: AbortSignal,
): Promise<HTMLCanvasElement> {
  return (await drawPage(client, bytes, 1, signal)).canvas;
}

async function drawInWorkers(
  client: Client,
  bytes: Blob,
  number: number,
  signal: AbortSignal,
): Promise<DrawnPage> {
  signal.throwIfAborted();
  const ended = new AbortController();
  const refused = new AbortController();
  const stopped = AbortSignal.any([
    signal,
    refused.signal,
    AbortSignal.timeout(limitMs),
    limitMemory(client, AbortSignal.any([signal, ended.signal])),
  ]);
  const parser = new Worker(parserUrl, { type: 'module' });
  const renderer = new Worker(rendererUrl, { type: 'module' });
  parser.addEventListener('error', ({ message }) => {
    if (message.includes(allocationRefused)) refused.abort(new MemoryExceeded());
  });
  try {
    return await untilAborted(draw(await bytes.arrayBuffer(), number, parser, renderer, stopped), stopped);
  } finally {
    ended.abort();
    parser.terminate();
    renderer.terminate();
  }
}

/** Rejects on abort, but does not stop the work. */
function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason as Error);
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop);
    work.then(resolve, reject);
  });
}

async function draw(
  bytes: ArrayBuffer,
  number: number,
  parser: Worker,
  renderer: Worker,
  stopped: AbortSignal,
): Promise<DrawnPage> {
  const at = (folder: string) => new URL(`pdf/${folder}/`, document.baseURI).href;
  // getDocument takes the port synchronously.
  GlobalWorkerOptions.rendererPorts = [renderer];
  const loading = getDocument({
    data: new Uint8Array(bytes),
    // The type declaration lacks the port.
    worker: new PDFWorker({ port: parser as never }),
    // Bundled fonts look the same on every computer; PDF.js would prefer those of the system.
    useSystemFonts: false,
    standardFontDataUrl: at('standard_fonts'),
    cMapUrl: at('cmaps'),
    wasmUrl: at('wasm'),
    // PDF.js would decide by the scheme: by fetch in the worker for https, by XMLHttpRequest in the page for `app:` (isValidFetchUrl).
    useWorkerFetch: false,
    // Blocked by the Content Security Policy; JavaScript decoders are used instead.
    useWasm: false,
    maxImageSize: maxImagePixels,
    verbosity: 0,
  });
  // If a worker fails, PDF.js continues in the page until destroyed. Destroying also removes the document's fonts from the page.
  const end = () => loading.destroy();
  stopped.addEventListener('abort', () => void end().catch(() => undefined));
  try {
    const pdf = await loading.promise;
    const page = await pdf.getPage(number);
    const { width, height } = page.getViewport({ scale: 1 });
    const viewport = page.getViewport({ scale: maxPx / Math.max(width, height) });
    const canvas = document.createElement('canvas');
    canvas.width = Math.max(1, Math.round(viewport.width));
    canvas.height = Math.max(1, Math.round(viewport.height));
    await page.render({ canvas, viewport }).promise;
    return { canvas, pageCount: pdf.numPages };
  } finally {
    await end();
  }
}
