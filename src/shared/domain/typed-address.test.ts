import { expect, test } from 'vitest';
import { completeAddress, hostOf } from './service.ts';

test.each([
  ['', '', ''],
  ['  https://objects.test/api ', 'https://objects.test/api', 'objects.test'],
  ['objects.test', 'https://objects.test', 'objects.test'],
  ['objects.test:8443/api', 'https://objects.test:8443/api', 'objects.test:8443'],
  ['localhost:18222', 'http://localhost:18222', 'localhost:18222'],
  ['LOCALHOST', 'http://LOCALHOST', 'LOCALHOST'],
  ['127.0.0.1:80/x', 'http://127.0.0.1:80/x', '127.0.0.1:80'],
  ['[::1]:9000', 'http://[::1]:9000', '[::1]:9000'],
  ['localhost.evil.test', 'https://localhost.evil.test', 'localhost.evil.test'],
  ['127.0.0.1.evil.test', 'https://127.0.0.1.evil.test', '127.0.0.1.evil.test'],
  ['ftp://objects.test', 'ftp://objects.test', 'objects.test'],
  // Rejected later, with its own text.
  ['user@objects.test', 'https://user@objects.test', 'objects.test'],
  ['no address', 'https://no address', 'no address'],
])('%j means %s', (typed, address, host) => {
  expect(completeAddress(typed)).toBe(address);
  expect(hostOf(typed)).toBe(host);
});
