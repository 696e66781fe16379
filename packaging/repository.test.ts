import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { repositoryAddresses } from './repository.ts';

const root = join(import.meta.dirname, '..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');

test('packages name the repository that they were made in, and where to report problems', () => {
  expect(repositoryAddresses({ COFFER_HOMEPAGE: 'https://host.example/somebody/coffer/' })).toEqual({
    homepage: 'https://host.example/somebody/coffer',
    repository: { type: 'git', url: 'git+https://host.example/somebody/coffer.git' },
    bugs: { url: 'https://host.example/somebody/coffer/issues' },
  });
  expect(repositoryAddresses({ COFFER_HOMEPAGE: '' })).toBeNull();
  expect(() => repositoryAddresses({ COFFER_HOMEPAGE: 'coffer.example' })).toThrow('only an https address');
});

test('npm knows the oldest Node that README.md names', () => {
  const { engines } = JSON.parse(read('package.json')) as { engines: { node: string } };
  expect(read('README.md')).toContain(`Both need Node ${engines.node.replace('>=', '')} or newer`);
});

test('the licence is where REUSE looks for it, and no file repeats it', () => {
  expect(read('REUSE.toml')).toContain('SPDX-License-Identifier = "MIT"');
  expect(read('LICENSES/MIT.txt')).toBe(read('LICENSE'));
});

test('takes a problem with a form, and a vulnerability in private', () => {
  const forms = globSync('*.yml', { cwd: join(root, '.github', 'ISSUE_TEMPLATE') }).sort();
  expect(forms).toEqual(['config.yml', 'idea.yml', 'problem.yml']);
  expect(read('.github/ISSUE_TEMPLATE/config.yml')).toContain('blank_issues_enabled: false');
  expect(read('.github/ISSUE_TEMPLATE/problem.yml')).toContain('security/policy');
});
