import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import net, { type AddressInfo, type Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { ownPort } from './own-port.ts';

export interface ProxyOrders {
  /** Set to restart at the same port. */
  port?: number;
  /** `name:password`; null: no login required. */
  login: string | null;
  /** Local ports by host name. All other names cannot be resolved. */
  hosts: Record<string, number>;
  /** Path of a PEM file; with it, the proxy speaks TLS, and asks for a client certificate. */
  pem?: string;
  /** Fails instead of forwarding: a status, no response, or a response that is not HTTP. */
  instead?: number | 'silence' | 'gibberish' | 'negotiate' | null;
}

interface Noted {
  method: string;
  target: string;
  head: string;
  /** Common name of the client certificate that the proxy was shown. */
  client: string | undefined;
}

/** A small HTTP proxy: tunnels CONNECT, and forwards requests with an absolute URL. */
export interface TestProxy {
  /** http://127.0.0.1:port, or https. */
  readonly origin: string;
  readonly port: number;
  /** All requests so far, in order: CONNECT and a host, or a method and an absolute URL. */
  readonly requests: readonly Noted[];
  /** Bytes of bodies and tunnels so far, both directions. */
  bytesThrough(): number;
  /** Takes effect at once. */
  change(orders: Partial<ProxyOrders>): void;
  /** Ends all connections, as the end of its process would; resolves when the port is closed. */
  kill(): Promise<void>;
}

/** The caller must `kill` it. */
export async function startProxy(given: Partial<ProxyOrders> = {}): Promise<TestProxy> {
  const orders: ProxyOrders = { login: null, hosts: {}, ...given };
  const requests: Noted[] = [];
  let bytesThrough = 0;
  const countBytes = (chunk: Buffer) => void (bytesThrough += chunk.length);
  /** Of both sides. */
  const sockets = new Set<Socket>();
  const keep = (socket: Socket) => sockets.add(socket.once('close', () => sockets.delete(socket)));

  function noteRequest({ method = '', url = '', rawHeaders, socket }: http.IncomingMessage): void {
    const name = socket instanceof TLSSocket ? socket.getPeerCertificate().subject?.CN : undefined;
    requests.push({ method, target: url, head: rawHeaders.join('\n'), client: name && String(name) });
  }

  /** The response to send instead of forwarding; null: forward. */
  function refusalOf({ headers }: http.IncomingMessage): { status: number; offers?: string } | null {
    if (typeof orders.instead === 'number') return { status: orders.instead };
    if (orders.instead === 'negotiate') return { status: 407, offers: 'Negotiate' };
    if (orders.login === null) return null;
    const expected = `Basic ${Buffer.from(orders.login).toString('base64')}`;
    return headers['proxy-authorization'] === expected
      ? null
      : { status: 407, offers: 'Basic realm="tests"' };
  }

  const portOf = (hostname: string) => orders.hosts[hostname] ?? 0;
  const agent = new http.Agent({ keepAlive: true });

  function onRequest(request: http.IncomingMessage, response: http.ServerResponse): void {
    noteRequest(request);
    if (orders.instead === 'silence') return;
    const refusal = refusalOf(request);
    if (refusal) {
      const { status, offers } = refusal;
      request.resume();
      response.writeHead(status, offers === undefined ? {} : { 'proxy-authenticate': offers }).end('refused');
      return;
    }
    const url = URL.parse(request.url ?? '');
    if (!url || portOf(url.hostname) === 0) {
      response.writeHead(502).end();
      return;
    }
    const { 'proxy-authorization': _own, ...headers } = request.headers;
    const forwarded = http.request(
      {
        agent,
        host: '127.0.0.1',
        port: portOf(url.hostname),
        method: request.method,
        path: url.pathname + url.search,
        headers,
      },
      (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.on('data', countBytes);
        answer.on('error', () => response.destroy()).pipe(response);
      },
    );
    request.on('data', countBytes);
    forwarded.on('error', () => response.destroy());
    request.pipe(forwarded);
  }

  function onConnect(request: http.IncomingMessage, client: Socket): void {
    noteRequest(request);
    client.on('error', () => undefined);
    if (orders.instead === 'silence') return;
    const refusal = refusalOf(request);
    const port = portOf((request.url ?? '').replace(/:\d+$/, ''));
    if (refusal || port === 0) {
      const { status, offers } = refusal ?? { status: 502 };
      const offered = offers === undefined ? '' : `proxy-authenticate: ${offers}\r\n`;
      client.end(`HTTP/1.1 ${status} No\r\n${offered}content-length: 7\r\n\r\nrefused`);
      return;
    }
    const service = net.connect(port, '127.0.0.1', () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n');
      client.on('data', countBytes);
      service.on('data', countBytes);
      client.pipe(service).pipe(client);
    });
    keep(service);
    service.on('error', () => client.destroy());
  }

  const server = orders.pem
    ? https.createServer(
        {
          key: readFileSync(orders.pem),
          cert: readFileSync(orders.pem),
          requestCert: true,
          rejectUnauthorized: false,
        },
        onRequest,
      )
    : http.createServer(onRequest);
  server.on('connect', onConnect);
  server.prependListener('connection', (socket: Socket) => {
    keep(socket);
    if (orders.instead === 'gibberish') socket.end('SSH-2.0-OpenSSH_9.9\r\n');
  });
  server.listen(orders.port ?? (await ownPort()), '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;

  return {
    origin: `${orders.pem === undefined ? 'http' : 'https'}://127.0.0.1:${port}`,
    port,
    requests,
    bytesThrough: () => bytesThrough,
    change: (changed) => void Object.assign(orders, changed),
    async kill() {
      if (!server.listening) return;
      const closed = once(server, 'close');
      server.close();
      agent.destroy();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
