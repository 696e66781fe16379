import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ProxySetting } from '../../shared/domain/service.ts';
import { serve } from '../../../test-support/main/service/test-server.ts';
import { basicAuthorization } from '../service/proxy.ts';
import {
  answerLikeAService,
  createWorld,
  draftFor,
  errorOf,
  goodToken,
  start,
  startTestProxy,
  type World,
} from '../../../test-support/main/connections/test-services.ts';

const service = 'https://objects.test';
const system: ProxySetting = { kind: 'system' };

/** Waits until answers expire: the system is asked again after a minute. */
const answersAreOld = (world: World) => world.clock.delay(60_000);

describe('the system', () => {
  it("uses the system's PAC answer, and the environment if there is none", async () => {
    const world = await createWorld();
    const { proxies } = await start(world);
    const find = proxies.finderFor(system);
    for (const [pac, origin] of [
      ['DIRECT', undefined],
      ['', undefined],
      ['PROXY proxy.test:3128', 'http://proxy.test:3128'],
      ['proxy proxy.test:80; DIRECT', 'http://proxy.test'],
      ['HTTPS proxy.test:8443;DIRECT', 'https://proxy.test:8443'],
      ['SOCKS5 socks.test:1080; PROXY proxy.test:3128', 'http://proxy.test:3128'],
      ['SOCKS5 socks.test:1080; DIRECT', undefined],
      ['DIRECT; PROXY proxy.test:3128', undefined],
      ['PROXY [2001:db8::1]:3128', 'http://[2001:db8::1]:3128'],
    ] as const) {
      world.pac = pac;
      await answersAreOld(world);
      expect([pac, (await find(service))?.origin]).toEqual([pac, origin]);
    }
    world.environment['https_proxy'] = 'http://aino:p%40ss@env.test:3128';
    world.environment['NO_PROXY'] = 'other.test';
    expect((await find(service))?.origin).toBe('http://[2001:db8::1]:3128');
    world.pac = 'DIRECT';
    await answersAreOld(world);
    expect(await find('https://a.other.test')).toBeNull();
    expect(await find(service)).toMatchObject({
      origin: 'http://env.test:3128',
      proof: { authorization: basicAuthorization('aino', 'p@ss') },
    });
  });

  it('reports an unsupported kind of proxy without its password', async () => {
    const world = await createWorld();
    const { proxies } = await start(world);
    const failed = {
      code: 'proxyFailed',
      reason: 'unsupported',
      proxy: 'socks5://socks.test:1080',
      answered: null,
    };
    world.pac = 'SOCKS5 socks.test:1080';
    expect(await errorOf(proxies.finderFor(system)(service))).toEqual(failed);
    world.pac = 'DIRECT';
    await answersAreOld(world);
    world.environment['https_proxy'] = 'socks5://aino:secret@socks.test:1080';
    expect(await errorOf(proxies.finderFor(system)(service))).toEqual(failed);
  });

  it('skips an unreachable proxy for five minutes if there is an alternative', async () => {
    const world = await createWorld();
    world.pac = 'PROXY first.test:1; PROXY second.test:2';
    const { proxies } = await start(world);
    const find = proxies.finderFor(system);
    const first = await find(service);
    first?.onProblem?.('refused');
    const second = await find(service);
    expect([first?.origin, second?.origin]).toEqual(['http://first.test:1', 'http://second.test:2']);
    second?.onProblem?.('passwordMissing');
    expect((await find(service))?.origin).toBe('http://second.test:2');
    second?.onProblem?.('timeout');
    expect((await find(service))?.origin).toBe('http://first.test:1');
    await world.clock.delay(5 * 60_000);
    expect((await find(service))?.origin).toBe('http://first.test:1');
  });
});

