import type http from 'node:http';
import { describe, expect, it } from 'vitest';
import { AppFailure } from '../../shared/app-failure.ts';
import { serve } from '../../../test-support/main/service/test-server.ts';
import {
  createWorld,
  draftFor,
  errorOf,
  goodToken,
  start,
  type World,
} from '../../../test-support/main/connections/test-services.ts';
import { eventually } from '../../../test-support/eventually.ts';

const otherToken = 'other-token-1618033988';

/** A service that accepts and records every token. */
async function serveAnyone(answer?: http.RequestListener) {
  const tokens = new Set<string | undefined>();
  const server = await serve((request, response) => {
    tokens.add(request.headers.authorization?.replace('Bearer ', ''));
    if (answer) answer(request, response);
    else response.writeHead(request.headers.authorization ? 404 : 401).end();
  });
  return { ...server, tokens };
}

async function startAt(world: World, address: string) {
  const app = await start(world);
  const { id } = await app.handlers['services.add']({ draft: draftFor(address), token: goodToken });
  await app.connections.check(id);
  const update = (changes: Parameters<typeof draftFor>[1] = {}, unfinished: 'ask' | 'cancel' = 'ask') =>
    app.handlers['services.update']({ id, draft: draftFor(address, changes), unfinished });
  return { ...app, id, update };
}

describe('another address', () => {
  it('an old client never gets the new token and sends nothing more', async () => {
    const before = await serveAnyone();
    const after = await serveAnyone();
    const { handlers, connections, id, update } = await startAt(await createWorld(), before.address);
    const old = await connections.openFor(id);
    expect(old.origin).toBe(before.address);
    await update({ baseAddress: `${after.address}/api/` });
    await handlers['services.setToken']({ id, token: otherToken });
    expect(['tokenMissing', 'cancelled']).toContain((await errorOf(old.client.headData('x')))?.code);
    const next = await connections.openFor(id);
    expect(next.origin).toBe(`${after.address}/api`);
    expect(connections.originOf(id)).toBe(next.origin);
    expect((await errorOf(next.client.headData('x')))?.code).toBe('missing');
    expect(before.tokens).not.toContain(otherToken);
    expect(after.tokens).not.toContain(goodToken);
    expect(after.tokens).toContain(otherToken);
  });

  it.each(['bare', 'with its origin'])(
    'does not send there a token in a keychain that was locked meanwhile: %s',
    async (form) => {
      const before = await serveAnyone();
      const after = await serveAnyone();
      const world = await createWorld();
      const first = await startAt(world, before.address);
      if (form === 'bare') world.secrets.entries.set(first.id, goodToken);
      await first.stop();

      world.secrets.usable = false;
      const { handlers, connections } = await start(world);
      const draft = draftFor(after.address);
      await handlers['services.update']({ id: first.id, draft, unfinished: 'ask' });
      world.secrets.usable = true;
      expect(await handlers['services.check']({ id: first.id })).toMatchObject({
        connection: 'tokenMissing',
        tokenStoredIn: 'none',
      });
      const { client } = await connections.openFor(first.id);
      expect((await errorOf(client.headData('x')))?.code).toBe('tokenMissing');
      expect(after.tokens).not.toContain(goodToken);
    },
  );

  it('a locked keychain prevents the change, even if the token was never read', async () => {
    const world = await createWorld();
    const first = await startAt(world, 'https://a.test');
    await first.stop();
    const locked = () => Promise.reject(new AppFailure({ code: 'keychain', problem: 'locked' }));
    const unlocked = { ...world.secrets };
    Object.assign(world.secrets, { get: async () => null, set: locked, delete: locked });
    const again = await start(world);
    const moving = again.handlers['services.update']({
      id: first.id,
      draft: draftFor('https://b.test'),
      unfinished: 'ask',
    });
    expect(await errorOf(moving)).toEqual({ code: 'keychain', problem: 'locked' });
    expect(again.repository.get(first.id).baseAddress).toBe('https://a.test');
    Object.assign(world.secrets, unlocked);
    expect(world.secrets.entries.size).toBe(1);
  });

  it('the token is gone before the address is written', async () => {
    const world = await createWorld();
    const { id, update } = await startAt(world, 'https://a.test');
    const put = world.documents.put.bind(world.documents);
    const seen: boolean[] = [];
    world.documents.put = async (collection, key, value) => {
      seen.push(world.secrets.entries.has(id));
      await put(collection, key, value);
    };
    await update({ baseAddress: 'https://b.test' });
    expect(seen).toEqual([false]);
  });

  it('a path below the same host keeps the token', async () => {
    const service = await serveAnyone();
    const { id, update, connections } = await startAt(await createWorld(), service.address);
    const moved = await update({ baseAddress: `${service.address}/v2` });
    expect(moved.tokenStoredIn).toBe('keychain');
    const { client, origin } = await connections.openFor(id);
    expect(origin).toBe(`${service.address}/v2`);
    expect((await errorOf(client.headData('x')))?.code).toBe('missing');
  });

  it('notifies waiting callers when the service is ready at its new address', async () => {
    const before = await serveAnyone();
    const after = await serveAnyone();
    const { handlers, connections, id, update } = await startAt(await createWorld(), before.address);
    const told: string[] = [];
    connections.onReady((serviceId) => told.push(serviceId));
    await update({ baseAddress: after.address });
    expect(told).toEqual([]);
    await handlers['services.setToken']({ id, token: otherToken });
    expect(told).toEqual([id]);
  });

  it('asks while transfers are unfinished, and changes nothing before the answer', async () => {
    const world = await createWorld();
    const { id, update, repository, handlers } = await startAt(world, 'https://a.test');
    world.unfinished = 3;
    for (const baseAddress of ['https://b.test', 'https://a.test/prefix']) {
      expect(await errorOf(update({ baseAddress }))).toEqual({ code: 'serviceBusy', count: 3 });
    }
    expect(repository.get(id).baseAddress).toBe('https://a.test');
    expect((await handlers['services.list'](undefined)).services[0]?.tokenStoredIn).toBe('keychain');
    await update({ name: 'Another name' });
    expect(world.unfinished).toBe(3);
    await update({ baseAddress: 'https://b.test' }, 'cancel');
    expect(world.unfinished).toBe(0);
    expect(repository.get(id).baseAddress).toBe('https://b.test');
  });
});

