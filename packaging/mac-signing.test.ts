import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { macSigning } from './mac-signing.ts';

const root = join(import.meta.dirname, '..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const looseness = 'com.apple.security.cs.disable-library-validation';

test.each([{ CSC_LINK: 'certificate.p12' }, { CSC_NAME: 'Somebody' }])(
  'with a certificate (%o) nothing is loosened',
  (env) => {
    const { identity, entitlements, entitlementsInherit } = macSigning({ ...env, COFFER_RELEASE: 'mac' });
    expect(identity).toBeUndefined();
    expect(entitlementsInherit).toBe(entitlements);
    expect(read(String(entitlements))).not.toContain(looseness);
  },
);

test('signs the app ad hoc without a certificate, for this computer', () => {
  const { identity, notarize, entitlements, entitlementsInherit } = macSigning({});
  expect({ identity, notarize }).toEqual({ identity: '-', notarize: false });
  expect(entitlementsInherit).toBe(entitlements);
  expect(read(String(entitlements))).toContain(looseness);
});

test('refuses a release for macOS without a certificate, and the workflow says which system it releases', () => {
  expect(() => macSigning({ COFFER_RELEASE: 'mac' })).toThrow('needs a certificate');
  for (const system of ['linux', 'win']) expect(macSigning({ COFFER_RELEASE: system }).identity).toBe('-');
  const workflow = read('.github/workflows/release.yml');
  expect(workflow).toContain('COFFER_RELEASE: ${{ matrix.system }}');
  // An empty secret must not look like a certificate.
  expect(workflow).toContain('[ -n "$CSC_LINK" ] || unset CSC_LINK CSC_KEY_PASSWORD');
});

test('signs the app ad hoc in a pull request, too: electron-builder signs nothing there unless told to', () => {
  const steps = read('.github/workflows/ci.yml').split(/^ {6}- /m);
  const packaging = steps.filter((step) => step.includes('npm run package'));
  expect(packaging).not.toEqual([]);
  for (const step of packaging) expect(step).toContain("CSC_FOR_PULL_REQUEST: 'true'");
});
