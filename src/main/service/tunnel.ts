import type { Socket } from 'node:net';
import { Client, errors, type buildConnector } from 'undici';
import { toAppError } from '../../shared/app-failure.ts';
import { isGibberish } from './failures.ts';
import { proveTo, proxyFailure, proxyRefusal, type ProxyServer } from './proxy.ts';

/**
 * Opens a tunnel through a proxy (CONNECT, RFC 9110, 9.3.6). The proxy learns only the service's host and port and
 * its own credentials.
 * undici's ProxyAgent reports every refusal alike, as text, and makes its own connections, while ours must come from
 * `createConnectors`. Hence a Client for each tunnel.
 * @param authority host and port of the service
 * @param reach connects to the proxy; rejects with proxyFailed
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
    // It may fail while it is being destroyed.
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
    // The tunnel is independent of the client by now.
    void client.destroy();
  }
}

/** Passes a connection to undici, or the error why there is none. */
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
