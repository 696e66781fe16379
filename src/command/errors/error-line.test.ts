import { expect, test } from 'vitest';
import type { AppError } from '../../shared/errors.ts';
import { errorLine } from './error-line.ts';

const certificate = {
  host: 'h.test',
  issuer: '',
  subject: '',
  validUntil: '',
  fingerprint: 'AA:BB',
} as const;
const errors: readonly [AppError, string][] = [
  [{ code: 'badAddress', problem: 'insecure' }, '--allow-http'],
  [{ code: 'badAddress', problem: 'credentials' }, 'The token is asked for'],
  [{ code: 'badProxyAddress', problem: 'credentials' }, '--proxy-user'],
  [{ code: 'badAuthorityFile', fileName: 'x' }, '--ca'],
  [{ code: 'certificateNotTrusted', reason: 'unknownAuthority', ...certificate }, 'AA:BB'],
  [{ code: 'certificateNotTrusted', reason: 'wrongHost', ...certificate }, '--address'],
  [{ code: 'badClientCertificate', problem: 'passphrase', fileName: 'x' }, '--passphrase-file'],
  [{ code: 'badClientCertificate', problem: 'unreadable', fileName: 'x' }, '--client-certificate'],
  [{ code: 'clientCertificateRefused', reason: 'missing', host: 'h' }, '--client-certificate'],
  [{ code: 'clientCertificateRefused', reason: 'closed', host: 'h' }, '--client-certificate none'],
  [{ code: 'proxyFailed', reason: 'passwordMissing', proxy: 'http://p', answered: 407 }, '--proxy-user'],
  [{ code: 'proxyFailed', reason: 'untrusted', proxy: 'https://p', answered: null }, '--ca'],
  [{ code: 'proxyFailed', reason: 'unsupported', proxy: 'socks5://p', answered: null }, '--proxy'],
  [{ code: 'tokenMissing' }, '“coffer service token”'],
  [{ code: 'exists', status: 409, message: '', isUnseen: true }, '--store-anyway'],
  [{ code: 'tooLarge', status: 413 }, '--max-object'],
  [{ code: 'tooLarge', limitBytes: 1000 }, '1 KB'],
  [{ code: 'folderGone', folderName: 'x' }, '--download-folder'],
  [{ code: 'invalidInput', field: 'draft.name', problem: 'too_big' }, 'NAME takes at most 80 characters'],
  [{ code: 'invalidInput', field: 'draft.proxy.address', problem: 'too_big' }, '--proxy takes at most 2,000'],
  [
    { code: 'invalidInput', field: 'draft.classificationSource.values.3', problem: 'too_big' },
    '--classification',
  ],
  [{ code: 'invalidInput', field: 'token', problem: 'characters' }, 'The token contains spaces'],
  [{ code: 'invalidInput', field: 'user', problem: 'characters' }, '--proxy-user: '],
];

test.each(errors)('%j names the option', (error, words) => {
  const line = errorLine(error);
  expect(line).toContain(words);
  expect(line).not.toMatch(/Optional|Settings|own field/);
});
