import { expect, it } from 'vitest';
import type { ClassificationSource } from '../../shared/domain/service.ts';
import { openServiceRepository } from '../connections/service-repository.ts';
import { createServiceClient } from '../service/client.ts';
import { serve } from '../../../test-support/main/service/test-server.ts';
import { createTestLog, openTestDatabase } from '../../../test-support/main/test-ports.ts';
import { createClassifications } from './classifications.ts';

async function open(classificationSource: ClassificationSource, baseAddress = 'http://127.0.0.1:1') {
  const { documents } = await openTestDatabase();
  const repository = await openServiceRepository(documents, createTestLog());
  await repository.add({
    id: 'p',
    name: 'P',
    baseAddress,
    isLocal: false,
    insecureAllowed: false,
    maxObjectBytes: null,
    maxSecretBytes: null,
    allowsParts: true,
    proxy: { kind: 'system' },
    clientCertificate: null,
    authority: null,
    downloadFolder: null,
    classificationSource,
    identifierTemplate: '{path}',
    separator: '/',
    versionMark: '@{number}',
  });
  const client = createServiceClient({ baseAddress, getToken: () => 'token' });
  const reopen = async () => {
    const service = await createClassifications({
      repository,
      documents,
      connections: { clientOf: async () => client },
    });
    const list = (folder = '', refresh = false) =>
      service.handlers['classifications.list']({ serviceId: 'p', folder, refresh });
    return { service, list };
  };
  return { ...(await reopen()), documents, repository, reopen };
}

it("returns the service's list, or none", async () => {
  expect(await (await open({ kind: 'none' })).list()).toEqual({
    values: [],
    recent: [],
    start: null,
    preferred: null,
    error: null,
  });
  expect((await (await open({ kind: 'list', values: ['A', 'B'] })).list()).values).toEqual([
    { value: 'A', description: null },
    { value: 'B', description: null },
  ]);
});

it('loads once per session and on demand, and keeps the last answer if that fails', async () => {
  const names = ['A', 'B', ''];
  const { address } = await serve((_request, response) => {
    const name = names.shift();
    if (name) response.end(JSON.stringify([{ name, description: 'd' }]));
    else response.writeHead(500).end();
  });
  const { list } = await open({ kind: 'address', address: '/api/classifications' }, address);
  const first = { values: [{ value: 'A', description: 'd' }], error: null };
  expect(await list()).toMatchObject(first);
  expect(await list()).toMatchObject(first);
  expect(await list('', true)).toMatchObject({ values: [{ value: 'B' }], error: null });
  expect(await list('', true)).toMatchObject({ values: [{ value: 'B' }], error: { code: 'serverError' } });
});

it('a failed load returns no values and the reason', async () => {
  const { list } = await open({ kind: 'address', address: 'https://user:secret@x.test/' });
  expect(await list()).toMatchObject({ values: [], error: { code: 'badAddress', problem: 'credentials' } });
});

it('remembers the five newest choices, and the preference of each folder', async () => {
  const { service, list, documents } = await open({ kind: 'none' });
  for (const value of ['a', 'b', null, 'c', 'd', 'a', 'e']) await service.rememberUsed('p', value);
  const set = (folder: string, value: string | null) =>
    service.handlers['classifications.setPreferred']({ serviceId: 'p', folder, value });
  await set('', 'whole');
  await set('reports', 'part');
  await set('open', null);
  expect(await list()).toMatchObject({ recent: ['e', 'a', 'd', 'c', null], preferred: 'whole' });
  expect((await list('reports')).preferred).toBe('part');
  expect((await list('open')).preferred).toBeNull();
  expect((await list('elsewhere')).preferred).toBe('whole');
  await service.forgetService('p');
  expect(await documents.list('classifications')).toEqual([]);
});

it('starts with the last choice in the folder, or with a default set later', async () => {
  const { service, list } = await open({ kind: 'none' });
  const set = (folder: string, value: string | null) =>
    service.handlers['classifications.setPreferred']({ serviceId: 'p', folder, value });
  await set('', 'whole');
  await service.rememberUsed('p', 'last', 'reports');
  await service.rememberUsed('p', null, 'open');
  await service.rememberUsed('p', 'not chosen');
  expect(await list('reports')).toMatchObject({ start: 'last', preferred: 'whole' });
  expect(await list('open')).toMatchObject({ start: null, preferred: 'whole' });
  expect(await list()).toMatchObject({ start: 'whole', preferred: 'whole' });
  await set('reports', 'set');
  expect(await list('reports')).toMatchObject({ start: 'set', preferred: 'set' });
});

it('keeps the defaults that were set before folders were remembered', async () => {
  const { documents, reopen } = await open({ kind: 'none' });
  await documents.put('classifications', 'p', { recent: ['a'], preferred: [['', 'whole']] });
  const { service, list } = await reopen();
  expect(await list()).toMatchObject({ recent: ['a'], start: 'whole', preferred: 'whole' });
  await service.rememberUsed('p', 'b');
  expect(await list()).toMatchObject({ recent: ['b', 'a'], preferred: 'whole' });
});

it('remembers concurrent choices, and none for a removed service', async () => {
  const { service, list, documents, repository } = await open({ kind: 'none' });
  const prefer = (folder: string) =>
    service.handlers['classifications.setPreferred']({ serviceId: 'p', folder, value: folder });
  await Promise.all([
    service.rememberUsed('p', 'a'),
    prefer('x'),
    service.rememberUsed('p', 'b'),
    prefer('y'),
    service.rememberUsed('p', 'c'),
  ]);
  expect(await list('x')).toMatchObject({ recent: ['c', 'b', 'a'], preferred: 'x' });
  expect(await list('y')).toMatchObject({ preferred: 'y' });

  await repository.remove('p', false, async () => {
    const late = service.rememberUsed('p', 'd');
    await service.forgetService('p');
    await expect(late).rejects.toMatchObject({ error: { code: 'notFound' } });
  });
  expect(await documents.list('classifications')).toEqual([]);
});
