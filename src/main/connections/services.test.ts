import type { ServerResponse } from 'node:http';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { serviceSchema, type ServiceDraft } from '../../shared/domain/service.ts';
import { AppFailure } from '../../shared/app-failure.ts';
import { serve, serveTls } from '../../../test-support/main/service/test-server.ts';
import {
  answerLikeAService,
  createWorld,
  draftFor,
  errorOf,
  goodToken,
  start,
} from '../../../test-support/main/connections/test-services.ts';
import { eventually } from '../../../test-support/eventually.ts';

const certificates = new URL('../service/fixtures/', import.meta.url);

describe('services', () => {
  it('adds the first one, makes it active, and loads it after a restart', async () => {
    const { address } = await serve(answerLikeAService);
    const world = await createWorld();
    const first = await start(world);
    const added = await first.handlers['services.add']({ draft: draftFor(address), token: goodToken });
    expect(serviceSchema.parse(added)).toEqual(added);
    expect(added).toMatchObject({
      name: 'Meridian',
      downloadFolderLabel: '~/Downloads/Meridian',
      tokenStoredIn: 'keychain',
      isLocal: false,
    });
    expect([...world.secrets.entries.keys()]).toEqual([added.id]);
    const entry = JSON.parse(world.secrets.entries.get(added.id) ?? '') as unknown;
    expect(entry).toEqual({ version: 2, route: expect.any(String), token: goodToken });
    expect(first.services.countStoredTokens()).toBe(1);
    await first.stop();

    const again = await start(world);
    again.services.start();
    await eventually(async () => {
      expect(await again.handlers['services.list'](undefined)).toMatchObject({
        activeId: added.id,
        services: [{ connection: 'ready', tokenStoredIn: 'keychain' }],
      });
    });
  });

  it("remembers each service's last list, and skips invalid places", async () => {
    const { address } = await serve(answerLikeAService);
    const world = await createWorld();
    const first = await start(world);
    const { id } = await first.handlers['services.add']({ draft: draftFor(address), token: goodToken });
    const shown = {
      kind: 'data',
      place: { kind: 'folder', path: 'reports/2026' },
      sorts: {
        files: { column: 'size', direction: 'ascending' },
        objects: { column: 'state', direction: 'ascending' },
        secrets: { column: 'identifier', direction: 'ascending' },
        gone: { column: 'checked', direction: 'descending' },
        recent: { column: 'stored', direction: 'descending' },
      },
    } as const;
    await first.handlers['services.rememberShown']({ id, shown });
    await first.stop();
    const again = await start(world);
    const list = await again.handlers['services.list'](undefined);
    expect(list.shownLists).toEqual({ [id]: shown });
    expect(list.services[0]).not.toHaveProperty('shownList');
    await again.stop();
    const stored = await world.documents.get('services', id);
    // Of a version before *Files*, folders had the order of all objects.
    const { files: _, ...sorts } = shown.sorts;
    await world.documents.put('services', id, { ...Object(stored), shownList: { ...shown, sorts } });
    const former = await start(world);
    const read = await former.handlers['services.list'](undefined);
    const byName = { column: 'identifier', direction: 'ascending' };
    expect(read.shownLists?.[id]).toEqual({ ...shown, sorts: { ...sorts, files: byName } });
    await former.stop();
    await world.documents.put('services', id, { ...Object(stored), shownList: { kind: 'elsewhere' } });
    const third = await (await start(world)).handlers['services.list'](undefined);
    expect(third).toMatchObject({ services: [{ id }], shownLists: {} });
  });

  it('keeps favourites with their service, each once', async () => {
    const { address } = await serve(answerLikeAService);
    const world = await createWorld();
    const first = await start(world);
    const { id } = await first.handlers['services.add']({ draft: draftFor(address), token: goodToken });
    const folder = { kind: 'data', place: { kind: 'folder', path: 'reports' }, search: '' } as const;
    const large = { kind: 'data', place: { kind: 'all' }, search: 'size:>1mb' } as const;
    const keep = async (favourite: typeof folder | typeof large, isKept: boolean) =>
      first.handlers['services.keepFavourite']({ id, favourite, isKept });
    const named = { ...large, name: 'Large ones' };
    await Promise.all([keep(folder, true), keep(large, true), keep(folder, true), keep(named, true)]);
    await first.stop();
    const again = await start(world);
    const listOf = async () => (await again.handlers['services.list'](undefined)).favourites?.[id];
    expect(await listOf()).toEqual([folder, named]);
    const move = async (favourite: typeof folder | typeof large, by: 1 | -1) =>
      again.handlers['services.moveFavourite']({ id, favourite, by });
    await move(large, -1);
    await move(large, -1); // the first already
    expect(await listOf()).toEqual([named, folder]);
    await move(large, 1);
    expect(await listOf()).toEqual([folder, named]);
    await again.handlers['services.keepFavourite']({ id, favourite: large, isKept: false });
    expect(await listOf()).toEqual([folder]);
    for (let count = 1; count < 50; count += 1)
      await again.handlers['services.keepFavourite']({
        id,
        favourite: { ...folder, search: `${count}` },
        isKept: true,
      });
    await expect(async () =>
      again.handlers['services.keepFavourite']({ id, favourite: large, isKept: true }),
    ).rejects.toMatchObject({ error: { code: 'invalidInput', field: 'favourite' } });
  });

  it('never shows the token: not in answers, events, documents, log', async () => {
    const { address } = await serve(answerLikeAService);
    const world = await createWorld();
    const { handlers, connections } = await start(world);
    const badToken = 'wrong-token-2718281828';
    const added = await handlers['services.add']({ draft: draftFor(address), token: badToken });
    await connections.check(added.id);
    const outputs = [
      added,
      await handlers['services.check']({ id: added.id }),
      await handlers['services.setToken']({ id: added.id, token: goodToken }),
      await handlers['services.test']({ draft: draftFor(address), token: badToken, serviceId: null }),
      await handlers['services.list'](undefined),
      world.publisher.events,
      world.log.lines,
      await world.documents.list('services'),
    ];
    expect(JSON.stringify(outputs)).not.toMatch(/wrong-token|right-token/);
  });

  it('strips the line end of a pasted token, and refuses invalid characters', async () => {
    const { address } = await serve(answerLikeAService);
    const world = await createWorld();
    const { handlers } = await start(world);
    const added = await handlers['services.add']({ draft: draftFor(address), token: `${goodToken}\n` });
    expect([...world.secrets.entries.values()]).toEqual([expect.stringContaining(`"${goodToken}"`)]);
    for (const token of ['a b', ' ', 'ü']) {
      expect(await errorOf(handlers['services.setToken']({ id: added.id, token }))).toMatchObject({
        code: 'invalidInput',
        field: 'token',
      });
    }
  });

  it('reads the token once a keychain that was locked at the start is unlocked', async () => {
    const { address } = await serve(answerLikeAService);
    const world = await createWorld();
    const first = await start(world);
    const { id } = await first.handlers['services.add']({ draft: draftFor(address), token: goodToken });
    world.secrets.usable = false;
    const again = await start(world);
    expect(await again.handlers['services.check']({ id })).toMatchObject({ connection: 'tokenMissing' });
    world.secrets.usable = true;
    expect(await again.handlers['services.check']({ id })).toMatchObject({
      connection: 'ready',
      tokenStoredIn: 'keychain',
    });
    expect(again.keys.keychainError()).toBeNull();
  });

  it.each(['timeout', 'locked'] as const)(
    'asks a keychain again automatically after a timeout, but not if it would prompt the person (%s)',
    async (problem) => {
      const { address } = await serve(answerLikeAService);
      const world = await createWorld();
      const first = await start(world);
      const { id } = await first.handlers['services.add']({ draft: draftFor(address), token: goodToken });
      const { get } = world.secrets;
      world.secrets.get = () => Promise.reject(new AppFailure({ code: 'keychain', problem }));
      const { handlers, connections } = await start(world);
      world.clock.delays.length = 0;
      expect(await handlers['services.check']({ id })).toMatchObject({
        connection: 'tokenMissing',
        trouble: { code: 'keychain', problem },
      });
      world.secrets.get = get;
      const asksAgain = problem === 'timeout';
      expect(world.clock.delays.length > 0).toBe(asksAgain);
      await eventually(() => expect(connections.stateOf(id)).toBe(asksAgain ? 'ready' : 'tokenMissing'));
    },
  );

  it('without a keychain, keeps the token for the session and reports that', async () => {
    const { address } = await serve(answerLikeAService);
    const world = await createWorld();
    world.secrets.usable = false;
    const { handlers, keys, connections } = await start(world);
    expect(keys.keychainError()).toEqual({ code: 'keychain', problem: 'unavailable' });
    const added = await handlers['services.add']({ draft: draftFor(address), token: goodToken });
    expect(added.tokenStoredIn).toBe('session');
    await connections.check(added.id);
    expect(connections.stateOf(added.id)).toBe('ready');

    const again = await start(world);
    const checked = await again.handlers['services.check']({ id: added.id });
    expect(checked).toMatchObject({ tokenStoredIn: 'none', connection: 'tokenMissing' });
    await again.handlers['services.remove']({ id: added.id, removeCatalogue: false });
    expect(world.removed).toEqual([]);
  });

  it('refuses a name that is taken, in any case, and bad addresses', async () => {
    const world = await createWorld();
    const { handlers } = await start(world);
    const first = await handlers['services.add']({ draft: draftFor('https://a.test'), token: 't' });
    const taken = { draft: draftFor('https://b.test', { name: 'MERIDIAN' }), token: 't' };
    expect(await errorOf(handlers['services.add'](taken))).toEqual({ code: 'nameTaken', name: 'MERIDIAN' });
    const insecure = { draft: draftFor('http://b.test', { name: 'B' }), token: 't' };
    expect(await errorOf(handlers['services.add'](insecure))).toEqual({
      code: 'badAddress',
      problem: 'insecure',
    });
    const same = await handlers['services.update']({
      id: first.id,
      draft: draftFor('https://a.test'),
      unfinished: 'ask',
    });
    expect(same.name).toBe('Meridian');
    expect(world.secrets.entries.size).toBe(1);
    expect((await handlers['services.list'](undefined)).services).toHaveLength(1);
  });

  it('sends a token to the origin it was entered for and to no other', async () => {
    const world = await createWorld();
    const { handlers } = await start(world);
    const seen: (string | undefined)[] = [];
    const stranger = await serve((request, response) => {
      seen.push(request.headers.authorization);
      response.writeHead(401).end();
    });
    const { id } = await handlers['services.add']({ draft: draftFor('https://a.test'), token: goodToken });
    const elsewhere = draftFor(stranger.address);
    const report = await handlers['services.test']({ draft: elsewhere, token: null, serviceId: id });
    expect(report.ok).toBe(false);
    const moved = await handlers['services.update']({ id, draft: elsewhere, unfinished: 'ask' });
    expect(moved.tokenStoredIn).toBe('none');
    await handlers['services.check']({ id });
    expect(seen.filter((header) => header?.includes(goodToken))).toEqual([]);
    expect(world.secrets.entries.size).toBe(0);
  });

  it('keeps the address if the keychain cannot delete the token', async () => {
    const world = await createWorld();
    const { handlers } = await start(world);
    const { id } = await handlers['services.add']({ draft: draftFor('https://a.test'), token: goodToken });
    world.secrets.usable = false;
    const moving = handlers['services.update']({ id, draft: draftFor('https://b.test'), unfinished: 'ask' });
    expect(await errorOf(moving)).toEqual({ code: 'keychain', problem: 'unavailable' });
    const { services } = await handlers['services.list'](undefined);
    expect(services[0]).toMatchObject({ baseAddress: 'https://a.test', tokenStoredIn: 'keychain' });
  });

  it('removes a service with its keychain entry, its list on request, and activates the next', async () => {
    const world = await createWorld();
    const { handlers } = await start(world);
    const first = await handlers['services.add']({ draft: draftFor('https://a.test'), token: 'one' });
    const second = await handlers['services.add']({
      draft: draftFor('https://b.test', { name: 'Other' }),
      token: 'two',
    });
    world.requireShared = async () => {
      throw new Error('not shared');
    };
    const drop = { id: first.id, removeCatalogue: true, unshared: 'drop' } as const;
    await expect(handlers['services.remove']({ ...drop, unshared: 'ask' })).rejects.toThrow('not shared');
    expect((await handlers['services.list'](undefined)).services).toHaveLength(2);
    world.requireFinished = async () => {
      throw new Error('half-way');
    };
    await expect(handlers['services.remove'](drop)).rejects.toThrow('half-way');
    expect(world.secrets.entries.size).toBe(2);
    // A Replace that began to delete while the removal had begun.
    let checks = 0;
    world.requireFinished = async () => {
      checks += 1;
      if (checks > 1) throw new Error('by now half-way');
    };
    await expect(handlers['services.remove'](drop)).rejects.toThrow('by now half-way');
    expect((await handlers['services.list'](undefined)).services).toHaveLength(2);
    await handlers['services.remove']({ ...drop, unfinished: 'drop' });
    expect(world.removed).toEqual([first.id]);
    expect([...world.secrets.entries.keys()]).toEqual([second.id]);
    expect((await handlers['services.list'](undefined)).activeId).toBe(second.id);
    expect(await errorOf(handlers['services.activate']({ id: first.id }))).toEqual({
      code: 'notFound',
      what: 'service',
    });
  });

  it('a service added again gets its kept list back, once', async () => {
    const world = await createWorld();
    const { handlers } = await start(world);
    const add = (address: string, name: string) =>
      handlers['services.add']({ draft: draftFor(address, { name }), token: 'one' });
    const first = await add('https://a.test/api', 'First');
    await handlers['services.remove']({ id: first.id, removeCatalogue: false });
    const other = await add('https://a.test', 'Other');
    const again = await add('https://a.test/api/', 'Again');
    const third = await add('https://a.test/api', 'Third');
    expect([other.id, again.id, third.id].map((id) => id === first.id)).toEqual([false, true, false]);
    await handlers['services.remove']({ id: again.id, removeCatalogue: true });
    expect((await add('https://a.test/api', 'Fourth')).id).not.toBe(first.id);
  });

  it('rebuilds folders when the separator changes', async () => {
    const world = await createWorld();
    const { handlers } = await start(world);
    const { id } = await handlers['services.add']({ draft: draftFor('https://a.test'), token: 'one' });
    await handlers['services.update']({
      id,
      draft: draftFor('https://a.test', { separator: ':' }),
      unfinished: 'ask',
    });
    await handlers['services.update']({
      id,
      draft: draftFor('https://a.test', { separator: ':' }),
      unfinished: 'ask',
    });
    expect(world.separators).toEqual([':']);
  });

  it('regroups versions when their mark changes, and refuses an invalid mark', async () => {
    const world = await createWorld();
    const { handlers } = await start(world);
    const { id } = await handlers['services.add']({ draft: draftFor('https://a.test'), token: 'one' });
    const update = (versionMark: string) =>
      handlers['services.update']({
        id,
        draft: draftFor('https://a.test', { versionMark }),
        unfinished: 'ask',
      });
    expect((await update(' v{number}')).versionMark).toBe(' v{number}');
    expect(world.separators).toEqual(['/']);
    await expect(update('v')).rejects.toMatchObject({
      error: { code: 'invalidInput', field: 'versionMark', problem: 'number' },
    });
    expect((await handlers['services.list'](undefined)).services[0]?.versionMark).toBe(' v{number}');
  });

  it('refuses a separator that repeats a character', async () => {
    const { handlers } = await start(await createWorld());
    const draft = draftFor('https://a.test', { separator: '////////' });
    await expect(handlers['services.add']({ draft, token: 'one' })).rejects.toMatchObject({
      error: { code: 'invalidInput', field: 'separator', problem: 'repeated' },
    });
  });

  it('stores only the certificates of an extra CA file', async () => {
    const world = await createWorld();
    const { handlers } = await start(world);
    const path = new URL('trusted.pem', certificates).pathname;
    const [grant = ''] = world.grants.grant([path]);
    const draft = draftFor('https://a.test', { authority: { kind: 'grant', grant } });
    const added = await handlers['services.add']({ draft, token: 'one' });
    expect(added.authority).toMatchObject({ fileName: 'trusted.pem' });
    expect(added.authority?.fingerprint).toMatch(/^([0-9A-F]{2}:){31}[0-9A-F]{2}$/);
    expect(JSON.stringify(await world.documents.list('services'))).not.toContain('PRIVATE KEY');
    expect(() => world.grants.resolve(grant)).toThrow(AppFailure);
    const kept = await handlers['services.update']({
      id: added.id,
      draft: { ...draft, authority: { kind: 'keep' } },
      unfinished: 'ask',
    });
    expect(kept.authority).toEqual(added.authority);
  });

  it('refuses an invalid CA file, and a download folder that is not a folder', async () => {
    const world = await createWorld();
    const { handlers, userDataFolder } = await start(world);
    const path = join(userDataFolder, 'junk.pem');
    await writeFile(path, '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n');
    const [grant = ''] = world.grants.grant([path]);
    const choice = { kind: 'grant', grant } as const;
    const badFile = handlers['services.add']({
      draft: draftFor('https://a.test', { authority: choice }),
      token: 'one',
    });
    expect(await errorOf(badFile)).toEqual({ code: 'badAuthorityFile', fileName: 'junk.pem' });
    const badFolder = handlers['services.add']({
      draft: draftFor('https://a.test', { downloadFolder: choice }),
      token: 'one',
    });
    expect(await errorOf(badFolder)).toMatchObject({ code: 'invalidInput', field: 'downloadFolder' });
    expect(world.secrets.entries.size).toBe(0);
  });

  it('ignores a stored service of another shape', async () => {
    const world = await createWorld();
    await world.documents.put('services', 'x', { name: 1 });
    await world.documents.put('app', 'activeService', 'x');
    const { handlers } = await start(world);
    expect(await handlers['services.list'](undefined)).toMatchObject({ services: [], activeId: null });
  });
});

