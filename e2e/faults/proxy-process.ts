import { readFileSync } from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import { flushCompileCache } from 'node:module';
import net, { type AddressInfo, type Socket } from 'node:net';

/** Configuration of the proxy: its only argument, and later messages. */
export interface ProxyOrders {
  /** Set to restart at the same port. */
  port?: number;
  /** `name:password`; null: no login required. */
  login: string | null;
  /** Local ports by host name. All other names cannot be resolved. */
  hosts: Record<string, number>;
  /** Path of a PEM file; with it, the proxy speaks TLS. */
  pem?: string;
  /** Fails instead of forwarding: a status, no response, or a response that is not HTTP. */
  instead?: number | 'silence' | 'gibberish' | 'negotiate' | null;
}

/** Messages of the proxy: where it listens, and each request with all that the proxy could read of it. */
export type ProxyNews =
  | { port: number }
  | { method: string; target: string; head: string }
  | { bytesThrough: number }
  | { isChanged: true };

/*
 * A small HTTP proxy for tests, in a process of its own: tunnels CONNECT, and forwards requests with an absolute URL.
 */
const orders: ProxyOrders = JSON.parse(process.argv[2] ?? '{}');
process.on('message', (change: Partial<ProxyOrders>) => {
  Object.assign(orders, change);
  tell({ isChanged: true });
});
process.on('disconnect', () => process.exit());

const tell = (news: ProxyNews) => process.send?.(news);

function noteRequest({ method = '', url = '', rawHeaders }: http.IncomingMessage): void {
  tell({ method, target: url, head: rawHeaders.join('\n') });
}

/** The response to send instead of forwarding; null: forward. */
function refusalOf({ headers }: http.IncomingMessage): { status: number; offers?: string } | null {
  if (typeof orders.instead === 'number') return { status: orders.instead };
  if (orders.instead === 'negotiate') return { status: 407, offers: 'Negotiate' };
  if (orders.login === null) return null;
  const expected = `Basic ${Buffer.from(orders.login).toString('base64')}`;
  return headers['proxy-authorization'] === expected ? null : { status: 407, offers: 'Basic realm="tests"' };
}

const portOf = (hostname: string) => orders.hosts[hostname] ?? 0;

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
      host: '127.0.0.1',
      port: portOf(url.hostname),
      method: request.method,
      path: url.pathname + url.search,
      headers,
    },
    (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.on('data', (chunk: Buffer) => tell({ bytesThrough: chunk.length }));
      answer.on('error', () => response.destroy()).pipe(response);
    },
  );
  request.on('data', (chunk: Buffer) => tell({ bytesThrough: chunk.length }));
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
    client.on('data', (chunk: Buffer) => tell({ bytesThrough: chunk.length }));
    service.on('data', (chunk: Buffer) => tell({ bytesThrough: chunk.length }));
    client.pipe(service).pipe(client);
  });
  service.on('error', () => client.destroy());
}

const server = orders.pem
  ? https.createServer({ key: readFileSync(orders.pem), cert: readFileSync(orders.pem) }, onRequest)
  : http.createServer(onRequest);
server.on('connect', onConnect);
if (!orders.pem) {
  server.prependListener('connection', (socket: Socket) => {
    if (orders.instead === 'gibberish') socket.end('SSH-2.0-OpenSSH_9.9\r\n');
  });
}
// Otherwise written at its end only, and each is killed: the next one would strip the types again.
flushCompileCache();
server.listen(orders.port ?? 0, '127.0.0.1', () => tell({ port: (server.address() as AddressInfo).port }));
