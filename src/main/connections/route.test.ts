import { mkdirSync, writeFileSync } from 'node:fs';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startFaultServer } from '../../../e2e/faults/fault-server.ts';
import type { Input, Output, ProcedureName } from '../../shared/contract.ts';
import type { ServiceDraft } from '../../shared/domain/service.ts';
import { serveTls } from '../../../test-support/main/service/test-server.ts';
import { fixture, fixtureFile, passphrase } from '../../../test-support/main/service/pfx.ts';
import type { ProxyOrders } from '../../../e2e/faults/proxy.ts';
import { openApp } from '../../../test-support/main/test-app.ts';
import {
  answerLikeAService,
  createWorld,
  draftFor,
  goodToken,
  start,
  startTestProxy,
  type World,
} from '../../../test-support/main/connections/test-services.ts';
import { eventually } from '../../../test-support/eventually.ts';

const grantOf = (world: World, name: string): ServiceDraft['clientCertificate'] => {
  const [grant = ''] = world.grants.grant([fileURLToPath(fixtureFile(name))]);
  return { kind: 'grant', grant };
};

type App = Awaited<ReturnType<typeof start>>;

/** Tests the connection. Returns the steps up to the one that fails, and its error. */
async function runTest({ handlers }: App, draft: ServiceDraft, given: { passphrase?: string } = {}) {
  const report = await handlers['services.test']({ draft, token: goodToken, serviceId: null, ...given });
  const steps = report.steps.flatMap(({ step, result }) =>
    result === 'notTried' ? [] : [`${step} ${result}`],
  );
  return { ...report, steps, error: report.steps.find(({ error }) => error)?.error };
}

it('the connection test has a step for the proxy, and names it when it fails', async () => {
  const server = await serveTls(fixture('named-host.pem'), answerLikeAService);
  const hosts = { 'objects.test': server.port };
  const proxy = await startTestProxy({ hosts });
  const world = await createWorld();
  world.pac = `PROXY 127.0.0.1:${proxy.port}`;
  const app = await start(world);
  const draft = draftFor('https://objects.test', { authority: grantOf(world, 'named-host-ca.pem') });
  const report = await runTest(app, draft);
  expect(report).toMatchObject({ ok: true, proxy: proxy.origin });
  const all = ['address', 'proxy', 'reach', 'certificate', 'token', 'service'];
  expect(report.steps).toEqual(all.map((step) => `${step} passed`));

  const expectAtProxy = async (error: object, of = draft) =>
    expect(await runTest(app, of)).toMatchObject({ steps: ['address passed', 'proxy failed'], error });
  const failed = { code: 'proxyFailed', proxy: proxy.origin };
  for (const [orders, reason] of [
    [{ login: 'a:b' }, 'passwordMissing'],
    [{ login: null, instead: 'negotiate' }, 'passwordScheme'],
    [{ instead: 403 }, 'denied'],
    [{ instead: 'gibberish' }, 'notAProxy'],
    [{ instead: null, hosts: {} }, 'noWay'],
  ] as const) {
    proxy.change(orders);
    await expectAtProxy({ ...failed, reason });
  }
  await proxy.kill();
  await expectAtProxy({ ...failed, reason: 'refused' });
  const socks = { ...draft, proxy: { kind: 'own' as const, address: 'socks5://a:1' } };
  await expectAtProxy({ code: 'badProxyAddress', problem: 'scheme' }, socks);
});

