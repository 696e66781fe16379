import { Socket } from 'node:net';
import { buildConnector } from 'undici';
import { AppFailure, type AppError, type AppErrorOf } from '../../shared/errors.ts';
import { createTrust, describeCertificate, readPem, trustProblemOf } from './certificates.ts';
import { skipInterimAnswers } from './interim-answers.ts';

export interface Connector {
  connect: buildConnector.connector;
  /** For when nobody waits for a connection any more: undici would go on until it stands. */
  cancelAttempts(): void;
}

/**
 * How undici reaches a service. Every failure before a connection stands is an AppFailure (unreachable,
 * certificateNotTrusted): whatever fails otherwise, fails when the request may have arrived.
 * Throws badAuthorityFile.
 */
export function createConnector(authorities: string | undefined, connectMs: number): Connector {
  readPem(authorities);
  // HTTP/2 would count timeouts and share connections in another way.
  const plain = buildConnector({ timeout: connectMs, allowH2: false });
  let secure: buildConnector.connector | undefined;
  const attempts = new Set<Socket>();

  function connect(options: buildConnector.Options, callback: buildConnector.Callback): void {
    // Reading all roots takes tens of milliseconds: once, and only when there is something to verify.
    const open =
      options.protocol === 'https:'
        ? (secure ??= buildConnector({
            timeout: connectMs,
            allowH2: false,
            // Said, or NODE_TLS_REJECT_UNAUTHORIZED=0 in the environment would turn verification off.
            rejectUnauthorized: true,
            secureContext: createTrust(authorities),
          }))
        : plain;
    // Typed as void; undici's own connector answers the socket.
    const attempt: unknown = open(options, (error: Error | null, socket: Socket | null) => {
      if (attempt instanceof Socket) attempts.delete(attempt);
      if (socket) callback(null, skipInterimAnswers(answersBeforeErrors(socket)));
      else void reportFailure(error, options, connectMs, callback);
    });
    if (attempt instanceof Socket) attempts.add(attempt);
  }

  return {
    connect,
    cancelAttempts() {
      for (const socket of attempts) socket.destroy(new Error('no longer wanted'));
    },
  };
}

/**
 * A service that refuses an upload early answers and closes while bytes are still on their way. Then the next write
 * fails, and would end the socket before the answer that already lies in its receive buffer is read. So a failed write
 * keeps its silence: reading goes on to the end of what was received, and the read side ends the socket.
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

  // undici takes ECONNRESET for the proper end of a body that has no announced length. It never is.
  socket.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'ECONNRESET') error.code = 'EPIPE';
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

async function reportFailure(
  error: NodeJS.ErrnoException | null,
  { host, hostname, port, servername }: buildConnector.Options,
  timeoutMs: number,
  callback: buildConnector.Callback,
): Promise<void> {
  const code = error?.code ?? '';
  const peer = { host: host ?? hostname, hostname, port: Number(port) || 443, servername: servername ?? '' };
  const trustProblem = trustProblemOf(code);
  const reason = unreachableReasons[code] ?? (/^ERR_(SSL|TLS)_/.test(code) ? 'tls' : 'other');
  const appError: AppError = trustProblem
    ? await describeCertificate(peer, trustProblem, timeoutMs)
    : { code: 'unreachable', host: peer.host, reason };
  callback(new AppFailure(appError), null);
}
