import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { CofferClient } from '../../main/agent/agent-client.ts';
import { guardOf } from '../../shared/contract.ts';
import type { LeftParts } from '../../shared/contract.ts';
import { checkLeftParts } from './doctor-left-parts.ts';

const root = join(import.meta.dirname, '..', '..', '..');

const left = (upload: string, why: LeftParts['why']): LeftParts => ({
  identifier: 'films/a.mov',
  upload,
  parts: 12,
  why,
});

/** A service with orphans of two uploads; it keeps refusing to delete those of the second. */
function startCoffer() {
  const state = { uploads: [left('aa', 'unknown'), left('bb', 'refused')], removing: [] as string[] };
  const wanted: string[][] = [];
  const call = async (name: string, input: { uploads: string[] }) => {
    if (name === 'services.list') return { services: [{ id: 'p', name: 'Archive' }] };
    if (name === 'objects.removeLeftParts') {
      wanted.push(input.uploads);
      state.removing = input.uploads;
      state.uploads = state.uploads.filter(({ upload }) => !input.uploads.includes(upload));
      return undefined;
    }
    const answer = { uploads: [...state.uploads], removing: state.removing };
    if (state.removing.includes('bb')) state.uploads.push(left('bb', 'refused'));
    state.removing = [];
    return answer;
  };
  return { wanted, coffer: { call } as unknown as CofferClient };
}

test('lists orphans by upload, with the command that deletes them', async () => {
  const { coffer, wanted } = startCoffer();
  const findings = await checkLeftParts(coffer, []);
  expect(findings.map(({ isOk, text }) => `${isOk} ${text}`)).toEqual([
    'false 12 parts of films/a.mov at Archive, upload aa: a file, or a replaced version on another computer, may still need them; “coffer doctor --remove-parts aa” deletes them',
    'false 12 parts of films/a.mov at Archive, upload bb: the service refused to delete them; “coffer doctor --remove-parts bb” deletes them',
  ]);
  expect(wanted).toEqual([]);
});

test('deletes the named orphans and reports the result', async () => {
  const { coffer, wanted } = startCoffer();
  const findings = await checkLeftParts(coffer, ['aa', 'bb', 'cc']);
  expect(wanted).toEqual([['aa', 'bb']]);
  expect(findings.map(({ isOk, text }) => `${isOk} ${text}`)).toEqual([
    'true 12 parts of films/a.mov at Archive, upload aa: deleted, or kept where a file needs them',
    'false 12 parts of films/a.mov at Archive, upload bb: the service refused to delete them; “coffer doctor --remove-parts bb” deletes them',
    'false nothing is left of upload cc',
  ]);
});

test('the app serves every call that commands make', () => {
  const sources = globSync('src/command/**/*.ts', { cwd: root }).filter((file) => !file.endsWith('.test.ts'));
  const calls = sources.flatMap((file) =>
    Array.from(
      readFileSync(join(root, file), 'utf8').matchAll(/\.call\(\s*'([a-z.]+)'/gi),
      ([, name]) => name ?? '',
    ),
  );
  expect(calls.length).toBeGreaterThan(20);
  // Commands call these on their own engine only.
  expect(new Set(calls.filter((name) => guardOf(name) === null))).toEqual(
    new Set([
      'command.leftBehind',
      'command.limit',
      'edits.copyOf',
      'edits.leave',
      'secrets.clearClipboard',
      'team.inviteComputer',
      'transfers.drop',
      'undo.clear',
    ]),
  );
});