describe('testing a connection with a client certificate', () => {
  async function serveProven(isRequired: boolean) {
    const pem = fixture('trusted.pem');
    const server = https.createServer(
      {
        key: pem,
        cert: pem,
        ca: fixture('client-ca.pem'),
        requestCert: true,
        rejectUnauthorized: isRequired,
      },
      answerLikeAService,
    );
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    return `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  it('reports what is wrong with it', async () => {
    const world = await createWorld();
    const app = await start(world);
    const address = await serveProven(true);
    const refused = (reason: string) => ({
      code: 'clientCertificateRefused',
      reason,
      host: new URL(address).host,
    });
    const bad = (problem: string, fileName: string) => ({ code: 'badClientCertificate', problem, fileName });
    for (const [file, given, error] of [
      ['client.pfx', passphrase, undefined],
      [null, undefined, refused('missing')],
      ['client.pfx', 'wrong', bad('passphrase', 'client.pfx')],
      ['client.pfx', undefined, bad('passphrase', 'client.pfx')],
      ['ca.pem', passphrase, bad('unreadable', 'ca.pem')],
      ['client-legacy.pfx', passphrase, bad('format', 'client-legacy.pfx')],
      ['stranger.pfx', passphrase, refused('closed')],
    ] as const) {
      const draft = draftFor(address, {
        authority: grantOf(world, 'ca.pem'),
        clientCertificate: file === null ? { kind: 'none' } : grantOf(world, file),
      });
      const report = await runTest(app, draft, given === undefined ? {} : { passphrase: given });
      expect(report.error).toEqual(error);
      const failed = report.steps.filter((step) => step.endsWith('failed'));
      expect(failed).toEqual(error ? ['certificate failed'] : []);
    }
  });

  it('stores it with its passphrase, finds it after a restart, and removes it completely', async () => {
    const world = await createWorld();
    const address = await serveProven(true);
    const first = await start(world);
    const authority = grantOf(world, 'ca.pem');
    const draft = draftFor(address, { authority, clientCertificate: grantOf(world, 'client.pfx') });
    const { id } = await first.handlers['services.add']({ draft, token: goodToken, passphrase });
    const checkAgain = async (app: typeof first) => app.handlers['services.check']({ id });
    const kept = { clientCertificate: { fileName: 'client.pfx', passphraseStoredIn: 'keychain' } };
    expect(await checkAgain(first)).toMatchObject({ connection: 'ready', ...kept });
    expect([...world.secrets.entries.keys()].sort()).toEqual([`certificate:${id}`, id].sort());
    expect(JSON.stringify(await world.documents.list('services'))).not.toContain(passphrase);

    const second = await start(world);
    expect(await checkAgain(second)).toMatchObject({ connection: 'ready', ...kept });
    const same: ServiceDraft = { ...draft, authority: { kind: 'keep' }, clientCertificate: { kind: 'keep' } };
    const tested = await second.handlers['services.test']({ draft: same, token: null, serviceId: id });
    expect(tested.ok).toBe(true);
    expect(await second.handlers['services.update']({ id, draft: same, unfinished: 'ask' })).toMatchObject(
      kept,
    );

    // Lost from the keychain: it is reported, and entering it once is enough.
    world.secrets.entries.delete(`certificate:${id}`);
    const third = await start(world);
    expect(await checkAgain(third)).toMatchObject({
      connection: 'unreachable',
      trouble: { code: 'badClientCertificate', problem: 'passphrase', fileName: 'client.pfx' },
      clientCertificate: { passphraseStoredIn: 'none' },
    });
    await third.handlers['services.update']({ id, draft: same, passphrase, unfinished: 'ask' });
    await eventually(async () => {
      const { services } = await third.handlers['services.list'](undefined);
      expect(services[0]).toMatchObject({ connection: 'ready', trouble: null, ...kept });
    });
    const without: ServiceDraft = { ...same, clientCertificate: { kind: 'none' } };
    expect(await third.handlers['services.update']({ id, draft: without, unfinished: 'ask' })).toMatchObject({
      clientCertificate: null,
    });
    expect([...world.secrets.entries.keys()]).toEqual([id]);
  });
});

describe('transfers over a proxy that is in the way', () => {
  async function startUploads(orders: Partial<ProxyOrders>, count: number) {
    const service = await startFaultServer({ token: goodToken });
    onTestFinished(() => service.close());
    const hosts = { 'objects.test': Number(new URL(service.baseAddress).port) };
    const proxy = await startTestProxy({ hosts, ...orders });
    const { app, folder } = await openApp();
    async function call<N extends ProcedureName>(name: N, input: Input<N>): Promise<Output<N>> {
      const reply = await app.router(name, input);
      if (!reply.ok) throw new Error(JSON.stringify(reply.error));
      return reply.value as Output<N>;
    }
    const draft = (proxyOrigin: string) =>
      draftFor('http://objects.test', {
        insecureAllowed: true,
        proxy: { kind: 'own', address: proxyOrigin },
      });
    const { id } = await call('services.add', { draft: draft(proxy.origin), token: goodToken });
    const source = join(folder, 'top');
    mkdirSync(source);
    for (let n = 0; n < count; n += 1) writeFileSync(join(source, `f${n}`), Buffer.alloc(100_000, n));
    const upload = async () => {
      const sheet = await call('uploadPlans.open', {
        serviceId: id,
        intoFolder: '',
        grants: app.grant([source]),
      });
      await call('uploadPlans.upload', {
        id: sheet.id,
        classification: null,
        ifExists: 'skip',
        request: 'direct',
      });
    };
    const summary = async () =>
      (await call('transfers.page', { tab: 'transfers', offset: 0, limit: 1 })).summary.transfers;
    const setProxy = (origin: string) =>
      call('services.update', { id, draft: draft(origin), unfinished: 'ask' });
    return { service, hosts, proxy, call, id, upload, summary, setProxy };
  }

  it('wait as in an outage without failing, and resume when the setting changes', async () => {
    const { service, hosts, proxy, upload, summary, setProxy } = await startUploads({}, 12);
    await proxy.kill();
    await upload();
    await eventually(async () =>
      expect(await summary()).toMatchObject({
        counts: { waiting: 12 },
        failed: 0,
        causes: [{ code: 'proxyFailed', count: 12, error: { proxy: proxy.origin } }],
      }),
    );
    const other = await startTestProxy({ hosts });
    await setProxy(other.origin);
    await eventually(async () => expect(await summary()).toMatchObject({ counts: { done: 12 }, failed: 0 }));
    expect(service.objects.size).toBe(12);
  });

  it('wait for a password and resume with it', async () => {
    const { call, service, id, proxy, upload, summary } = await startUploads({ login: 'aino:right' }, 6);
    await upload();
    const trouble = { code: 'proxyFailed', reason: 'passwordMissing', proxy: proxy.origin };
    await eventually(async () => {
      expect(await summary()).toMatchObject({ counts: { waiting: 6 }, failed: 0 });
      const { services } = await call('services.list', undefined);
      expect(services.find((service) => service.id === id)).toMatchObject({ trouble });
    });
    expect(service.requests).toEqual([]);
    const login = { origin: proxy.origin, user: 'aino', password: 'right' };
    expect(await call('proxies.signIn', login)).toEqual({ isRefused: false });
    await eventually(async () => expect(await summary()).toMatchObject({ counts: { done: 6 }, failed: 0 }));
    expect(service.objects.size).toBe(6);
  });
});
