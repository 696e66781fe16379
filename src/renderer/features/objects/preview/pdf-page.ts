import { getDocument, GlobalWorkerOptions, PDFWorker } from 'pdfjs-dist';
// Vite gives their addresses.
// oxlint-disable import/default
import parserUrl from 'pdfjs-dist/build/pdf.worker.min.mjs?url';
import rendererUrl from 'pdfjs-dist/build/pdf.renderer.min.mjs?url';

/** A hostile or very large document is given up after this, in ms. */
const limitMs = 10_000;
/** Of the longer side of the page. */
const maxPx = 1600;
/** Larger images within the page are left out. */
const maxImagePixels = 50_000_000;

/**
 * The first page of a PDF, drawn. Threads of their own read and draw it, and are ended after it or when it takes too long, so that no
 * document holds the window up. Scripts of a document are never run, and nothing it refers to is fetched.
 * @throws if it is no PDF, needs a password, or takes too long
 */
export async function drawFirstPage(bytes: Blob, signal: AbortSignal): Promise<HTMLCanvasElement> {
  const parser = new Worker(parserUrl, { type: 'module' });
  const renderer = new Worker(rendererUrl, { type: 'module' });
  const stopped = AbortSignal.any([signal, AbortSignal.timeout(limitMs)]);
  try {
    return await untilAborted(draw(await bytes.arrayBuffer(), parser, renderer, stopped), stopped);
  } finally {
    parser.terminate();
    renderer.terminate();
  }
}

/** The work may go on after it. */
function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(new Error('stopped'));
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop);
    work.then(resolve, reject);
  });
}

async function draw(
  bytes: ArrayBuffer,
  parser: Worker,
  renderer: Worker,
  stopped: AbortSignal,
): Promise<HTMLCanvasElement> {
  const at = (folder: string) => new URL(`pdf/${folder}/`, document.baseURI).href;
  // getDocument takes it at once.
  GlobalWorkerOptions.rendererPorts = [renderer];
  const loading = getDocument({
    data: new Uint8Array(bytes),
    // Its declaration forgets the port.
    worker: new PDFWorker({ port: parser as never }),
    // Those beside the page look the same on every computer, and PDF.js takes what the system has in their place for them.
    useSystemFonts: false,
    standardFontDataUrl: at('standard_fonts'),
    cMapUrl: at('cmaps'),
    wasmUrl: at('wasm'),
    // The policy of the page allows none; scripts decode instead.
    useWasm: false,
    maxImageSize: maxImagePixels,
    verbosity: 0,
  });
  // Where a thread fails, PDF.js goes on in the page, until it is told. It also takes the fonts of the document out of the page.
  const end = () => loading.destroy();
  stopped.addEventListener('abort', () => void end().catch(() => undefined));
  try {
    const page = await (await loading.promise).getPage(1);
    const { width, height } = page.getViewport({ scale: 1 });
    const viewport = page.getViewport({ scale: maxPx / Math.max(width, height) });
    const canvas = document.createElement('canvas');
    canvas.width = Math.max(1, Math.round(viewport.width));
    canvas.height = Math.max(1, Math.round(viewport.height));
    await page.render({ canvas, viewport }).promise;
    return canvas;
  } finally {
    await end();
  }
}
