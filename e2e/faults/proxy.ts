import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { ProxyNews, ProxyOrders } from './proxy-process.ts';

/** A proxy in a process of its own. */
export interface TestProxy {
  /** http://127.0.0.1:port, or https. */
  readonly origin: string;
  readonly port: number;
  /** All requests that the proxy has got by now, in order: CONNECT and a host, or a method and an absolute URL. */
  requests(): Promise<{ method: string; target: string; head: string }[]>;
  /** Bytes of bodies and tunnels by now, both directions. */
  bytesThrough(): Promise<number>;
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
  const requests: Awaited<ReturnType<TestProxy['requests']>> = [];
  let bytesThrough = 0;
  const changes: (() => void)[] = [];
  child.once('exit', () => {
    for (const onChanged of changes.splice(0)) onChanged();
  });
  const port = await new Promise<number>((resolve, reject) => {
    child.on('message', (news: ProxyNews) => {
      if ('port' in news) resolve(news.port);
      else if ('method' in news) requests.push(news);
      else if ('isChanged' in news) changes.shift()?.();
      else bytesThrough += news.bytesThrough;
    });
    child.once('exit', () => reject(new Error('the proxy did not start')));
  });

  function change(orders: Partial<ProxyOrders>): Promise<void> {
    return new Promise((resolve) => {
      changes.push(resolve);
      child.send(orders, (failure) => {
        if (failure) resolve();
      });
    });
  }

  /** What the proxy tells comes on another way than its answers. What it told before it answers this is here with that. */
  async function catchUp(): Promise<void> {
    if (child.connected) await change({});
  }

  return {
    origin: `${orders.pem === undefined ? 'http' : 'https'}://127.0.0.1:${port}`,
    port,
    async requests() {
      await catchUp();
      return [...requests];
    },
    async bytesThrough() {
      await catchUp();
      return bytesThrough;
    },
    change,
    async kill() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const exited = once(child, 'exit');
      child.kill('SIGKILL');
      await exited;
    },
  };
}
