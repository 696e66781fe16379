import { Socket } from 'node:net';
import { buildConnector, Client, errors } from 'undici';
import { Duplex } from 'node:stream';
import { AppFailure, toAppError } from '../../shared/app-failure.ts';
import type { AppError, AppErrorOf } from '../../shared/errors.ts';
import { isGibberish } from './responses.ts';
import { proveTo, proxyFailure, proxyRefusal, type ProxyServer } from './proxy.ts';
import { type ClientCertificate, createSecurity, openClientCertificate, readPem } from './certificates.ts';
import { skipInformationalResponses } from './informational-responses.ts';
import { isLocalNetworkFailure } from './local-network.ts';
import { clientCertificateProblemOf, describeCertificate, trustProblemOf } from './tls-problems.ts';

/**
 * Opens a tunnel through a proxy (CONNECT, RFC 9110, 9.3.6). The proxy learns only the service's host and port and
 * its own credentials.
 * undici's ProxyAgent reports every refusal alike, as text, and makes its own connections, while ours must come from
 * `createConnectors`. Hence a Client for each tunnel.
 * @param authority host and port of the service
 * @param reach connects to the proxy; rejects with proxyFailed
 * @throws AppFailure proxyFailed
 */
function openTunnel(
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
async function handOver(opening: Promise<Socket>, callback: buildConnector.Callback): Promise<void> {
  let socket: Socket;
  try {
    socket = await opening;
  } catch (cause) {
    callback(cause instanceof Error ? cause : new Error(String(cause)), null);
    return;
  }
  callback(null, socket);
}

export interface ConnectOptions {
  /** PEM text of further authorities to trust. */
  authorities: string | undefined;
  /** Presented only to its own origin, and only if that requests a certificate. */
  clientCertificate: (ClientCertificate & { origin: string }) | undefined;
  /** For each step of connecting: the proxy, its answer, TLS. */
  connectMs: number;
}

export interface Connector {
  connect: buildConnector.connector;
  /** undici itself cancels only an attempt that no request waits for, and none when it is destroyed. */
  cancelAttempts(): void;
}

/**
 * How undici reaches a service: directly, or over the proxy that `getProxy` returns, with a tunnel (CONNECT) for
 * https, and for http as a forwarder, which sees every request. Every failure before a connection is established is
 * an AppFailure (unreachable, certificateNotTrusted, clientCertificateRefused, proxyFailed); after any other failure
 * the request may have arrived.
 * @throws AppFailure badAuthorityFile, badClientCertificate
 */
export function createConnectors(options: ConnectOptions): (getProxy: () => ProxyServer | null) => Connector {
  const { connectMs, authorities, clientCertificate } = options;
  readPem(authorities);
  if (clientCertificate) openClientCertificate(clientCertificate);
  // HTTP/2 would count timeouts and share connections differently.
  const plain = buildConnector({ timeout: connectMs, allowH2: false });
  const makeSecure = (certificate?: ClientCertificate) =>
    buildConnector({
      timeout: connectMs,
      allowH2: false,
      // Explicit, or NODE_TLS_REJECT_UNAUTHORIZED=0 in the environment would turn verification off.
      rejectUnauthorized: true,
      ...createSecurity(authorities, certificate),
    });
  // Created when TLS is first used: reading all roots takes tens of milliseconds.
  const secure: { plain?: buildConnector.connector; proving?: buildConnector.connector } = {};

  function connectorFor({ protocol, host }: Place): buildConnector.connector {
    if (protocol !== 'https:') return plain;
    if (clientCertificate?.origin === `https://${host}`)
      return (secure.proving ??= makeSecure(clientCertificate));
    return (secure.plain ??= makeSecure());
  }

  return (getProxy) => {
    const attempts = new Set<Attempt>();

    /** Opens one connection. Rejects with what Node or undici threw. */
    function dial(
      to: Place,
      open: buildConnector.connector,
      { sockets }: Attempt,
      over?: Socket,
    ): Promise<Socket> {
      return new Promise((resolve, reject) => {
        const answer = (error: Error | null, socket: Socket | null) => {
          if (socket) resolve(socket);
          else reject(error ?? new Error('no connection'));
        };
        // Typed as void; undici's own connector returns the socket.
        const socket: unknown = open(over ? { ...to, httpSocket: over } : to, answer);
        if (socket instanceof Socket) sockets.add(socket.once('close', () => sockets.delete(socket)));
      });
    }

    async function reachProxy(proxy: ProxyServer, attempt: Attempt): Promise<Socket> {
      const { protocol, host, hostname, port } = new URL(proxy.origin);
      const to = { protocol, host, hostname: hostname.replace(/^\[|\]$/g, ''), port };
      try {
        // Authorities trusted for the service are trusted for its proxy, too; the client certificate is for the service only.
        return await dial(to, protocol === 'https:' ? (secure.plain ??= makeSecure()) : plain, attempt);
      } catch (cause) {
        if (toAppError(cause)) throw cause;
        throw proxyFailure(proxy, trustProblemOf(codeOf(cause)) ? 'untrusted' : unreachableReason(cause));
      }
    }

    const openThrough = (proxy: ProxyServer, to: Place, attempt: Attempt) =>
      openTunnel(proxy, to.port ? to.host : `${to.host}:443`, () => reachProxy(proxy, attempt), connectMs);

    async function open(to: Place, attempt: Attempt): Promise<Socket> {
      const proxy = getProxy();
      if (proxy && to.protocol !== 'https:') return reachProxy(proxy, attempt);
      const tunnel = proxy && (() => openThrough(proxy, to, attempt));
      const over = await tunnel?.();
      try {
        return await dial(to, connectorFor(to), attempt, over);
      } catch (cause) {
        over?.destroy();
        if (toAppError(cause)) throw cause;
        throw await toFailure(cause, to, connectMs, tunnel ?? undefined);
      }
    }

    return {
      connect(given: buildConnector.Options, callback: buildConnector.Callback): Duplex {
        const attempt = new Attempt();
        attempts.add(attempt);
        const opening = open({ ...given, host: given.host ?? given.hostname }, attempt)
          .then((socket) => skipInformationalResponses(answersBeforeErrors(socket)))
          .finally(() => attempts.delete(attempt));
        void handOver(opening, callback);
        return attempt;
      },
      cancelAttempts() {
        for (const attempt of attempts) attempt.destroy();
      },
    };
  };
}

/** Opening one connection. A stream, because undici cancels what its connector returns by `destroy`, if that is one. */
class Attempt extends Duplex {
  /** The proxy's and the service's, until the connection is established. */
  readonly sockets = new Set<Socket>();

  override _destroy(_cause: Error | null, done: (error?: Error | null) => void): void {
    for (const socket of this.sockets) socket.destroy(new AppFailure({ code: 'cancelled' }));
    done();
  }
}

type Place = buildConnector.Options & { host: string };

function codeOf(cause: unknown): string {
  return cause instanceof Error && 'code' in cause ? String(cause.code) : '';
}

/**
 * A service that refuses an upload early answers and closes while bytes are still being sent. The next write then
 * fails, and would destroy the socket before the answer in its receive buffer is read. So a failed write is ignored:
 * reading goes on to the end of what was received, and the read side ends the socket.
 */
function answersBeforeErrors(socket: Socket): Socket {
  const write = socket._write.bind(socket);
  const writev = socket._writev?.bind(socket);
  const whenClosed = (done: (error?: Error | null) => void) => (error?: Error | null) => {
    if (error) socket.once('close', () => done(error));
    else done();
  };
  socket._write = (chunk, encoding, done) => write(chunk, encoding, whenClosed(done));
  if (writev) socket._writev = (chunks, done) => writev(chunks, whenClosed(done));

  // undici takes ECONNRESET for the proper end of a body without an announced length. It never is.
  socket.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'ECONNRESET') error.code = 'EPIPE';
    // A TLS alert precedes the end of the connection, which undici would report as the reason.
    if (error.code?.startsWith('ERR_SSL_') === true) socket.destroy(error);
  });
  return socket;
}

