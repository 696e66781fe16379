import { expect, test } from 'vitest';
import { exitCodeOf, exitCodeOfAll, exitCodeWithoutToken, exitCodes, passesByItself } from './exit-code.ts';

const { done, error, exists, notFound, someFailed, token, tryLater, interrupted } = exitCodes;

test.each([
  ['nothing to do', [], done],
  ['all done', [done, done], done],
  ['all failed for one reason', [exists, exists], exists],
  ['all failed for different reasons', [exists, notFound], error],
  ['some failed', [done, exists], someFailed],
  ['the rest is left for later: nothing failed', [done, tryLater, tryLater], tryLater],
  ['one failed and another is left', [done, exists, tryLater], someFailed],
  ['interrupted', [done, exists, interrupted], interrupted],
] as const)('%s', (_name, codes, code) => expect(exitCodeOfAll(codes)).toBe(code));

test.each([
  ['none is there', { code: 'tokenMissing' }, token],
  ['the keychain is locked', { code: 'keychain', problem: 'locked' }, token],
  ['the keychain was too late', { code: 'keychain', problem: 'timeout' }, tryLater],
] as const)('without a token: %s', (_name, trouble, code) =>
  expect(exitCodeWithoutToken(trouble)).toBe(code),
);

test.each([
  ['away', 'unreachable', tryLater],
  ['without its list, as while a backup is put back', 'noTeam', tryLater],
  ['letting nobody read yet', 'noAccess', tryLater],
  ['refusing the password', 'login', token],
  ['not trusted', 'certificate', error],
] as const)('a team’s server: %s', (_name, why, code) =>
  expect(exitCodeOf({ code: 'teamServer', why, host: 'db.test' })).toBe(code),
);

test.each([
  ['a proxy that is away', 'timeout', tryLater],
  ['a proxy that requires a password', 'passwordMissing', error],
  ['a proxy that is not trusted', 'untrusted', error],
] as const)('%s', (_name, reason, code) => {
  const failed = { code: 'proxyFailed', reason, proxy: 'http://proxy.test', answered: null } as const;
  expect(exitCodeOf(failed)).toBe(code);
  expect(passesByItself(failed)).toBe(code === tryLater);
});
