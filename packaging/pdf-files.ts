import { readFile, readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';

const packageFolder = dirname(fileURLToPath(import.meta.resolve('pdfjs-dist/package.json')));
/** The files we use: no WebAssembly (the page's policy forbids it), no document scripts, no forms. */
const wanted =
  /^(standard_fonts\/.*\.(pfb|ttf)|cmaps\/.*\.bcmap|wasm\/(jbig2|openjpeg)_nowasm_fallback\.js)$/;

/**
 * Copies the fonts, character maps and decoders that PDF.js loads by name to `pdf/` beside the page. Not in development,
 * where system fonts replace them.
 */
export function pdfFiles(): Plugin {
  return {
    name: 'coffer-pdf-files',
    async generateBundle() {
      for (const folder of ['standard_fonts', 'cmaps', 'wasm']) {
        for (const name of await readdir(join(packageFolder, folder))) {
          if (!wanted.test(`${folder}/${name}`)) continue;
          const source = await readFile(join(packageFolder, folder, name));
          this.emitFile({ type: 'asset', fileName: `pdf/${folder}/${name}`, source });
        }
      }
    },
  };
}
