import { Agent, type Dispatcher } from 'undici';
import { AppFailure } from '../../shared/app-failure.ts';
import { hostOf, isLoopback } from './base-address.ts';
import { createConnectors, type ConnectOptions, type Connector } from './connect.ts';
import type { Timeouts } from './responses.ts';
import { proveTo, proxyRefusal, type FindProxy, type ProxyServer } from './proxy.ts';

export interface DispatcherRequest extends Omit<Dispatcher.RequestOptions, 'headers'> {
  /** Scheme, host and port. */
  origin: string;
  headers: Record<string, string>;
}

/** Connections that share a route: direct, or over one proxy. */
export interface ServiceDispatcher {
  request(request: DispatcherRequest): Promise<Dispatcher.ResponseData>;
}

export interface Dispatchers {
  /** The route to this origin at this moment. @throws AppFailure proxyFailed, cancelled (after `close`) */
  find(origin: string): Promise<ServiceDispatcher>;
  /** As `Http.close`. */
  close(whenIdle: boolean): Promise<void>;
}

interface OpenDispatcher {
  way: ServiceDispatcher;
  agent: Agent;
  connector: Connector;
  /** The proxy at the last lookup; null: direct. */
  proxy: ProxyServer | null;
}

/** @throws AppFailure badAuthorityFile, badClientCertificate */
export function createDispatchers(
  options: ConnectOptions,
  timeouts: Timeouts,
  findProxy: FindProxy = async () => null,
): Dispatchers {
  const connectorOver = createConnectors(options);
  /** By the proxy's origin; empty: direct. */
  const dispatchers = new Map<string, OpenDispatcher>();
  let isClosed = false;

  function open(): OpenDispatcher {
    // The proxy's password may have changed by the next connection.
    const over: Pick<OpenDispatcher, 'proxy'> = { proxy: null };
    const connector = connectorOver(() => over.proxy);
    const agent = new Agent({
      connect: connector.connect,
      headersTimeout: timeouts.headersMs,
      bodyTimeout: timeouts.idleBodyMs,
    });
    const way: ServiceDispatcher = {
      request(request) {
        const { proxy } = over;
        if (proxy === null || request.origin.startsWith('https:')) return agent.request(request);
        return forward(agent, proxy, request);
      },
    };
    return Object.assign(over, { way, agent, connector });
  }

  return {
    async find(origin) {
      const proxy = isThisComputer(hostOf(origin).replace(/:\d+$/, '')) ? null : await findProxy(origin);
      if (isClosed) throw new AppFailure({ code: 'cancelled' });
      const key = proxy?.origin ?? '';
      const found = dispatchers.get(key) ?? open();
      dispatchers.set(key, found);
      found.proxy = proxy;
      return found.way;
    },
    async close(whenIdle) {
      isClosed = true;
      const all = [...dispatchers.values()];
      if (whenIdle) return void (await Promise.all(all.map(({ agent }) => agent.close())));
      const closed = Promise.all(all.map(({ agent }) => agent.destroy()));
      for (const { connector } of all) connector.cancelAttempts();
      await closed;
    },
  };
}

/**
 * Plain http: sends the request itself to the proxy (RFC 9112, 3.2.2), which sees all of it and may ask for a
 * password.
 */
function forward(
  agent: Agent,
  proxy: ProxyServer,
  request: DispatcherRequest,
): Promise<Dispatcher.ResponseData> {
  return proveTo(proxy, async (proof) => {
    const answer = await agent.request({
      ...request,
      path: request.origin + request.path,
      headers: { ...request.headers, ...proof },
    });
    if (answer.statusCode !== 407) return answer;
    answer.body.on('error', () => undefined).destroy();
    throw proxyRefusal(proxy, 407, answer.headers['proxy-authenticate']);
  });
}

/** A name below `localhost` is this computer too (RFC 6761, 6.3), and so is an IPv4-mapped IPv6 loopback address. */
function isThisComputer(hostname: string): boolean {
  const name = hostname.replace(/\.$/, '');
  return isLoopback(name) || name.endsWith('.localhost') || /^\[::ffff:7f[0-9a-f]{2}:/.test(name);
}
