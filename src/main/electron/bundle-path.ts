import { extname, join, sep } from 'node:path';

const mediaTypes: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
  '.ttf': 'font/ttf',
  // Fonts and character maps of PDF.js.
  '.pfb': 'application/octet-stream',
  '.bcmap': 'application/octet-stream',
};

/**
 * The file of the page's bundle that a URL path refers to; null: outside of the folder, or not a type of file that
 * the bundle contains.
 */
export function findInBundle(folder: string, urlPath: string): { path: string; mediaType: string } | null {
  let name: string;
  try {
    name = decodeURIComponent(urlPath);
  } catch {
    return null; // not UTF-8
  }
  if (name.includes('\0') || name.includes('\\')) return null;
  const path = join(folder, name);
  const mediaType = mediaTypes[extname(path)];
  return mediaType && path.startsWith(folder + sep) ? { path, mediaType } : null;
}
