import { beforeEach, expect, it, vi } from 'vitest';
import { createFakeMain } from '../../../../../test-support/renderer/testing.tsx';
import { drawFirstPage } from './pdf-page.ts';

const pdf = vi.hoisted(() => ({ opened: [] as Record<string, unknown>[] }));
vi.mock('pdfjs-dist', () => ({
  GlobalWorkerOptions: {},
  PDFWorker: class {},
  getDocument: (options: Record<string, unknown>) => {
    pdf.opened.push(options);
    return { promise: Promise.reject(new Error('not a PDF')), destroy: async () => undefined };
  },
}));

beforeEach(() => {
  vi.stubGlobal(
    'Worker',
    class {
      addEventListener(): void {}
      terminate(): void {}
    },
  );
});

it('PDF.js asks the page for its own files, whatever the scheme, and runs no WebAssembly', async () => {
  const { client } = createFakeMain();
  client.memoryBytes = async () => 0;
  const drawing = drawFirstPage(client, new Blob(['%PDF']), new AbortController().signal);
  await expect(drawing).rejects.toThrow('not a PDF');
  expect(pdf.opened).toMatchObject([{ useWorkerFetch: false, useWasm: false, useSystemFonts: false }]);
});
