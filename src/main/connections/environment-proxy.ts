import type { Clock, Environment, Log, SystemProxy } from '../ports.ts';

/** How long one look-up may take, in ms. */
const answersWithinMs = 10_000;
/** How long an answer, or the lack of one, is reused, in ms. */
const keptMs = 60_000;

interface Answer {
  /** The last answer in PAC syntax; '': there has been none. */
  text: string;
  untilMs: number;
  /** The running look-up. */
  asking: Promise<void> | null;
}

/**
 * The system's proxies by origin. Electron looks up one address at a time (shell/browser/net/resolve_proxy_helper.cc), so a
 * PAC file that hangs for one service blocks all others. So waits are limited, and each origin is looked up at most once a
 * minute.
 * @returns a look-up for an origin that never rejects: the system's answer; on a timeout or failure its last one, or else ''
 */
export function createSystemAnswers(
  systemProxy: SystemProxy,
  clock: Pick<Clock, 'delay' | 'monotonicMs'>,
  log: Log,
): (origin: string) => Promise<string> {
  const answers = new Map<string, Answer>();

  async function ask(origin: string, answer: Answer): Promise<void> {
    try {
      answer.text = await systemProxy.resolve(`${origin}/`);
    } catch (cause) {
      log.warn('the system does not say how to reach a service', { cause });
    }
    answer.untilMs = clock.monotonicMs() + keptMs;
    answer.asking = null;
  }

  return async function answerFor(origin) {
    const answer = answers.get(origin) ?? { text: '', untilMs: -Infinity, asking: null };
    answers.set(origin, answer);
    if (clock.monotonicMs() < answer.untilMs) return answer.text;
    answer.asking ??= ask(origin, answer);
    const answered = new AbortController();
    const limit = clock.delay(answersWithinMs, answered.signal).then(
      () => true,
      () => false,
    );
    const isLate = await Promise.race([answer.asking.then(() => false), limit]);
    answered.abort();
    if (isLate) {
      log.warn('the system does not say in time how to reach a service');
      answer.untilMs = clock.monotonicMs() + keptMs;
    }
    return answer.text;
  };
}

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
