const policy = (directives: string[]) => directives.join('; ');

/** The page: its own scripts, styles, pictures and fonts, and nothing from anywhere else. */
export const pagePolicy = policy([
  "default-src 'none'",
  "script-src 'self'",
  // React sets style attributes through the CSSOM, which this allows; style elements and attributes in HTML it does not.
  "style-src 'self'",
  "img-src 'self'",
  "font-src 'self'",
  // Text previews are fetched.
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
]);

/** A preview: bytes of someone else's. Should it ever be opened as a document, it may do nothing at all. */
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
