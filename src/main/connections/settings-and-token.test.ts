import type { TLSSocket } from 'node:tls';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { Input } from '../../shared/contract.ts';
import { AppFailure } from '../../shared/app-failure.ts';
import type { ServiceDraft } from '../../shared/domain/service.ts';
import { keepTokensSafe } from '../agent/keep-tokens-safe.ts';
import { createRouter } from '../ipc/router.ts';
import { serve, serveTls } from '../../../test-support/main/service/test-server.ts';
import { fixture, fixtureFile, passphrase } from '../../../test-support/main/service/pfx.ts';
import {
  createWorld,
  draftFor,
  errorOf,
  goodToken,
  start,
  startTestProxy,
  type World,
} from '../../../test-support/main/connections/test-services.ts';
import { eventually } from '../../../test-support/eventually.ts';

type App = Awaited<ReturnType<typeof start>>;
type Update = Omit<Input<'services.update'>, 'id' | 'unfinished'>;
const strangersToken = 'strangers-token-2718281828';
const keep = { kind: 'keep' } as const;

const ways = ['proxy', 'path of the address', 'authority', 'client certificate'] as const;
type Way = (typeof ways)[number];

/**
 * A service as its person has set it up, and as a program sets it up to get the token.
 * `seen`: tokens that went the program's way.
 */
async function startServices(way: Way, world: World) {
  const seen = new Set<string>();
  const grant = (name: string): ServiceDraft['authority'] => {
    const [given = ''] = world.grants.grant([fileURLToPath(fixtureFile(name))]);
    return { kind: 'grant', grant: given };
  };
  const answer =
    (
      isStrangers: (request: Parameters<Parameters<typeof serve>[0]>[0]) => boolean,
    ): Parameters<typeof serve>[0] =>
    (request, response) => {
      const token = request.headers.authorization?.replace('Bearer ', '');
      if (token !== undefined && isStrangers(request)) seen.add(token);
      response.writeHead(token === undefined ? 401 : 404).end();
    };
  const isPlain = way === 'proxy' || way === 'path of the address';
  const path = '/stranger';
  if (isPlain) {
    const { port } = await serve(answer(({ url = '' }) => url.startsWith(path)));
    const proxy = await startTestProxy({ hosts: { 'objects.test': port } });
    const other = await serve(answer(() => true));
    const strangersProxy = await startTestProxy({ hosts: { 'objects.test': other.port } });
    const mine = draftFor('http://objects.test', {
      insecureAllowed: true,
      proxy: { kind: 'own', address: proxy.origin },
    });
    const strangers: ServiceDraft =
      way === 'proxy'
        ? { ...mine, proxy: { kind: 'own', address: strangersProxy.origin } }
        : { ...mine, baseAddress: `http://objects.test${path}` };
    return { mine, strangers, seen };
  }
  if (way === 'authority') {
    // Somebody between the proxy and the service, who is not trusted until the service's settings name their authority.
    const { port } = await serveTls(
      fixture('named-host.pem'),
      answer(() => true),
    );
    const proxy = await startTestProxy({ hosts: { 'objects.test': port } });
    const mine = draftFor('https://objects.test', { proxy: { kind: 'own', address: proxy.origin } });
    return { mine, strangers: { ...mine, authority: grant('named-host-ca.pem') }, seen };
  }
  const { port } = await serveTls(
    fixture('trusted.pem'),
    answer(({ socket }) => Object.keys((socket as TLSSocket).getPeerCertificate()).length > 0),
    { requestCert: true, ca: fixture('client-ca.pem') },
  );
  const mine = draftFor(`https://127.0.0.1:${port}`, { authority: grant('ca.pem') });
  return {
    mine,
    strangers: { ...mine, authority: keep, clientCertificate: grant('client.pfx') },
    seen,
  };
}

async function startWith(way: Way) {
  const world = await createWorld();
  const service = await startServices(way, world);
  const app = await start(world);
  const { id } = await app.handlers['services.add']({ draft: service.mine, token: goodToken });
  await app.connections.check(id);
  /** What a program sends as a command, with a token of its own. */
  const attack: Update = {
    draft: service.strangers,
    token: strangersToken,
    ...(way === 'client certificate' && { passphrase }),
  };
  return { ...service, world, app, id, attack };
}

const update = (app: App, id: string, changes: Update) =>
  app.handlers['services.update']({ id, unfinished: 'ask', ...changes });

/** Sends requests one after the other until told to stop. @returns the errors of all */
function keepAsking({ connections }: App, id: string) {
  let isOver = false;
  const errors: string[] = [];
  const ask = async () => {
    while (!isOver) {
      const { client } = await connections.openFor(id);
      errors.push((await errorOf(client.headData('x')))?.code ?? '');
    }
  };
  const asked = Promise.all([ask(), ask(), ask()]);
  return async () => {
    isOver = true;
    await asked;
    return errors;
  };
}

