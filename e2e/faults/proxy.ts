import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { ProxyNews, ProxyOrders } from './proxy-process.ts';

/** A proxy in a process of its own. */
export interface TestProxy {
  /** http://127.0.0.1:port, or https. */
  readonly origin: string;
  readonly port: number;
  /** Requests in order: CONNECT and a host, or a method and an absolute URL. */
  readonly requests: { method: string; target: string; head: string }[];
  /** Bytes of bodies and tunnels, both directions. */
  bytesThrough(): number;
  /** Resolves when the change is in effect. */
  change(orders: Partial<ProxyOrders>): Promise<void>;
  /** Kills the process; resolves when the port is closed. */
  kill(): Promise<void>;
}

const script = fileURLToPath(new URL('proxy-process.ts', import.meta.url));

/** The caller must `kill` it. */
export async function startProxy(orders: Partial<ProxyOrders> = {}): Promise<TestProxy> {
  const child = fork(script, [JSON.stringify({ login: null, hosts: {}, ...orders })], {
    execArgv: ['--disable-warning=ExperimentalWarning'],
  });
  const requests: TestProxy['requests'] = [];
  let bytesThrough = 0;
  let onChanged: () => void = () => undefined;
  const port = await new Promise<number>((resolve, reject) => {
    child.on('message', (news: ProxyNews) => {
      if ('port' in news) resolve(news.port);
      else if ('method' in news) requests.push(news);
      else if ('isChanged' in news) onChanged();
      else bytesThrough += news.bytesThrough;
    });
    child.once('exit', () => reject(new Error('the proxy did not start')));
  });
  return {
    origin: `${orders.pem === undefined ? 'http' : 'https'}://127.0.0.1:${port}`,
    port,
    requests,
    bytesThrough: () => bytesThrough,
    async change(change) {
      const changed = Promise.withResolvers<void>();
      onChanged = changed.resolve;
      child.send(change);
      await changed.promise;
    },
    async kill() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const exited = once(child, 'exit');
      child.kill('SIGKILL');
      await exited;
    },
  };
}
