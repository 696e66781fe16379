import type { Environment } from '../ports.ts';

/**
 * The proxy that HTTPS_PROXY, HTTP_PROXY and NO_PROXY name for an address, as undici's EnvHttpProxyAgent reads them: lower
 * case before upper case, and HTTP_PROXY for https if HTTPS_PROXY is not set. null: none.
 */
export function environmentProxy(address: string, environment: Environment): string | null {
  const { protocol, hostname, port } = new URL(address);
  const read = (name: string) => environment[name] ?? environment[name.toUpperCase()];
  const plain = read('http_proxy');
  const proxy = protocol === 'https:' ? read('https_proxy') || plain : plain;
  if (!proxy) return null;
  const usedPort = Number(port) || (protocol === 'https:' ? 443 : 80);
  const host = bare(hostname)
    .toLowerCase()
    .replace(/(.)\.$/, '$1');
  const exceptions = (read('no_proxy') ?? '').split(/[,\s]/).filter((entry) => entry !== '');
  return exceptions.some((entry) => isExcepted(host, usedPort, entry)) ? null : proxy;
}

/** `example.org` and `.example.org`: the host and its subdomains; `*.example.org`: subdomains; `*`: all. A port restricts it to that port. */
function isExcepted(host: string, port: number, entry: string): boolean {
  const [, named = '', ofPort] = /^(\[.+\]|[^:]+):(\d+)$/.exec(entry) ?? [null, entry];
  if (Number(ofPort ?? 0) !== 0 && Number(ofPort) !== port) return false;
  const name = bare(named)
    .replace(/^\*?\./, '')
    .replace(/^(.+)\.$/, '$1')
    .toLowerCase();
  if (name === '*') return true;
  return (!named.startsWith('*') && host === name) || host.endsWith(`.${name}`);
}

const bare = (hostname: string) => hostname.replace(/^\[(.+)\]$/, '$1');
