import { describe, expect, it, onTestFinished } from 'vitest';
import { AppFailure } from '../../shared/app-failure.ts';
import type { SecretStore } from '../ports.ts';
import { createTestClock, createTestLog, createTestSecrets } from '../../../test-support/main/test-ports.ts';
import { createCredentialStore } from './credential-store.ts';
import { createTokens } from './tokens.ts';
import { eventually } from '../../../test-support/eventually.ts';

const failing = (problem: 'timeout' | 'locked' | 'unavailable') => () =>
  Promise.reject(new AppFailure({ code: 'keychain', problem }));

async function openTokens(secrets: SecretStore) {
  const told: string[] = [];
  const clock = createTestClock();
  const credentials = await createCredentialStore({
    secrets,
    clock,
    log: createTestLog(),
    onStored: () => told.push('stored'),
  });
  onTestFinished(() => credentials.close());
  return { credentials, tokens: createTokens(credentials), told, clock };
}

describe('the probe', () => {
  it('succeeds, but reading a token fails: reports the keychain error until reading works', async () => {
    const secrets = createTestSecrets();
    const { credentials, tokens } = await openTokens(secrets);
    await tokens.set('p', 'https://a.test', 'token');
    const { credentials: other, tokens: others } = await openTokens(secrets);
    const { get } = secrets;
    secrets.get = failing('timeout');
    await expect(others.load('p')).rejects.toMatchObject({ error: { code: 'keychain' } });
    expect([credentials.keychainError(), other.keychainError()]).toEqual([
      null,
      { code: 'keychain', problem: 'timeout' },
    ]);
    secrets.get = get;
    await others.load('p');
    expect(other.keychainError()).toBeNull();
  });

  it('timed out half-way: removes its entry once the keychain answers', async () => {
    const secrets = createTestSecrets();
    const { get } = secrets;
    secrets.get = failing('timeout');
    const { credentials, tokens } = await openTokens(secrets);
    expect(credentials.keychainError()).toEqual({ code: 'keychain', problem: 'timeout' });
    expect([...secrets.entries.keys()]).toEqual([expect.stringMatching(/^probe-/)]);
    secrets.get = get;
    await tokens.set('p', 'https://a.test', 'token');
    await eventually(() => expect([...secrets.entries.keys()]).toEqual(['p']));
    expect(credentials.keychainError()).toBeNull();
  });

  it('uses a single account, so that many starts leave at most one entry', async () => {
    const secrets = { ...createTestSecrets(), delete: failing('timeout') };
    for (let start = 0; start < 3; start += 1) await openTokens(secrets);
    expect(secrets.entries.size).toBe(1);
  });
});

describe('tokens', () => {
  it('reads them for the route they were entered for', async () => {
    const { tokens } = await openTokens(createTestSecrets());
    await tokens.set('p', 'https://a.test', 'token');
    expect(tokens.read('p', 'https://a.test')).toBe('token');
    expect(tokens.read('p', 'https://b.test')).toBeNull();
    expect(tokens.storedIn('p', 'https://b.test')).toBe('none');
    await tokens.remove('p');
    expect(tokens.read('p', 'https://a.test')).toBeNull();
  });

  it.each(['{"version":1}', '{', '12345', '"quoted"', '{"version":1,"origin":"https://a.test","token":"x"}'])(
    'ignores an entry in another form: %s',
    async (entry) => {
      const secrets = createTestSecrets();
      secrets.entries.set('p', entry);
      const { tokens } = await openTokens(secrets);
      await tokens.load('p');
      expect(tokens.read('p', 'https://a.test')).toBeNull();
      expect(tokens.storedIn('p', 'https://a.test')).toBe('none');
      expect(secrets.entries.get('p')).toBe(entry);
    },
  );

  it('setting one while the stored one is being read keeps the new one', async () => {
    const secrets = createTestSecrets();
    const old = { version: 2, route: 'https://a.test', token: 'old' };
    secrets.entries.set('p', JSON.stringify(old));
    const asked = Promise.withResolvers<void>();
    const breaker = Promise.withResolvers<void>();
    const slow: SecretStore = {
      ...secrets,
      async get(account) {
        const value = await secrets.get(account);
        if (account === 'p') {
          asked.resolve();
          await breaker.promise;
        }
        return value;
      },
    };
    const { tokens } = await openTokens(slow);
    const loading = tokens.load('p');
    await asked.promise;
    const setting = tokens.set('p', 'https://a.test', 'new');
    breaker.resolve();
    await Promise.all([loading, setting]);
    expect(tokens.read('p', 'https://a.test')).toBe('new');
    expect(secrets.entries.get('p')).toContain('"new"');
  });

  it('a slow keychain ends up with the value set last', async () => {
    const secrets = createTestSecrets();
    const { set } = secrets;
    const { tokens, told } = await openTokens(secrets);
    secrets.set = failing('timeout');
    for (const token of ['first', 'last']) await tokens.set('p', 'https://a.test', token);
    expect([tokens.read('p', 'https://a.test'), tokens.storedIn('p', 'https://a.test')]).toEqual([
      'last',
      'session',
    ]);
    secrets.set = set;
    await eventually(() => expect(tokens.storedIn('p', 'https://a.test')).toBe('keychain'));
    expect(secrets.entries.get('p')).toContain('"last"');
    await eventually(() => expect(told).toContain('stored'));
  });

  it('does not store later one that was removed while the keychain was late', async () => {
    const secrets = createTestSecrets();
    const { set } = secrets;
    const { tokens, clock } = await openTokens(secrets);
    secrets.set = failing('timeout');
    await tokens.set('p', 'https://a.test', 'removed');
    await tokens.remove('p');
    secrets.set = set;
    await clock.delay(1); // after the next try
    await tokens.load('p');
    expect(tokens.storedIn('p', 'https://a.test')).toBe('none');
  });

  it.each(['locked', 'timeout'] as const)(
    'one that may be in a %s keychain is not forgotten',
    async (problem) => {
      const { tokens } = await openTokens({ ...createTestSecrets(), delete: failing(problem) });
      await expect(tokens.remove('p')).rejects.toMatchObject({ error: { code: 'keychain', problem } });
    },
  );
});
