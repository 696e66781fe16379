import type { Socket } from 'node:net';
import { Client, errors, type buildConnector } from 'undici';
import { toAppError } from '../../shared/app-failure.ts';
import { isGibberish } from './failures.ts';
import { proveTo, proxyFailure, proxyRefusal, type ProxyServer } from './proxy.ts';

/**
 * A way through a proxy (CONNECT, RFC 9110, 9.3.6). The proxy learns the service's host and port and what proves us to the
 * proxy itself, and nothing else.
 *
 * undici's own ProxyAgent says of every refusal that it was one, in a text; and its connections are its own, while ours have
 * to be those of `createConnectors`. Hence its Client, which does the same for one tunnel.
 * @param authority host and port of the service
 * @param reach a connection to the proxy; rejects with proxyFailed
 * @throws AppFailure proxyFailed
 */
export function openTunnel(
  proxy: ProxyServer,
  authority: string,
  reach: () => Promise<Socket>,
  answerMs: number,
): Promise<Socket> {
  return proveTo(proxy, (proof) => connectThrough(proxy, authority, reach, answerMs, proof));
}

async function connectThrough(
  proxy: ProxyServer,
  authority: string,
  reach: () => Promise<Socket>,
  answerMs: number,
  proof: Record<string, string>,
): Promise<Socket> {
  const client = new Client(proxy.origin, {
    headersTimeout: answerMs,
    connect: (_options, callback) => void handOver(reach(), callback),
  });
  try {
    const { statusCode, headers, socket } = await client.connect({
      path: authority,
      headers: { host: authority, ...proof },
    });
    if (statusCode >= 200 && statusCode < 300) return socket as Socket;
    // It may break off while it is being ended.
    socket.on('error', () => undefined).destroy();
    throw proxyRefusal(proxy, statusCode, headers['proxy-authenticate']);
  } catch (cause) {
    if (toAppError(cause)) throw cause;
    const reason = isGibberish(cause)
      ? 'notAProxy'
      : cause instanceof errors.HeadersTimeoutError
        ? 'timeout'
        : 'reset';
    throw proxyFailure(proxy, reason);
  } finally {
    // The tunnel is its own by now.
    void client.destroy();
  }
}

/** Gives undici a connection, or says why there is none. */
export async function handOver(opening: Promise<Socket>, callback: buildConnector.Callback): Promise<void> {
  let socket: Socket;
  try {
    socket = await opening;
  } catch (cause) {
    callback(cause instanceof Error ? cause : new Error(String(cause)), null);
    return;
  }
  callback(null, socket);
}
