import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { windowsSigning } from './windows-signing.ts';

const workflow = readFileSync(join(import.meta.dirname, '..', '.github', 'workflows', 'release.yml'), 'utf8');

const account = {
  COFFER_SIGNING_ENDPOINT: 'https://weu.codesigning.azure.net',
  COFFER_SIGNING_ACCOUNT: 'coffer',
  COFFER_SIGNING_PROFILE: 'releases',
  COFFER_SIGNING_PUBLISHER: 'The Coffer authors',
};

test('Azure signs with the account, and refuses a package without a signature', () => {
  expect(windowsSigning({ ...account, COFFER_RELEASE: 'win' })).toEqual({
    azureSignOptions: {
      endpoint: 'https://weu.codesigning.azure.net',
      codeSigningAccountName: 'coffer',
      certificateProfileName: 'releases',
      publisherName: 'The Coffer authors',
    },
    forceCodeSigning: true,
  });
});

test('refuses a part of an account, and says what is missing', () => {
  const { COFFER_SIGNING_PROFILE: _profile, ...rest } = account;
  expect(() => windowsSigning({ ...rest, COFFER_SIGNING_ENDPOINT: '' })).toThrow(
    'without COFFER_SIGNING_ENDPOINT, COFFER_SIGNING_PROFILE.',
  );
});

test("refuses a release for Windows without an account, except a fork's", () => {
  expect(() => windowsSigning({ COFFER_RELEASE: 'win', COFFER_UNSIGNED: 'false' })).toThrow(
    'needs an account that signs',
  );
  for (const env of [
    {},
    { COFFER_RELEASE: 'linux' },
    { COFFER_RELEASE: 'mac' },
    { COFFER_RELEASE: 'win', COFFER_UNSIGNED: 'true' },
  ])
    expect(windowsSigning(env)).toEqual({});
});

test('the workflow passes the account on to Windows alone, and says whether it runs in a fork', () => {
  for (const name of Object.keys(account))
    expect(workflow).toContain(`${name}: \${{ runner.os == 'Windows' && vars.${name} || '' }}`);
  expect(workflow).toContain('COFFER_UNSIGNED: ${{ github.event.repository.fork }}');
  expect(workflow).toContain(
    "AZURE_CLIENT_SECRET: ${{ runner.os == 'Windows' && secrets.AZURE_CLIENT_SECRET || '' }}",
  );
  // No certificate in a file.
  expect(workflow).not.toContain('WIN_CERTIFICATE');
});