describe('the credentials for a proxy', () => {
  const origin = 'http://proxy.test:3128';
  const given = { origin: 'proxy.test:3128', user: 'aino', password: 'p\u00e4ss' };
  const own: ProxySetting = { kind: 'own', address: 'proxy.test:3128' };
  const right = basicAuthorization('aino', 'p\u00e4ss');

  it('stores them in the keychain by origin, and finds them after a restart', async () => {
    const world = await createWorld();
    const first = await start(world);
    await first.handlers['proxies.signIn'](given);
    expect([...world.secrets.entries.keys()]).toEqual([`proxy:${origin}`]);
    const { proxies, handlers } = await start(world);
    expect(await proxies.finderFor(own)(service)).toMatchObject({ origin, proof: { authorization: right } });
    for (const other of ['https://proxy.test:3128', 'http://proxy.test:3129', 'http://other.test:3128']) {
      const found = await proxies.finderFor({ kind: 'own', address: other })(service);
      expect(found).toMatchObject({ origin: other, proof: null });
    }
    expect(await handlers['proxies.list'](undefined)).toEqual({
      proxies: [{ origin, user: 'aino', storedIn: 'keychain' }],
    });
    expect(JSON.stringify(await world.documents.list('proxies'))).not.toMatch(/aino|p\u00e4ss/);
    expect(world.log.lines.join()).not.toMatch(/p\u00e4ss/);

    // Another program's entry in our place is ignored.
    const ours = world.secrets.entries.get(`proxy:${origin}`) ?? '';
    world.secrets.entries.set(`proxy:${origin}`, 'hello');
    const { proxies: another } = await start(world);
    expect(await another.finderFor(own)(service)).toMatchObject({ proof: null });
    world.secrets.entries.set(`proxy:${origin}`, ours);

    await handlers['proxies.forget']({ origin });
    expect(world.secrets.entries.size).toBe(0);
    expect(await handlers['proxies.list'](undefined)).toEqual({ proxies: [] });
    expect(await proxies.finderFor(own)(service)).toMatchObject({ proof: null });
  });

  it('keeps them without a keychain until the app quits', async () => {
    const world = await createWorld();
    world.secrets.usable = false;
    const first = await start(world);
    await first.handlers['proxies.signIn'](given);
    expect(await first.handlers['proxies.list'](undefined)).toMatchObject({
      proxies: [{ storedIn: 'session' }],
    });
    expect(await first.proxies.finderFor(own)(service)).toMatchObject({ proof: { authorization: right } });
    expect(await world.documents.list('proxies')).toEqual([]);
    const { proxies } = await start(world);
    expect(await proxies.finderFor(own)(service)).toMatchObject({ proof: null });
  });

  it('does not send them again after a refusal until they are entered again', async () => {
    const proxy = await startTestProxy({ login: 'aino:right' });
    const world = await createWorld();
    const { handlers, connections } = await start(world);
    const signIn = (password: string) =>
      handlers['proxies.signIn']({ origin: proxy.origin, user: 'aino', password });
    const server = await serve(answerLikeAService);
    proxy.change({ hosts: { 'objects.test': server.port } });
    const { id } = await handlers['services.add']({
      draft: draftFor('http://objects.test', {
        insecureAllowed: true,
        proxy: { kind: 'own', address: proxy.origin },
      }),
      token: goodToken,
    });
    await connections.check(id);
    const service = async () => (await handlers['services.list'](undefined)).services[0];
    const failed = { code: 'proxyFailed', proxy: proxy.origin, answered: 407 };
    expect(await service()).toMatchObject({
      connection: 'unreachable',
      trouble: { ...failed, reason: 'passwordMissing' },
    });

    expect(await signIn('wrong')).toEqual({ isRefused: true });
    for (let round = 0; round < 3; round += 1) await connections.check(id);
    expect(await service()).toMatchObject({ trouble: { ...failed, reason: 'passwordRefused' } });
    const wrong = basicAuthorization('aino', 'wrong');
    const sent = () => proxy.requests.filter(({ head }) => head.includes(wrong));
    expect(sent()).toHaveLength(1);

    // They are still in the keychain, but are not sent after a restart either.
    const again = await start(world);
    await again.connections.check(id);
    const [after] = (await again.handlers['services.list'](undefined)).services;
    expect(after).toMatchObject({ trouble: { ...failed, reason: 'passwordRefused' } });
    expect(sent()).toHaveLength(1);
    // Entering the same ones again allows one more attempt.
    expect(
      await again.handlers['proxies.signIn']({ origin: proxy.origin, user: 'aino', password: 'wrong' }),
    ).toEqual({ isRefused: true });
    expect(sent()).toHaveLength(2);

    expect(await signIn('right')).toEqual({ isRefused: false });
    expect(await service()).toMatchObject({ connection: 'ready', trouble: null });
    const { connections: last } = await start(world);
    await last.check(id);
    expect(last.stateOf(id)).toBe('ready');
  });
});

it('never uses a proxy for this computer or for a service set to None', async () => {
  const proxy = await startTestProxy();
  const server = await serve(answerLikeAService);
  const world = await createWorld();
  const { handlers, connections } = await start(world);
  const hosts = ['127.0.0.1', 'localhost', '127.0.0.1.', '127.1', '0x7f000001', '[::ffff:127.0.0.1]'];
  const settings: ProxySetting[] = [system, { kind: 'none' }, { kind: 'own', address: proxy.origin }];
  const pacs = ['DIRECT', `PROXY 127.0.0.1:${proxy.port}`, `PROXY 127.0.0.1:${proxy.port}; DIRECT`];
  // These need no resolver, which may be so slow to say no to others that they use up the time.
  const certain = settings.flatMap((chosen) =>
    pacs.flatMap((pac) =>
      [true, false].map((isSet): [string, string, ProxySetting, string, boolean] => [
        '127.0.0.1',
        'http',
        chosen,
        pac,
        isSet,
      ]),
    ),
  );
  const { id } = await handlers['services.add']({ draft: draftFor(server.address), token: goodToken });
  let reached = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...hosts, 'objects.test'),
      fc.constantFrom('http', 'https'),
      fc.constantFrom(...settings),
      fc.constantFrom(...pacs),
      fc.boolean(),
      async (host, scheme, chosen, pac, isInEnvironment) => {
        world.pac = pac;
        world.environment['https_proxy'] = isInEnvironment ? proxy.origin : undefined;
        const used: ProxySetting = host === 'objects.test' ? { kind: 'none' } : chosen;
        const draft = draftFor(`${scheme}://${host}:${server.port}`, { insecureAllowed: true, proxy: used });
        await handlers['services.update']({ id, draft, unfinished: 'cancel' });
        await handlers['services.setToken']({ id, token: goodToken });
        const client = await connections.clientOf(id);
        const { code } = (await errorOf(client.headData('a'))) ?? { code: '' };
        if (code === 'missing') reached += 1;
        return ['missing', 'unreachable'].includes(code);
      },
    ),
    { numRuns: 60, examples: certain },
  );
  expect(reached).toBeGreaterThan(10);
  expect(proxy.requests).toEqual([]);
});
