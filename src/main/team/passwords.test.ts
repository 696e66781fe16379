import { expect, it } from 'vitest';
import { createTestLog, createTestSecrets } from '../../../test-support/main/test-ports.ts';
import { createCredentialStore } from '../connections/credential-store.ts';
import { systemClock } from '../clock.ts';
import { createTeamPasswords } from './passwords.ts';

const place = { host: 'db.example', port: 5432, database: 'team', role: 'anna', authority: 'PEM' };
const stored = { password: 'Drawn-31415926', passphrase: null, isDrawn: true };

it('gives a password only for the server, authority, database and role that it was stored for', async () => {
  const [secrets, log] = [createTestSecrets(), createTestLog()];
  const open = async () => {
    const store = await createCredentialStore({
      secrets,
      clock: systemClock,
      log,
      onStored: () => undefined,
    });
    return createTeamPasswords(store, log);
  };
  expect(await (await open()).keep('s', place, stored)).toBe('keychain');
  // Like the next start.
  const passwords = await open();
  expect(await passwords.find('s', place)).toMatchObject(stored);
  const others = [
    { ...place, host: '127.0.0.1' },
    { ...place, port: 5433 },
    { ...place, database: 'other' },
    { ...place, role: 'ben' },
    { ...place, authority: null },
    { ...place, authority: 'ANOTHER' },
  ];
  for (const other of others) expect(await passwords.find('s', other)).toBeNull();
  expect(await passwords.find('t', place)).toBeNull();
  await passwords.remove('s');
  expect([...secrets.entries.keys()]).toEqual([]);
});

it('logs that the keychain cannot be read, but no password', async () => {
  const [secrets, log] = [createTestSecrets(), createTestLog()];
  secrets.usable = false;
  const store = await createCredentialStore({ secrets, clock: systemClock, log, onStored: () => undefined });
  const passwords = createTeamPasswords(store, log);
  expect(await passwords.find('s', place)).toBeNull();
  expect(await passwords.keep('s', place, stored)).toBe('session');
  expect(await passwords.find('s', place)).toMatchObject(stored);
  expect(log.lines.join()).toContain('cannot be read');
  expect(log.lines.join()).not.toContain(stored.password);
});
