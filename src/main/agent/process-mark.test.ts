import { expect, test } from 'vitest';
import { isSigned, markOf, signRequest, type SecretsRequest } from './process-mark.ts';

const request: SecretsRequest = {
  ticket: 'ticket',
  key: 'key',
  serviceId: 'service',
  secrets: [{ name: 'PW', identifier: 'db/pw' }],
};

test('a signature is for the whole request', () => {
  const signed = signRequest(request);
  expect(isSigned(request, signed)).toBe(true);
  const others: Partial<SecretsRequest>[] = [
    { ticket: 'another' },
    { key: 'another' },
    { key: null },
    { serviceId: 'another' },
    { secrets: [{ name: 'PW', identifier: 'db/root' }] },
    { secrets: [...request.secrets, { name: 'PW2', identifier: 'db/root' }] },
  ];
  for (const other of others) expect(isSigned({ ...request, ...other }, signed)).toBe(false);
});

test('the name of a process fits the kernel’s 15 bytes', () => {
  expect(markOf(signRequest(request).signer)).toMatch(/^[\w-]{15}$/);
});
