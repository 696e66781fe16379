const policy = (directives: string[]) => directives.join('; ');

/** For the page: only its own scripts, styles, images and fonts. */
export const pagePolicy = policy([
  "default-src 'none'",
  "script-src 'self'",
  // React sets style attributes through the CSSOM, which this allows; style elements and attributes in HTML are blocked.
  "style-src 'self'",
  "img-src 'self'",
  "font-src 'self'",
  // Audio and video are played from the page's memory, or as ranges of a preview.
  "media-src 'self' blob:",
  // Previews of text, audio and video are fetched.
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
]);

/** For previews, whose bytes are not trusted: opened as a document, they can do nothing. */
export const previewPolicy = policy(["default-src 'none'", 'sandbox', "frame-ancestors 'none'"]);

export const pageHeaders = {
  'content-security-policy': pagePolicy,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
} as const;

export const previewHeaders = {
  'content-security-policy': previewPolicy,
  'x-content-type-options': 'nosniff',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-store',
} as const;