describe('clients', () => {
  it('renaming keeps the client; a new route replaces it after its last request', async () => {
    const answer = Promise.withResolvers<http.ServerResponse>();
    const service = await serveAnyone((request, response) => {
      if (request.method === 'GET') answer.resolve(response.writeHead(200, { 'content-length': 5 }));
      else response.writeHead(request.headers.authorization ? 404 : 401).end();
      if (request.method === 'GET') response.write('he');
    });
    const { connections, id, update } = await startAt(await createWorld(), service.address);
    const { client } = await connections.openFor(id);
    await update({ name: 'Another name', identifierTemplate: '{name}' });
    expect((await connections.openFor(id)).client).toBe(client);

    const { body } = await client.downloadData('x');
    await update({ insecureAllowed: true });
    expect((await connections.openFor(id)).client).not.toBe(client);
    expect((await errorOf(client.headData('x')))?.code).toBe('cancelled');
    (await answer.promise).end('llo');
    expect(Buffer.concat(await body.toArray()).toString()).toBe('hello');
  });

  it('edits leave no open connections', async () => {
    const service = await serveAnyone();
    const { connections, id, update } = await startAt(await createWorld(), service.address);
    for (let edit = 0; edit < 10; edit += 1) {
      await update({ insecureAllowed: edit % 2 === 0 });
      const { client } = await connections.openFor(id);
      await errorOf(client.headData('x'));
    }
    await eventually(() => expect(service.sockets.size).toBeLessThanOrEqual(2));
  });
});

describe('concurrent changes', () => {
  const sort = { column: 'identifier', direction: 'ascending' } as const;
  const shown = {
    kind: 'data',
    place: { kind: 'all' },
    sorts: { files: sort, objects: sort, secrets: sort, gone: sort, recent: sort },
  } as const;
  /** Holds writes of services until they are released. */
  function holdWrites(world: World) {
    const put = world.documents.put.bind(world.documents);
    const breaker = Promise.withResolvers<void>();
    world.documents.put = async (collection, key, value) => {
      if (collection === 'services') await breaker.promise;
      await put(collection, key, value);
    };
    return breaker.resolve;
  }

  it('a remembered list and an edit both stay, in either order', async () => {
    for (const choiceFirst of [true, false]) {
      const world = await createWorld();
      const { handlers, id, update, repository } = await startAt(world, 'https://a.test');
      const letThrough = holdWrites(world);
      const works: (() => unknown)[] = [
        () => handlers['services.rememberShown']({ id, shown }),
        () => update({ baseAddress: 'https://b.test' }),
      ];
      const running = (choiceFirst ? works : works.toReversed()).map((work) => work());
      letThrough();
      await Promise.all(running);
      const expected = { baseAddress: 'https://b.test', shownList: shown };
      expect(repository.get(id)).toMatchObject(expected);
      expect(await world.documents.get('services', id)).toMatchObject(expected);
    }
  });

  it('two services added at the same time cannot share a name', async () => {
    const { handlers, repository } = await start(await createWorld());
    const add = (address: string) => handlers['services.add']({ draft: draftFor(address), token: 'one' });
    const results = await Promise.allSettled([add('https://a.test'), add('https://b.test')]);
    expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    expect(repository.list()).toHaveLength(1);
  });

  it('writes nothing for a service whose removal has begun', async () => {
    const world = await createWorld();
    const { handlers, id, update, repository, connections } = await startAt(world, 'https://a.test');
    const notFound = { code: 'notFound', what: 'service' };
    let meanwhile: unknown;
    world.onRemove = async () => {
      meanwhile = await errorOf(handlers['services.rememberShown']({ id, shown }));
    };
    const removal = handlers['services.remove']({ id, removeCatalogue: true });
    expect(await errorOf(update({ name: 'Back' }))).toEqual(notFound);
    await removal;
    expect(meanwhile).toEqual(notFound);
    expect(await errorOf(connections.openFor(id))).toEqual(notFound);
    expect(() => connections.originOf(id)).toThrow(AppFailure);
    expect(repository.list()).toEqual([]);
    expect(await world.documents.list('services')).toEqual([]);
  });

  it('a list that is being written when a removal begins does not bring the service back', async () => {
    const world = await createWorld();
    const { handlers, id, repository } = await startAt(world, 'https://a.test');
    const letThrough = holdWrites(world);
    const written = handlers['services.rememberShown']({ id, shown });
    const removal = handlers['services.remove']({ id, removeCatalogue: true });
    letThrough();
    await Promise.all([written, removal]);
    expect(repository.list()).toEqual([]);
    expect(await world.documents.list('services')).toEqual([]);
  });

  it('a removal that fails leaves the service as it is', async () => {
    const world = await createWorld();
    const { handlers, id, repository } = await startAt(world, 'https://a.test');
    world.onRemove = () => Promise.reject(new Error('no luck'));
    await expect(handlers['services.remove']({ id, removeCatalogue: true })).rejects.toThrow('no luck');
    expect(repository.get(id).baseAddress).toBe('https://a.test');
    expect((await handlers['services.list'](undefined)).activeId).toBe(id);
  });
});
