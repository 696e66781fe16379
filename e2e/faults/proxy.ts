import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { ProxyNews, ProxyOrders } from './proxy-process.ts';

/** A proxy that runs as a process of its own. */
export interface TestProxy {
  /** http://127.0.0.1:port, or https. */
  readonly origin: string;
  readonly port: number;
  /** What it was asked, in order: CONNECT and a host, or a method and an absolute address. */
  readonly requests: { method: string; target: string; head: string }[];
  /** Of bodies and of what went through tunnels, both ways. */
  bytesThrough(): number;
  /** Resolves when it is so. */
  change(orders: Partial<ProxyOrders>): Promise<void>;
  /** As a power cut would end it; resolves when nobody listens any more. */
  kill(): Promise<void>;
}

const script = fileURLToPath(new URL('proxy-process.ts', import.meta.url));

/** Whoever starts it ends it. */
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
