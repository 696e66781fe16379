import { expect, it } from 'vitest';
import { createTestLog, createTestSecrets } from '../../../test-support/main/test-ports.ts';
import { systemClock } from '../clock.ts';
import { createCredentialStore } from './credential-store.ts';
import { createPassphrases } from './passphrases.ts';

it('gives a passphrase only for the file that it was stored for', async () => {
  const secrets = createTestSecrets();
  const open = async () =>
    createPassphrases(
      await createCredentialStore({
        secrets,
        clock: systemClock,
        log: createTestLog(),
        onStored: () => undefined,
      }),
    );
  await (await open()).set('s', { fileName: 'a.pfx', digest: 'of one file', pfx: '' }, 'hunter2');
  expect([...secrets.entries.keys()]).toEqual(['certificate:s']);
  // Like the next start.
  const passphrases = await open();
  await passphrases.load('s');
  expect(passphrases.read('s', 'of one file')).toBe('hunter2');
  expect(passphrases.read('s', 'of another')).toBeNull();
  expect(passphrases.storedIn('s', 'of another')).toBe('none');
  expect(passphrases.read('t', 'of one file')).toBeNull();
});
