import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { setImmediate } from 'node:timers/promises';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { AppFailure } from '../shared/app-failure.ts';
import { createKeychain, probeKeychain } from './keychain.ts';
import { createTestSecrets } from '../../test-support/main/test-ports.ts';

const run = promisify(execFile);
/** The keychain on a busy machine may need this long. */
const patientMs = 30_000;
const pathTo = (place: string) => fileURLToPath(new URL(place, import.meta.url));

/** Runs parts (code that uses `keychain`, `probe` and `say`) in turn in their own process. @returns what each of them said */
async function inProcess<Part extends string>(
  parts: Record<Part, string>,
  options: { keyring: boolean },
): Promise<Record<Part, unknown[]>> {
  const blocks = Object.entries<string>(parts).map(
    ([name, lines]) => `
    said = all[${JSON.stringify(name)}] = [];
    try {
      ${lines}
    } catch (cause) {
      said.push(String(cause));
    }`,
  );
  const script = `
    import { execFileSync } from 'node:child_process';
    const { createKeychain, probeKeychain: probe } = await import(${JSON.stringify(pathTo('./keychain.ts'))});
    const keychain = createKeychain(${patientMs});
    const all = {};
    let said;
    const say = async (answer) => said.push(await Promise.resolve(answer).catch((cause) => cause.error ?? String(cause)));
    const askBus = (...words) => execFileSync('dbus-send', ['--session', '--print-reply=literal', ...words], { encoding: 'utf8' });
    ${blocks.join('')}
    console.log(JSON.stringify(all));
    process.exit();
  `;
  const node = [process.execPath, '--input-type=module', '-e', script] as const;
  const withKeyring = ['bash', pathTo('../../scripts/with-keyring.sh'), ...node] as const;
  const [command, ...rest] = options.keyring ? withKeyring : node;
  const env = { ...process.env, DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nowhere', DISPLAY: '' };
  const { stdout } = await run(command, rest, { env });
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as Record<Part, unknown[]>;
}

const findKeyring = `const pid = Number(askBus('--dest=org.freedesktop.DBus', '/org/freedesktop/DBus',
  'org.freedesktop.DBus.GetConnectionUnixProcessID', 'string:org.freedesktop.secrets').trim().split(' ').at(-1));`;

/** All parts share one keyring, since starting one takes longer than all of them. The last part leaves it locked. */
const parts = {
  stores: `
    await say(probe(keychain));
    await say(keychain.get('a'));
    await keychain.set('a', 'grüße 🔑');
    await say(createKeychain(${patientMs}).get('a'));
    await keychain.delete('a');
    await keychain.delete('a');
    await say(keychain.get('a'));`,
  several: `
    const { execFile } = await import('node:child_process');
    const { promisify } = await import('node:util');
    const child = 'const { createKeychain, probeKeychain } = await import(process.argv[1]);' +
      'const keychain = createKeychain(${patientMs});' +
      'for (let i = 0; i < 30; i += 1) console.log(await probeKeychain(keychain));' +
      'process.exit()';
    const place = ${JSON.stringify(pathTo('./keychain.ts'))};
    const processes = await Promise.all([1, 2, 3].map(() =>
      promisify(execFile)(process.execPath, ['--input-type=module', '-e', child, place])));
    for (const { stdout } of processes) await say(stdout);`,
  frozen: `
    ${findKeyring}
    const impatient = createKeychain(100);
    await keychain.set('a', 'value');
    process.kill(pid, 'SIGSTOP');
    await say(impatient.get('a'));
    await say(impatient.get('a'));
    process.kill(pid, 'SIGCONT');
    let value;
    while (!value) value = await impatient.get('a').catch(() => new Promise((go) => setTimeout(go, 50)));
    await say(value);`,
  busy: `
    ${findKeyring}
    await keychain.set('a', 'value');
    process.kill(pid, 'SIGSTOP');
    const answer = createKeychain(2_500).get('a');
    await new Promise(setImmediate);
    process.kill(pid, 'SIGCONT');
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 3_000);
    await say(answer);`,
  locked: `
    await keychain.set('a', 'value');
    const collection = askBus('--dest=org.freedesktop.secrets', '/org/freedesktop/secrets',
      'org.freedesktop.Secret.Service.ReadAlias', 'string:default').trim().split(' ').at(-1);
    askBus('--dest=org.freedesktop.secrets', '/org/freedesktop/secrets',
      'org.freedesktop.Secret.Service.Lock', 'array:objpath:' + collection);
    await say(keychain.get('a'));
    await say(probe(keychain));`,
};

describe.skipIf(process.platform !== 'linux')('with the Secret Service', () => {
  let said: Record<keyof typeof parts, unknown[]>;
  beforeAll(async () => {
    said = await inProcess(parts, { keyring: true });
  });

  it('stores, returns and deletes', () => {
    expect(said.stores).toEqual([null, null, 'grüße 🔑', null]);
  });

  it('several processes that probe it at once do not disturb each other', () => {
    const working = 'null\n'.repeat(30);
    expect(said.several).toEqual([working, working, working]);
  });

  it('frozen: waits no longer than the limit, and does not ask meanwhile', () => {
    const timeout = { code: 'keychain', problem: 'timeout' };
    expect(said.frozen).toEqual([timeout, timeout, 'value']);
  });

  it('answers while this thread is busy beyond the limit: that is in time', () => {
    expect(said.busy).toEqual(['value']);
  });

  it('locked: reads as empty, and is not usable', () => {
    expect(said.locked).toMatchObject([null, { code: 'keychain' }]);
  });

  it('reports that it is unavailable', async () => {
    const { without } = await inProcess(
      { without: 'await say(probe(keychain)); await say(keychain.get("a"));' },
      { keyring: false },
    );
    const unavailable = { code: 'keychain', problem: 'unavailable' };
    expect(without).toEqual([unavailable, unavailable]);
  });
});

it('gives up a keychain that does not answer after three seconds', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  let ended: unknown = 'waits';
  const keychain = createKeychain(undefined, () => new Promise(() => undefined));
  const asked = keychain.get('a').catch((cause: unknown) => (ended = cause));
  vi.advanceTimersByTime(2_999);
  await setImmediate();
  expect(ended).toBe('waits');
  vi.advanceTimersByTime(1);
  await asked;
  expect(ended).toMatchObject({ error: { code: 'keychain', problem: 'timeout' } });
});

