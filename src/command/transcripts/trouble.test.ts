import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startFaultServer, type Fault } from '../../../e2e/faults/fault-server.ts';
import { ownProgram, serveInPlaceOfApp, writeProgram } from '../../../test-support/command/command-world.ts';
import { testToken } from '../../../test-support/local-service/test-service.ts';
import { playTranscript } from '../../../test-support/command/transcript.ts';
import { takeLease } from '../../main/database/lease.ts';
import { systemClock } from '../../main/clock.ts';

const quickly = {
  env: { DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nowhere' },
  // A clock 100 times as fast, so that waits of half a minute end soon.
  clock: { ...systemClock, monotonicMs: () => performance.now() * 100 },
};

/** Longer delays than those between two looks never end, so that no message about waiting appears, however busy the machine is. */
const patiently = {
  clock: {
    ...systemClock,
    delay: (ms: number, signal?: AbortSignal) =>
      ms < 1000 ? systemClock.delay(ms, signal) : new Promise<never>(() => undefined),
  },
};

/** A fake `node` that reports an old version. */
const oldNode = 'Object.defineProperty(process, "versions", { value: { node: "20.19.2" } });';

describe.skipIf(process.platform !== 'linux')('errors that stop a command', () => {
  test('another process holds the data folder and does not answer', () =>
    expect(
      playTranscript({ name: 'folder-in-use', with: 'none' }, async ({ coffer, world }) => {
        mkdirSync(world.dataFolder, { mode: 0o700 });
        const lease = takeLease(world.dataFolder);
        onTestFinished(() => lease.release());
        await coffer('coffer ls', quickly);
        await coffer('coffer put a.txt --json', quickly);
        await coffer('coffer doctor | grep -e App -e folder', quickly);
      }),
    ).resolves.toMatchFileSnapshot('folder-in-use.txt'));

  test('the app serves too many commands', () =>
    expect(
      playTranscript({ name: 'app-busy', with: 'none' }, async ({ coffer, world }) => {
        await serveInPlaceOfApp(world, '{"refused":"busy","version":"1.0.0"}\n');
        await coffer('coffer ls', quickly);
        await coffer('coffer doctor | grep App', quickly);
      }),
    ).resolves.toMatchFileSnapshot('app-busy.txt'));

  test('the service answers 403 or 413', () =>
    expect(
      playTranscript({ name: 'forbidden', with: 'memory' }, async ({ coffer }) => {
        const service = await startFaultServer();
        onTestFinished(() => service.close());
        const env = { COFFER_ADDRESS: service.baseAddress, COFFER_TOKEN: service.token };
        const answers = (method: string, fault: Fault) => {
          service.plan = (request) => (request.method === method ? fault : null);
        };
        await coffer('coffer put a.txt --to x --quiet', { env });
        answers('POST', { status: 403 });
        await coffer('coffer put c.txt --as x/c', { env });
        await coffer('coffer put c.txt --as x/c --json', { env });
        answers('POST', { status: 413 });
        await coffer('coffer put c.txt --as x/c', { env });
        answers('GET', { status: 403 });
        await coffer('coffer get x/a.txt -o -', { env });
        answers('HEAD', { status: 403 });
        await coffer('coffer known x/a.txt', { env });
        // Answer `x/b` first.
        service.plan = ({ identifier }) => ({ status: 403, delayMs: identifier === 'x/b' ? 0 : 100 });
        await coffer('coffer known x/a.txt x/b --json', { env });
        answers('DELETE', { status: 403 });
        await coffer('coffer rm x/a.txt --yes', { env });
        await coffer('coffer rm x/a.txt --yes --json', { env });
        expect([...service.objects.keys()]).toEqual(['x/a.txt']);
      }),
    ).resolves.toMatchFileSnapshot('forbidden.txt'));

  test('one of several is forbidden', () =>
    expect(
      playTranscript({ name: 'one-forbidden', with: 'memory' }, async ({ coffer }) => {
        const service = await startFaultServer();
        onTestFinished(() => service.close());
        const env = { COFFER_ADDRESS: service.baseAddress, COFFER_TOKEN: service.token };
        await coffer('coffer put a.txt --as x/a.txt --quiet', { env });
        service.plan = ({ method, identifier }) =>
          method === 'HEAD' && identifier === 'x/no' ? { status: 403 } : null;
        await coffer('coffer get x/no x/a.txt -o ..', { env });
        await coffer('coffer get x/no -o ..', { env });
      }),
    ).resolves.toMatchFileSnapshot('one-forbidden.txt'));

  test('the service refuses the token or is unavailable', () =>
    expect(
      playTranscript({ name: 'held-up', with: 'app' }, async ({ coffer, world }) => {
        const { services } = await world.call('services.list', undefined);
        const [{ id } = { id: '' }] = services;
        const reference = 'coffer://Local/secret/db/pw';
        writeFileSync(join(world.files, 'template'), `{{ ${reference} }}`);
        const commands = [
          'coffer get nothing --wait 0',
          'coffer known nothing --wait 0',
          'coffer check a.txt --wait 0 --no-progress',
          'coffer check a.txt --json --wait 0 --no-progress',
          'coffer versions a.txt --wait 0',
          'coffer rm a.txt --yes --wait 0 --no-progress',
          'coffer secret get db/pw --reveal --wait 0',
          'coffer inject -i template -o - --reveal --wait 0',
          `PW=${reference} coffer run --wait 0 -- echo never`,
        ];
        await coffer('coffer put a.txt --quiet');
        await world.call('services.setToken', { id, token: 'another' });
        for (const command of commands) await coffer(command, patiently);
        await world.call('services.setToken', { id, token: testToken });
        await world.service.service.close();
        for (const command of commands) await coffer(command, patiently);
        await coffer('coffer known nothing --wait 1 --no-progress');
      }),
    ).resolves.toMatchFileSnapshot('held-up.txt'));

  test('refuses the token in the environment', () =>
    expect(
      playTranscript({ name: 'token-refused', with: 'memory' }, async ({ coffer }) => {
        const env = { COFFER_TOKEN: 'wrong', PW: 'coffer://any/secret/db/pw' };
        await coffer('coffer get nothing', { env });
        await coffer('coffer secret get db/pw --reveal', { env });
        await coffer('coffer run -- echo never', { env });
      }),
    ).resolves.toMatchFileSnapshot('token-refused.txt'));

  test.skipIf(ownProgram !== undefined)('Node is too old or missing', () =>
    expect(
      playTranscript({ name: 'old-node', with: 'none' }, async ({ coffer, world }) => {
        for (const folder of ['bin', 'out/main']) mkdirSync(join(world.files, folder), { recursive: true });
        copyFileSync(
          join(import.meta.dirname, '..', '..', '..', 'bin', 'coffer'),
          join(world.files, 'bin', 'coffer'),
        );
        await coffer('bin/coffer ls', { isReal: true });
        writeFileSync(join(world.files, 'out', 'main', 'command.js'), '');
        writeProgram(world, 'node', 'echo v18.20.4');
        await coffer('bin/coffer ls', { isReal: true });
        await coffer('COFFER_NODE=no-such-node bin/coffer ls', { isReal: true });
        // As on Windows, where nothing checks the version before.
        const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(oldNode)}`;
        await coffer('coffer ls', { env: { NODE_OPTIONS }, isReal: true });
      }),
    ).resolves.toMatchFileSnapshot('old-node.txt'),
  );
});
