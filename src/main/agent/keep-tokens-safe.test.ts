import { expect, test } from 'vitest';
import type { Service, ServiceDraft } from '../../shared/domain/service.ts';
import { keepTokensSafe } from './keep-tokens-safe.ts';

const id = crypto.randomUUID();
const keep = { kind: 'keep' } as const;
const draft: ServiceDraft = {
  name: 'Work',
  baseAddress: 'https://objects.test',
  insecureAllowed: false,
  maxObjectBytes: null,
  maxSecretBytes: null,
  allowsParts: true,
  proxy: { kind: 'system' },
  clientCertificate: keep,
  authority: keep,
  downloadFolder: keep,
  classificationSource: { kind: 'none' },
  identifierTemplate: '{path}',
  separator: '/',
  versionMark: '@{number}',
};
const service = { ...draft, id, clientCertificate: null, authority: null } as unknown as Service;
const passed = { ok: true, value: 'passed on' } as const;
const router = keepTokensSafe(async (name) =>
  name === 'services.list' ? { ok: true, value: { services: [service] } } : passed,
);
const refused = { ok: false, error: { code: 'tokenMissing' } };

test.each<[change: string, Partial<ServiceDraft>]>([
  ['address', { baseAddress: 'https://evil.test' }],
  ['scheme', { insecureAllowed: true }],
  ['proxy', { proxy: { kind: 'own', address: 'http://evil.test:3128' } }],
  ['authority', { authority: { kind: 'grant', grant: 'file' } }],
  ['client certificate', { clientCertificate: { kind: 'grant', grant: 'file' } }],
])('a command that changes the %s must bring the token', async (_name, change) => {
  const other = { ...draft, ...change };
  for (const name of ['services.test', 'services.tryObject']) {
    expect(await router(name, { draft: other, token: null, serviceId: id })).toEqual(refused);
    expect(await router(name, { draft: other, token: 'mine', serviceId: id })).toEqual(passed);
    // Without a service there is no stored token.
    expect(await router(name, { draft: other, token: null, serviceId: null })).toEqual(passed);
  }
  expect(await router('services.update', { id, draft: other, unfinished: 'ask' })).toEqual(refused);
  expect(await router('services.update', { id, draft: other, token: 'mine', unfinished: 'ask' })).toEqual(
    passed,
  );
});

test('other changes and calls pass', async () => {
  const renamed = { ...draft, name: 'Home', maxObjectBytes: 5, authority: { kind: 'none' } };
  expect(await router('services.update', { id, draft: renamed, unfinished: 'ask' })).toEqual(passed);
  expect(await router('services.update', { id })).toEqual(passed);
  expect(await router('app.info', undefined)).toEqual(passed);
});