describe.each(ways)("another %s with another's token", (way) => {
  it('never gets the stored token from requests that run meanwhile', async () => {
    const { world, app, id, attack, seen } = await startWith(way);
    const { set } = world.secrets;
    // As long as a keychain may take.
    world.secrets.set = async (account, value) => {
      await delay(200);
      await set(account, value);
    };
    const stop = keepAsking(app, id);
    await update(app, id, attack);
    await eventually(() => expect([...seen]).toContain(strangersToken));
    expect(await stop()).not.toContain('tokenMissing');
    expect([...seen]).toEqual([strangersToken]);
  });

  it('never gets it after a crash in between', async () => {
    const { world, app, id, attack, seen } = await startWith(way);
    const reached = Promise.withResolvers<void>();
    const { set } = world.secrets;
    world.secrets.set = async (account) => {
      if (account === id) reached.resolve();
      await new Promise(() => undefined);
    };
    if (way === 'client certificate')
      world.secrets.set = (account, value) =>
        account === id ? (reached.resolve(), new Promise(() => undefined)) : set(account, value);
    void update(app, id, attack);
    await reached.promise;
    world.secrets.set = set;
    const again = await start(world);
    await again.connections.check(id);
    expect([...seen]).toEqual([]);
  });

  it.each(['timeout', 'unavailable'] as const)(
    'never gets it after a restart, if the keychain failed to take the new one: %s',
    async (problem) => {
      const { world, attack, id, seen, app } = await startWith(way);
      await app.stop();
      const usable = { ...world.secrets };
      const fail = () => Promise.reject(new AppFailure({ code: 'keychain', problem }));
      // The whole time, as for a program that starts the command without a session bus.
      Object.assign(world.secrets, { get: fail, set: fail, delete: fail });
      const without = await start(world);
      await update(without, id, attack);
      without.keys.close();
      await without.stop();
      Object.assign(world.secrets, usable);
      const again = await start(world);
      await again.connections.check(id);
      expect([...seen].filter((token) => token !== strangersToken)).toEqual([]);
    },
  );
});

describe('a command without a token', () => {
  async function startCommand(way: Way) {
    const started = await startWith(way);
    const { app, world, id, strangers } = started;
    const router = keepTokensSafe(createRouter(async () => app.handlers, world.log));
    const { passphrase: opens } = started.attack;
    const draft = { draft: strangers, ...(opens !== undefined && { passphrase: opens }) };
    return {
      ...started,
      update: () => router('services.update', { id, unfinished: 'ask', ...draft }),
      test: (name: 'services.test' | 'services.tryObject') =>
        router(name, { serviceId: id, token: null, ...draft }),
      rename: () =>
        router('services.update', {
          id,
          unfinished: 'ask',
          draft: { ...started.mine, authority: keep, clientCertificate: keep, name: 'Another' },
        }),
    };
  }
  const refused = { ok: false, error: { code: 'tokenMissing' } };

  it.each(ways)('cannot have the stored one sent with another %s', async (way) => {
    const { update, test, rename, seen } = await startCommand(way);
    expect(await test('services.test')).toEqual(refused);
    expect(await test('services.tryObject')).toEqual(refused);
    expect(await update()).toEqual(refused);
    expect([...seen]).toEqual([]);
    expect(await rename()).toMatchObject({ ok: true, value: { name: 'Another', tokenStoredIn: 'keychain' } });
  });

  it('judges it by the settings at its turn, not at its call', async () => {
    const { app, id, mine, attack, update: commandUpdate, seen } = await startCommand('proxy');
    await update(app, id, attack);
    await app.connections.check(id);
    // The person puts it right; the command's call, which would change nothing by now, waits for its turn.
    const mended = update(app, id, { draft: mine, token: goodToken });
    const late = commandUpdate();
    await mended;
    expect(await late).toEqual(refused);
    await app.connections.check(id);
    expect([...seen]).toEqual([strangersToken]);
  });
});

describe('the person, in the window', () => {
  it.each(ways)('keeps the token with another %s, also after a restart', async (way) => {
    const { world, app, id, attack, seen } = await startWith(way);
    const { token: _token, ...withoutToken } = attack;
    const stop = keepAsking(app, id);
    expect(await update(app, id, withoutToken)).toMatchObject({ tokenStoredIn: 'keychain' });
    await eventually(() => expect([...seen]).toEqual([goodToken]));
    expect(await stop()).not.toContain('tokenMissing');
    await app.stop();
    const again = await start(world);
    expect(await again.handlers['services.check']({ id })).toMatchObject({
      connection: 'ready',
      tokenStoredIn: 'keychain',
    });
  });

  it('enters a token that was refused, and the service is checked with it', async () => {
    const { app, id, mine, world } = await startWith('proxy');
    world.secrets.entries.clear();
    const again = await start(world);
    await again.connections.check(id);
    expect(again.connections.stateOf(id)).toBe('tokenMissing');
    await update(again, id, { draft: mine, token: goodToken });
    await eventually(() => expect(again.connections.stateOf(id)).toBe('ready'));
    await app.stop();
  });

  it.each(ways)('loses nothing if another %s cannot be written', async (way) => {
    const { world, app, id, attack, seen } = await startWith(way);
    const put = world.documents.put.bind(world.documents);
    world.documents.put = () => Promise.reject(new Error('the disk is full'));
    await expect(update(app, id, attack)).rejects.toThrow('the disk is full');
    world.documents.put = put;
    expect(await app.handlers['services.check']({ id })).toMatchObject({ tokenStoredIn: 'keychain' });
    await app.stop();
    const again = await start(world);
    expect(await again.handlers['services.check']({ id })).toMatchObject({ tokenStoredIn: 'keychain' });
    expect([...seen]).toEqual([]);
  });

  it('loses nothing if the keychain removes one credential and then locks', async () => {
    const { world, app, id, attack, mine } = await startWith('client certificate');
    const { token: _token, ...withCertificate } = attack;
    await update(app, id, withCertificate);
    const remove = world.secrets.delete;
    world.secrets.delete = (account) =>
      account === id
        ? remove(account)
        : Promise.reject(new AppFailure({ code: 'keychain', problem: 'locked' }));
    const draft = { ...mine, baseAddress: 'https://elsewhere.test', authority: keep };
    expect(await errorOf(update(app, id, { draft }))).toEqual({ code: 'keychain', problem: 'locked' });
    expect(await app.handlers['services.check']({ id })).toMatchObject({
      baseAddress: mine.baseAddress,
      connection: 'ready',
      tokenStoredIn: 'keychain',
      clientCertificate: { passphraseStoredIn: 'keychain' },
    });
  });
});
