import http from 'node:http';
import https from 'node:https';
import net, { type Server, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import { ownPort } from '../../../e2e/faults/own-port.ts';
import { type AppError } from '../../../src/shared/errors.ts';
import { toAppError } from '../../../src/shared/app-failure.ts';
import {
  createServiceClient,
  type ServiceClient,
  type ServiceClientOptions,
} from '../../../src/main/service/client.ts';

export const testToken = 'token-of-the-test';

export interface TestServer {
  /** http://127.0.0.1:port */
  address: string;
  port: number;
  /** Open connections. */
  sockets: Set<Socket>;
}

/** Listens on loopback until the test has finished. */
async function listen(server: Server): Promise<TestServer> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    // Errors of connections that the client closed do not matter here.
    socket.on('error', () => undefined);
  });
  const port = await ownPort();
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { address: `http://127.0.0.1:${port}`, port, sockets };
}

export function serve(handler: http.RequestListener): Promise<TestServer> {
  return listen(http.createServer(handler));
}

export function serveTls(
  pem: string,
  handler: http.RequestListener,
  options: https.ServerOptions = {},
): Promise<TestServer> {
  return listen(https.createServer({ ...options, key: pem, cert: pem }, handler));
}

/** For responses that node:http refuses to write. */
export function serveRaw(onConnection: (socket: Socket) => void): Promise<TestServer> {
  return listen(net.createServer({ allowHalfOpen: true }, onConnection));
}

/** Responds to each request, once its headers have arrived, with these bytes; then ends or keeps the connection. */
export function serveBytes(answer: string, then: 'end' | 'reset' | 'keep' = 'end'): Promise<TestServer> {
  return serveRaw((socket) => {
    socket.once('data', () => {
      socket.write(answer, () => {
        if (then === 'end') socket.end();
        if (then === 'reset') socket.resetAndDestroy();
      });
    });
  });
}

export function createTestClient(
  baseAddress: string,
  options: Partial<ServiceClientOptions> = {},
): ServiceClient {
  const client = createServiceClient({ baseAddress, getToken: () => testToken, ...options });
  onTestFinished(() => client.close());
  return client;
}

/** The AppError of a failed call; rethrows anything else. */
export async function errorOf(call: Promise<unknown>): Promise<AppError> {
  try {
    await call;
  } catch (cause) {
    const error = toAppError(cause);
    if (error) return error;
    throw cause;
  }
  throw new Error('the call did not fail');
}

export async function collect(body: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks);
}