describe('connections', () => {
  it('recovers when the service does', async () => {
    let isDown = true;
    const { address } = await serve((request, response) => {
      if (isDown) request.socket.destroy();
      else answerLikeAService(request, response);
    });
    const world = await createWorld();
    const { handlers, connections } = await start(world);
    const ready: string[] = [];
    connections.onReady((id) => ready.push(id));
    const { id } = await handlers['services.add']({ draft: draftFor(address), token: goodToken });
    await eventually(() => expect(connections.stateOf(id)).toBe('unreachable'));
    expect(ready).toEqual([]);
    isDown = false;
    await eventually(() => expect(connections.stateOf(id)).toBe('ready'));
    expect(ready).toEqual([id]);
    expect(world.clock.delays[0]).toBe(2000);
    expect(Math.max(...world.clock.delays)).toBeLessThanOrEqual(60_000);
  });

  it('is unstable after a connection that broke off, until a check shows more', async () => {
    let isDown = false;
    const { address } = await serve((request, response) => {
      if (isDown) request.socket.destroy();
      else answerLikeAService(request, response);
    });
    const { handlers, connections } = await start(await createWorld());
    const { id } = await handlers['services.add']({ draft: draftFor(address), token: goodToken });
    await connections.check(id);
    const breakOff = () =>
      connections.report(id, 'unstable', {
        code: 'connectionLost',
        doneBytes: 0,
        expectedBytes: 9,
        outcomeUnknown: false,
      });
    breakOff();
    expect(connections.stateOf(id)).toBe('unstable');
    await eventually(() => expect(connections.stateOf(id)).toBe('ready'));
    isDown = true;
    breakOff();
    await eventually(() => expect(connections.stateOf(id)).toBe('unreachable'));
    breakOff();
    expect(connections.stateOf(id)).toBe('unreachable');
  });

  it('after a refused token, becomes ready with a new one over the same client', async () => {
    const { address } = await serve(answerLikeAService);
    const { handlers, connections } = await start(await createWorld());
    const ready: string[] = [];
    connections.onReady((id) => ready.push(id));
    const { id } = await handlers['services.add']({ draft: draftFor(address), token: 'old' });
    await connections.check(id);
    const client = await connections.clientOf(id);
    expect(connections.stateOf(id)).toBe('tokenRefused');
    const answer = await handlers['services.setToken']({ id, token: goodToken });
    expect(answer.connection).toBe('ready');
    expect(ready).toEqual([id]);
    expect(await connections.clientOf(id)).toBe(client);
  });

  it('does not attribute a late refusal of the old token to the new one', async () => {
    const held: (() => void)[] = [];
    let isHolding = false;
    const { address } = await serve((request, response) => {
      const answer = () => answerLikeAService(request, response);
      if (isHolding) held.push(answer);
      else answer();
    });
    const { handlers, connections } = await start(await createWorld());
    const { id } = await handlers['services.add']({ draft: draftFor(address), token: 'old' });
    await connections.check(id);
    isHolding = true;
    const setting = handlers['services.setToken']({ id, token: goodToken });
    await eventually(() => expect(held).not.toEqual([]));
    connections.report(id, 'tokenRefused');
    isHolding = false;
    for (const answer of held) answer();
    expect(await setting).toMatchObject({ connection: 'ready', trouble: null });
  });

  it('probes once after a refusal, in case the request carried an older token', async () => {
    const { address } = await serve(answerLikeAService);
    const { handlers, connections } = await start(await createWorld());
    const { id } = await handlers['services.add']({ draft: draftFor(address), token: goodToken });
    await connections.check(id);
    const ready: string[] = [];
    connections.onReady((serviceId) => ready.push(serviceId));
    connections.report(id, 'tokenRefused');
    // Refused requests continue once the probe has succeeded.
    await eventually(() => expect(ready).toEqual([id]));
    const { client } = await connections.openFor(id);
    const probe = vi.spyOn(client, 'probe');
    connections.report(id, 'tokenRefused');
    connections.report(id, 'tokenRefused');
    expect(connections.stateOf(id)).toBe('tokenRefused');
    // Only this check probes: the reports after the first one did not.
    await connections.check(id);
    expect(probe).toHaveBeenCalledOnce();
  });

  it('reports an absolute download folder, and rejects an unknown service', async () => {
    const { handlers, connections } = await start(await createWorld());
    const draft = draftFor('https://a.test', { name: 'A/B: "x"' });
    const { id } = await handlers['services.add']({ draft, token: 'one' });
    const { downloadFolder } = await connections.factsOf(id);
    expect(downloadFolder).toMatch(/^\/home\/ada\/Downloads\/[^/:"]+$/);
    expect(await errorOf(connections.clientOf('nobody'))).toEqual({ code: 'notFound', what: 'service' });
  });
});

describe('services.test', () => {
  const run = async (draft: ServiceDraft, token: string | null = goodToken) => {
    const { handlers } = await start(await createWorld());
    const report = await handlers['services.test']({ draft, token, serviceId: null });
    return { ...report, results: report.steps.map((step) => step.result) };
  };
  const errorIn = (report: Awaited<ReturnType<typeof run>>) => report.steps.find((step) => step.error)?.error;

  it('passes every step with a valid token', async () => {
    const { address } = await serve(answerLikeAService);
    const report = await run(draftFor(address));
    expect(report).toMatchObject({ ok: true, host: new URL(address).host });
    expect(report.results).toEqual(['passed', 'notTried', 'passed', 'notTried', 'passed', 'passed']);
    // A 404 proves no path: a wrong path would answer the same.
    expect(report.steps.at(-1)).toMatchObject({ step: 'service', isUnproven: true });
  });

  it('reports an address that is not a URL', async () => {
    const report = await run(draftFor('not a url'));
    expect(report.results).toEqual(['failed', ...Array(5).fill('notTried')]);
    expect(errorIn(report)).toEqual({ code: 'badAddress', problem: 'notUrl' });
  });

  it('reports an unreachable service', async () => {
    const report = await run(draftFor('http://127.0.0.1:1'));
    expect(report.results).toEqual(['passed', 'notTried', 'failed', 'notTried', 'notTried', 'notTried']);
    expect(errorIn(report)).toMatchObject({ code: 'unreachable', reason: 'refused' });
  });

  it('sends no token to an untrusted certificate, and trusts it with the CA file', async () => {
    const tokens: unknown[] = [];
    const pem = await readFile(new URL('trusted.pem', certificates), 'utf8');
    const { port } = await serveTls(pem, (request, response) => {
      tokens.push(request.headers.authorization);
      answerLikeAService(request, response);
    });
    const world = await createWorld();
    const { handlers } = await start(world);
    const address = `https://127.0.0.1:${port}`;
    const refused = await handlers['services.test']({
      draft: draftFor(address),
      token: goodToken,
      serviceId: null,
    });
    expect(refused.steps.map((step) => step.result)).toEqual([
      'passed',
      'notTried',
      'passed',
      'failed',
      'notTried',
      'notTried',
    ]);
    expect(refused.steps[3]?.error).toMatchObject({ code: 'certificateNotTrusted' });
    expect(tokens).toEqual([]);
    const [grant = ''] = world.grants.grant([new URL('ca.pem', certificates).pathname]);
    const helped = await handlers['services.test']({
      draft: draftFor(address, { authority: { kind: 'grant', grant } }),
      token: goodToken,
      serviceId: null,
    });
    expect(helped.steps.map((step) => step.error)).toEqual(Array(6).fill(null));
    expect(helped.ok).toBe(true);
  });

  it('reports tokenRefused and skips the later steps', async () => {
    const { address } = await serve(answerLikeAService);
    const report = await run(draftFor(address), 'wrong');
    expect(report.results).toEqual(['passed', 'notTried', 'passed', 'notTried', 'failed', 'notTried']);
    expect(errorIn(report)).toMatchObject({ code: 'tokenRefused' });
  });

  it.each([
    ['page', { 'content-type': 'text/html' }],
    ['everything', { 'x-orginal-length': '1' }],
  ])('reports an address that has every identifier: %s', async (notService, headers) => {
    const { address } = await serve((_request, response) => void response.writeHead(200, headers).end());
    const report = await run(draftFor(address));
    expect(report.results).toEqual(['passed', 'notTried', 'passed', 'notTried', 'passed', 'failed']);
    expect(errorIn(report)).toMatchObject({ code: 'unexpectedAnswer', notService });
  });

  it('reports an answer that does not follow the interface', async () => {
    const { address } = await serve((_request, response) => void response.writeHead(404).end('<html>'));
    const report = await run(draftFor(address));
    expect(report.results).toEqual(['passed', 'notTried', 'passed', 'notTried', 'passed', 'failed']);
    expect(errorIn(report)).toMatchObject({ code: 'unexpectedAnswer' });
  });
});

describe('on this computer', () => {
  it('starts, is ready, and is found again with its token and its data', async () => {
    const world = await createWorld();
    const first = await start(world);
    const made = await first.handlers['services.tryLocal'](undefined);
    expect(made).toMatchObject({ isLocal: true, connection: 'ready', tokenStoredIn: 'keychain' });
    const client = await first.connections.clientOf(made.id);
    const options = { lengthBytes: 5, classification: null };
    await client.uploadData(
      'a',
      (async function* () {
        yield Buffer.from('hello');
      })(),
      options,
    );
    await first.stop();

    const again = await start(world, first.userDataFolder);
    again.services.start();
    await eventually(() => expect(again.connections.stateOf(made.id)).toBe('ready'));
    const sameClient = await again.connections.clientOf(made.id);
    expect(await sameClient.headData('a')).toEqual({ lengthBytes: 5 });
    expect((await again.handlers['services.tryLocal'](undefined)).id).toBe(made.id);
    const values = await sameClient.fetchClassifications('/api/classifications');
    expect(values.map((value) => value.name)).toContain('Confidential');
  });

  it('without a keychain, lasts for this session, in a folder of its own', async () => {
    const world = await createWorld();
    world.secrets.usable = false;
    const { handlers, userDataFolder, stop } = await start(world);
    expect(await handlers['services.tryLocal'](undefined)).toMatchObject({
      connection: 'ready',
      tokenStoredIn: 'session',
    });
    expect(await readdir(userDataFolder)).toEqual(['local-service-session']);
    await stop();
    expect(await readdir(userDataFolder)).toEqual([]);
  });

  it('does not replace the key of existing data', async () => {
    const world = await createWorld();
    const first = await start(world);
    await first.handlers['services.tryLocal'](undefined);
    await first.stop();
    const locked = new Map(world.secrets.entries);
    world.secrets.entries.clear();
    const again = await start(world, first.userDataFolder);
    expect(await errorOf(again.handlers['services.tryLocal'](undefined))).toEqual({
      code: 'keychain',
      problem: 'locked',
    });
    for (const [account, value] of locked) world.secrets.entries.set(account, value);
    expect(await again.handlers['services.tryLocal'](undefined)).toMatchObject({ connection: 'ready' });
    await again.handlers['services.remove']({ id: 'local', removeCatalogue: true });
    expect(world.secrets.entries.size).toBe(0);
    expect(await readdir(first.userDataFolder)).toEqual([]);
  });
});

describe('services.tryObject', () => {
  /** A service that stores objects. @param disturb handles a request instead if it returns true */
  async function open(
    disturb: (method: string, response: ServerResponse, store: () => void) => boolean = () => false,
  ) {
    const stored = new Map<string, Buffer>();
    const { address } = await serve((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const id = decodeURIComponent(request.url?.split('/').at(-1) ?? '');
        const method = request.method ?? '';
        const known = stored.get(id);
        const done = () =>
          response.end(JSON.stringify({ success: true, status: 200, message: '', activityToken: 'a' }));
        const store = () => void stored.set(id, Buffer.concat(chunks));
        if (disturb(method, response, store)) return;
        if (request.headers.authorization !== `Bearer ${goodToken}`)
          return void response.writeHead(401).end();
        if (method === 'POST') return void (store(), done());
        if (!known) return void response.writeHead(404).end();
        if (method === 'DELETE') return void (stored.delete(id), done());
        response.setHeader('x-orginal-length', known.length).end(method === 'GET' ? known : undefined);
      });
    });
    const { handlers } = await start(await createWorld());
    const trial = await handlers['services.tryObject']({
      draft: draftFor(address),
      token: goodToken,
      serviceId: null,
    });
    return { trial, stored, results: trial.steps.map(({ result }) => result) };
  }

  it('stores, reads, compares and deletes a recognisable test object', async () => {
    const { trial, stored, results } = await open();
    expect(results).toEqual(['passed', 'passed', 'passed', 'passed']);
    expect(trial).toMatchObject({
      identifier: expect.stringMatching(/^coffer-connection-test-.*\.txt$/),
      isLeft: false,
    });
    expect(stored.size).toBe(0);
  });

  it('reports the answer of a wrong path', async () => {
    const { trial, results } = await open((method, response) => {
      if (method === 'POST') response.writeHead(404).end();
      return method === 'POST';
    });
    expect(results).toEqual(['failed', 'notTried', 'notTried', 'notTried']);
    expect(trial).toMatchObject({
      isLeft: false,
      steps: [{ step: 'store', error: { status: 404 } }, {}, {}, {}],
    });
  });

  it('deletes it whatever fails before, and reports a failed deletion', async () => {
    const unread = await open((method, response) => {
      if (method === 'GET') response.writeHead(403).end();
      return method === 'GET';
    });
    expect(unread.results).toEqual(['passed', 'failed', 'notTried', 'passed']);
    expect(unread.stored.size).toBe(0);
    expect(unread.trial.isLeft).toBe(false);

    const kept = await open((method, response) => {
      if (method === 'DELETE') response.writeHead(403).end();
      return method === 'DELETE';
    });
    expect(kept.results).toEqual(['passed', 'passed', 'passed', 'failed']);
    expect(kept.trial).toMatchObject({ isLeft: true, identifier: [...kept.stored.keys()][0] });
  });

  it('deletes the object even if the answer to the upload was lost', async () => {
    const { trial, stored, results } = await open((method, response, store) => {
      if (method !== 'POST') return false;
      store();
      response.writeHead(500).end();
      return true;
    });
    expect(results).toEqual(['failed', 'notTried', 'notTried', 'passed']);
    expect(trial).toMatchObject({ isLeft: false, steps: [{ error: { code: 'serverError' } }, {}, {}, {}] });
    expect(stored.size).toBe(0);
  });
});
