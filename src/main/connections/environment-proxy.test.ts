import fc from 'fast-check';
import { Agent, EnvHttpProxyAgent, ProxyAgent } from 'undici';
import { expect, test, vi } from 'vitest';
import { environmentProxy } from './environment-proxy.ts';

/** The proxy that undici's agent chooses; it is stopped before it sends. */
function undiciChooses(address: string, environment: Record<string, string | undefined>): string | null {
  const { http_proxy: httpProxy = '', https_proxy: httpsProxy = '', no_proxy: noProxy = '' } = environment;
  const over = vi.spyOn(ProxyAgent.prototype, 'dispatch').mockReturnValue(true);
  const directly = vi.spyOn(Agent.prototype, 'dispatch').mockReturnValue(true);
  const agent = new EnvHttpProxyAgent({ httpProxy, httpsProxy, noProxy });
  agent.dispatch({ origin: address, path: '/', method: 'GET' }, {});
  const isDirect = over.mock.calls.length === 0;
  vi.restoreAllMocks();
  expect(directly.mock.calls.length).toBe(isDirect ? 1 : 0);
  if (isDirect) return null;
  return (address.startsWith('https:') && httpsProxy) || httpProxy;
}

test('chooses as undici does', () => {
  const name = fc.constantFrom(
    'example.org',
    'a.example.org',
    'org',
    'other.test',
    '10.0.0.1',
    '[2001:db8::1]',
    '*',
  );
  const entry = fc
    .tuple(fc.constantFrom('', '.', '*.'), name, fc.constantFrom('', ':443', ':80', ':8443', '.'))
    .map((parts) => parts.join(''));
  fc.assert(
    fc.property(
      fc.constantFrom('http', 'https'),
      name.filter((host) => host !== '*'),
      fc.constantFrom('', ':8443', ':80', ':443'),
      fc.array(entry, { maxLength: 3 }),
      fc.constantFrom(undefined, 'http://plain.test:3128'),
      fc.constantFrom(undefined, 'http://secure.test:3128'),
      (scheme, host, port, entries, http_proxy, https_proxy) => {
        const environment = { http_proxy, https_proxy, no_proxy: entries.join(', ') };
        const { origin } = new URL(`${scheme}://${host}${port}`);
        expect(environmentProxy(origin, environment)).toBe(undiciChooses(origin, environment));
      },
    ),
    { numRuns: 500 },
  );
});

test.each([
  [{ HTTPS_PROXY: 'http://a:1' }, 'http://a:1'],
  [{ HTTPS_PROXY: 'http://a:1', https_proxy: 'http://b:1' }, 'http://b:1'],
  [{ HTTP_PROXY: 'http://a:1' }, 'http://a:1'],
  [{ HTTPS_PROXY: 'http://a:1', NO_PROXY: 'example.org' }, null],
  [{ HTTPS_PROXY: '' }, null],
  [{}, null],
])('%j', (environment, proxy) => expect(environmentProxy('https://example.org', environment)).toBe(proxy));
