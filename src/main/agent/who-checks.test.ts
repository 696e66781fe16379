import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { guardOf, procedures } from '../../shared/contract.ts';
import { requestSchema } from './serve-agent.ts';

const page = new URL('../../../docs/secrets-for-programs.md', import.meta.url);

/** The code words in the second column of the table "Who checks what", a row each. */
function rows(): string[][] {
  const [, section = ''] = readFileSync(page, 'utf8').split('### Who checks what');
  const lines =
    section
      .split(/^##/m)[0]
      ?.split('\n')
      .filter((line) => line.startsWith('|')) ?? [];
  return lines
    .slice(2)
    .map((line) => [...(line.split('|')[2] ?? '').matchAll(/`([^`]+)`/g)].map(([, word = '']) => word));
}

test('gives this computer’s password for a team to no other process', () => {
  expect(guardOf('team.inviteComputer')).toBeNull();
});

test('the table on who checks what has every procedure and message of the socket, where it belongs', () => {
  const [account, token, person, messages] = rows();
  const of = (guard: string) =>
    Object.keys(procedures)
      .filter((name) => guardOf(name) === guard)
      .toSorted();
  expect(account?.toSorted()).toEqual(of('account'));
  expect(token?.toSorted()).toEqual(of('token'));
  expect(person?.toSorted()).toEqual(of('person'));
  const parts = requestSchema.options.flatMap(({ shape }) => Object.keys(shape));
  expect(messages?.toSorted()).toEqual(parts.filter((part) => part !== 'id' && part !== 'input').toSorted());
});