it('survives a library that cannot be loaded', async () => {
  vi.doMock('keytar', () => {
    throw new Error('libsecret-1.so.0: cannot open shared object file');
  });
  expect(await probeKeychain(createKeychain())).toEqual({ code: 'keychain', problem: 'unavailable' });
  vi.doUnmock('keytar');
});

describe('probe', () => {
  it('leaves no entries', async () => {
    const secrets = createTestSecrets();
    expect(await probeKeychain(secrets)).toBeNull();
    expect(secrets.entries.size).toBe(0);
  });

  it('tolerates a value deleted by another process', async () => {
    const secrets = createTestSecrets();
    let isTaken = false;
    const shared = {
      ...secrets,
      async get(account: string) {
        if (!isTaken) await secrets.delete(account);
        isTaken = true;
        return secrets.get(account);
      },
    };
    expect(await probeKeychain(shared)).toBeNull();
  });

  it('a keychain that forgets is locked', async () => {
    const secrets = { ...createTestSecrets(), get: async () => null };
    expect(await probeKeychain(secrets)).toEqual({ code: 'keychain', problem: 'locked' });
  });

  it('passes bugs on', async () => {
    const failure = new AppFailure({ code: 'cancelled' });
    const secrets = { ...createTestSecrets(), set: () => Promise.reject(failure) };
    await expect(probeKeychain(secrets)).rejects.toBe(failure);
  });
});