const unreachableReasons: Record<string, AppErrorOf<'unreachable'>['reason']> = {
  ENOTFOUND: 'dns',
  EAI_AGAIN: 'dns',
  EAI_FAIL: 'dns',
  EAI_NODATA: 'dns',
  ECONNREFUSED: 'refused',
  ECONNRESET: 'reset',
  EPIPE: 'reset',
  ETIMEDOUT: 'timeout',
  UND_ERR_CONNECT_TIMEOUT: 'timeout',
  ENETUNREACH: 'offline',
  ENETDOWN: 'offline',
  EHOSTUNREACH: 'offline',
  EPROTO: 'tls',
};

function unreachableReason(cause: unknown): AppErrorOf<'unreachable'>['reason'] {
  if (isLocalNetworkFailure(cause)) return 'localNetwork';
  const code = codeOf(cause);
  return unreachableReasons[code] ?? (/^ERR_(SSL|TLS)_/.test(code) ? 'tls' : 'other');
}

async function toFailure(
  cause: unknown,
  { host, hostname, port, servername }: Place,
  timeoutMs: number,
  tunnel: (() => Promise<Socket>) | undefined,
): Promise<AppFailure> {
  const peer = { host, hostname, port: Number(port) || 443, servername: servername ?? '' };
  const code = codeOf(cause);
  const trustProblem = trustProblemOf(code);
  const certificateProblem = clientCertificateProblemOf(code);
  const error: AppError = trustProblem
    ? await describeCertificate(peer, trustProblem, timeoutMs, tunnel)
    : certificateProblem
      ? { code: 'clientCertificateRefused', reason: certificateProblem, host }
      : { code: 'unreachable', host, reason: unreachableReason(cause) };
  return new AppFailure(error);
}
