import { expect, test } from 'vitest';
import { isAllowedLink } from './external-links.ts';

const pages = ['https://example.org/help', 'https://docs.example.org/'];

test.each([
  'https://example.org/help',
  'https://example.org/help/upload?x=1#y',
  'https://docs.example.org/',
  'https://docs.example.org/any',
])('%s may be opened', (address) => {
  expect(isAllowedLink(address, pages)).toBe(true);
});

test.each([
  'http://example.org/help',
  'https://example.org/',
  'https://example.org/helpless',
  'https://example.org/help/../admin',
  'https://example.org.evil.test/help',
  'https://example.org:8443/help',
  'https://user@example.org/help',
  'https://user:pass@docs.example.org/',
  'file:///etc/passwd',
  'javascript:alert(1)',
  'smb://example.org/help',
  'not an address',
  '',
])('%s may not', (address) => {
  expect(isAllowedLink(address, pages)).toBe(false);
});
