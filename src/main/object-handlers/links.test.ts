import { expect, it, vi } from 'vitest';
import type { ObjectState } from '../../shared/domain/object.ts';
import type { StoredService } from '../connections/service-repository.ts';
import { openTestDatabase } from '../../../test-support/main/test-ports.ts';
import { makeLink } from '../object-link.ts';
import { createLinks } from './links.ts';

async function open(...addresses: string[]) {
  const { catalogue } = await openTestDatabase();
  const services = addresses.map(
    (baseAddress, index) => ({ id: `s${index}`, baseAddress, isLocal: baseAddress === '' }) as StoredService,
  );
  const publish = vi.fn<() => void>();
  const copied: string[] = [];
  const links = createLinks({
    repository: {
      list: () => services,
      get: (id) => services.find((each) => each.id === id) as StoredService,
    },
    catalogue,
    desktop: { writeClipboardText: async (text) => void copied.push(text) },
    publisher: { publish },
  });
  const add = async (
    serviceId: string,
    identifier: string,
    state: ObjectState = 'stored',
    movedTo?: string,
  ) => {
    const patch = { state, ...(movedTo !== undefined && { movedTo }) };
    const [added] = await catalogue.add(serviceId, [{ kind: 'data', identifier, patch }]);
    return added?.record.id ?? 0;
  };
  return {
    links,
    copied,
    publish,
    add,
    take: async () => (await links.handlers['links.take'](undefined)).link,
  };
}

it('opens a copied link once, at its service, whatever the spelling of the address', async () => {
  const { links, copied, publish, add, take } = await open(
    'https://Objects.example.org:443/v1/',
    'https://other.test',
  );
  const id = await add('s0', 'reports/a b.pdf');
  await links.handlers['links.copy']({ objectId: id });
  const [link = ''] = copied;
  expect(link).not.toMatch(/token/i);
  links.open(link);
  expect(publish).toHaveBeenCalledWith('links.opened', undefined);
  expect(await take()).toEqual({
    kind: 'object',
    address: 'https://objects.example.org/v1',
    identifier: 'reports/a b.pdf',
    services: [
      { serviceId: 's0', isAtAddress: true, objectId: id },
      { serviceId: 's1', isAtAddress: false, objectId: null },
    ],
  });
  expect(await take()).toBeNull();
});

it('looks for a deleted object again', async () => {
  const { links, add, take } = await open('');
  await add('s0', 'a', 'gone');
  links.open(makeLink({ address: 'local', identifier: 'a' }));
  expect(await take()).toMatchObject({ services: [{ isAtAddress: true, objectId: null }] });
});

it('shows only the newest link, and reports an invalid one', async () => {
  const { links, take } = await open('');
  links.open(makeLink({ address: 'local', identifier: 'a' }));
  links.open(makeLink({ address: 'local', identifier: 'b' }));
  expect(await take()).toMatchObject({ identifier: 'b', services: [{ isAtAddress: true, objectId: null }] });
  links.open('coffer://delete?everything');
  expect(await take()).toEqual({ kind: 'unreadable' });
});

it('leads to a renamed object, however often it was renamed', async () => {
  const { links, add, take } = await open('https://a.test');
  await add('s0', 'a', 'gone', 'b');
  await add('s0', 'b', 'gone', 'c');
  const id = await add('s0', 'c');
  await add('s0', 'round', 'gone', 'about');
  await add('s0', 'about', 'gone', 'round');
  const objectIdOf = async (identifier: string) => {
    links.open(makeLink({ address: 'https://a.test', identifier }));
    const link = await take();
    return link?.kind === 'object' ? link.services[0]?.objectId : undefined;
  };
  expect(await objectIdOf('a')).toBe(id);
  expect(await objectIdOf('round')).toBe(null);
});
