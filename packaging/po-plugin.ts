import type { Plugin } from 'vite';
import { readFile } from 'node:fs/promises';
import { readCatalogue } from './read-po.ts';

/** Turns `import { catalogue } from './de.po'` into a table of translations by key. */
export function poFiles(): Plugin {
  return {
    name: 'coffer-po-files',
    async load(id) {
      if (!id.endsWith('.po')) return null;
      this.addWatchFile(id);
      const catalogue = readCatalogue(await readFile(id, 'utf8'));
      return { code: `export const catalogue = ${JSON.stringify(catalogue)};`, moduleType: 'js' };
    },
  };
}
