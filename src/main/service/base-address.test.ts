import { describe, expect, test } from 'vitest';
import { toAppError } from '../../shared/app-failure.ts';
import { parseBaseAddress, resolveAddress } from './base-address.ts';

function problemOf(run: () => unknown): unknown {
  try {
    run();
  } catch (cause) {
    return toAppError(cause);
  }
  return undefined;
}

describe('base address', () => {
  test.each([
    ['https://service.test', 'https://service.test', ''],
    ['https://service.test/', 'https://service.test', ''],
    ['  https://Service.test:8443/a/b//  ', 'https://service.test:8443', '/a/b'],
    ['https://service.test/a b', 'https://service.test', '/a%20b'],
    ['http://localhost:8080/x', 'http://localhost:8080', '/x'],
    ['http://127.0.0.1:1', 'http://127.0.0.1:1', ''],
    ['http://127.8.9.10', 'http://127.8.9.10', ''],
    ['http://127.1', 'http://127.0.0.1', ''],
    ['http://[::1]:9', 'http://[::1]:9', ''],
  ])('accepts %s', (address, origin, prefix) => {
    expect(parseBaseAddress(address)).toEqual({ origin, prefix });
  });

  test.each([
    ['', 'notUrl'],
    ['service.test', 'notUrl'],
    ['https://', 'notUrl'],
    ['ftp://service.test', 'scheme'],
    ['localhost:8080', 'scheme'],
    ['http://service.test', 'insecure'],
    ['http://localhost.evil.test', 'insecure'],
    ['http://127.0.0.1.evil.test', 'insecure'],
    ['http://[::2]', 'insecure'],
    ['https://user@service.test', 'credentials'],
    ['https://user:word@service.test', 'credentials'],
    ['https://service.test/?a=1', 'query'],
    ['https://service.test/?', 'query'],
    ['https://service.test/#a', 'fragment'],
    ['https://service.test/#', 'fragment'],
  ])('refuses %j: %s', (address, problem) => {
    expect(problemOf(() => parseBaseAddress(address))).toEqual({ code: 'badAddress', problem });
  });

  test('allows http for other hosts only when the service allows it', () => {
    expect(parseBaseAddress('http://service.test', true)).toEqual({
      origin: 'http://service.test',
      prefix: '',
    });
  });
});

describe('classification address', () => {
  const base = parseBaseAddress('https://service.test/pre');

  test.each([
    ['/api/classifications', 'https://service.test/pre/api/classifications'],
    ['api/classifications?all=1', 'https://service.test/pre/api/classifications?all=1'],
    ['//evil.test/x', 'https://service.test/pre/evil.test/x'],
    ['\\\\evil.test/x', 'https://service.test/pre/evil.test/x'],
    ['@evil.test', 'https://service.test/pre/@evil.test'],
    ['https://other.test/list', 'https://other.test/list'],
  ])('%s', (address, href) => {
    expect(resolveAddress(base, address).href).toBe(href);
  });

  test('an absolute address follows the rules of the base address', () => {
    expect(problemOf(() => resolveAddress(base, 'http://other.test/list'))).toMatchObject({
      problem: 'insecure',
    });
    expect(problemOf(() => resolveAddress(base, 'file:///etc/hosts'))).toMatchObject({ problem: 'scheme' });
  });
});
