import { expect, test } from 'vitest';
import { pageHeaders, pagePolicy, previewHeaders, previewPolicy } from './content-security.ts';

test('the page may load nothing by default, and nothing from elsewhere', () => {
  expect(pagePolicy.startsWith("default-src 'none';")).toBe(true);
  const sources = pagePolicy.split('; ').flatMap((directive) => directive.split(' ').slice(1));
  expect(new Set(sources)).toEqual(new Set(["'none'", "'self'", 'blob:']));
  // Only audio and video may come from the page's memory.
  expect(pagePolicy.match(/[\w-]+ [^;]*blob:/g)).toEqual(["media-src 'self' blob:"]);
  for (const directive of ['base-uri', 'form-action', 'frame-ancestors']) {
    expect(pagePolicy).toContain(`${directive} 'none'`);
  }
});

test('a preview may do nothing, even if opened as a document', () => {
  expect(previewPolicy.split('; ')).toEqual(["default-src 'none'", 'sandbox', "frame-ancestors 'none'"]);
});

test('never guesses types, and neither stores nor shares previews', () => {
  for (const headers of [pageHeaders, previewHeaders])
    expect(headers['x-content-type-options']).toBe('nosniff');
  expect(previewHeaders['cache-control']).toBe('no-store');
  expect(previewHeaders['cross-origin-resource-policy']).toBe('same-origin');
});
