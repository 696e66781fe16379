import { type ConnectionOptions, type DetailedPeerCertificate, TLSSocket } from 'node:tls';
import type { Duplex } from 'node:stream';
import type { Socket } from 'node:net';
import pg from 'pg';
import { createSecurity } from '../../service/certificates.ts';
import { Mutex } from '../../lib/async.ts';
import { TimeLimit } from '../../lib/timers.ts';
import { isEncrypted, isLoopback, type TeamCredentials, type TeamPlace } from '../place.ts';
import { failure, type TeamProblem } from '../team-problem.ts';
import { problemOf } from './answering.ts';

/**
 * Always verified, whatever NODE_TLS_REJECT_UNAUTHORIZED says.
 * @throws AppFailure badAuthorityFile, badClientCertificate
 */
function tlsOptionsOf(
  { authority, clientCertificate: file }: TeamPlace,
  passphrase: string | null,
): ConnectionOptions {
  const certificate =
    file?.form === 'pfx'
      ? { pfx: Buffer.from(file.base64, 'base64'), passphrase }
      : file && { pem: file.text, passphrase };
  return { ...createSecurity(authority ?? undefined, certificate ?? undefined), rejectUnauthorized: true };
}

/** How long the server may be silent while an answer is due, and how long connecting may take, in ms. */
const silentMs = 15_000;
/** Limit of statements over a whole list: also the server's `statement_timeout`. */
export const longMs = 300_000;
/** Connections that take less than 16 KB a second of what is sent count as broken. */
const sentBytesPerMs = 16;
/** More than the largest page, and little enough for this thread. */
const answerMaxBytes = 16 * 1024 * 1024;

/** A connection to a team's server. */
export interface Line {
  /** Each query may be answered by another process of the server: a pooler is in between, so nothing of a session lasts. */
  readonly isPooled: boolean;
  /**
   * @returns rows as texts
   * @param maxRows a server that sends more is broken
   * @param maxSilentMs longer silence to allow, for slow statements
   * @throws TeamFailure; for other causes see `problemOf`
   */
  query(text: string, values?: readonly unknown[], maxRows?: number, maxSilentMs?: number): Promise<Row[]>;
  /** SHA-256 of the server's certificate and of those that sign it, in Node's format. */
  certificates(): readonly string[];
  close(): void;
}
export type Row = readonly (string | null)[];

/** Members that `@types/pg` leaves out. */
const BaseConnection = pg.Connection as unknown as new (config: object) => pg.Connection & {
  attachListeners(stream: Duplex): void;
  startup(config: object): void;
};

/** pg's connection, with checks that pg leaves to its callers. */
class GuardedConnection extends BaseConnection {
  /** Whether the server has shown that it knows the password. */
  isProven = false;
  #receivedBytes = 0;
  onReceived: () => void = () => undefined;

  /** Called for servers that ask for the password itself, or for its MD5 digest, which is as good as the password. */
  password(): void {
    this.stream.destroy(failure('unsafeLogin'));
  }

  /** Refuses other computers without TLS: `localhost` may be the name of one. With TLS, Node sends nothing before the certificate is verified. */
  override startup(config: object): void {
    const { stream } = this;
    if (stream instanceof TLSSocket || isLoopback((stream as Socket).remoteAddress ?? ''))
      super.startup(config);
    else stream.destroy(failure('encryption'));
  }

  /** What pg cannot read ends the connection instead of the thread, and so does an endless answer. */
  override attachListeners(stream: Duplex): void {
    super.attachListeners(stream);
    const [read] = stream.listeners('data');
    stream.removeAllListeners('data');
    stream.on('data', (chunk: Buffer) => {
      this.#receivedBytes += chunk.length;
      this.onReceived();
      try {
        if (this.#receivedBytes > answerMaxBytes) throw failure('broken');
        read?.(chunk);
      } catch {
        stream.destroy(failure('broken'));
      }
    });
  }

  expectAnswer(): void {
    this.#receivedBytes = 0;
  }
}

/**
 * @param onNotified called on a notice of the server
 * @param onLost called if the connection ends while nothing is asked
 * @throws see `problemOf`
 */
export async function openLine(
  place: TeamPlace,
  credentials: TeamCredentials,
  onNotified: () => void,
  onLost: (problem: TeamProblem) => void,
): Promise<Line> {
  const ssl = isEncrypted(place) ? tlsOptionsOf(place, credentials.passphrase) : false;
  const connection = new GuardedConnection({
    ssl,
    sslNegotiation: 'postgres',
    keepAlive: true,
    keepAliveInitialDelayMillis: 30_000,
  });
  connection.on('authenticationSASLFinal', () => (connection.isProven = true));
  const client = createClient(place, credentials, ssl, connection);
  let isOpen = false;
  let isAsked = true;
  client.on('error', (cause: unknown) => {
    if (isOpen && !isAsked) onLost(problemOf(cause));
    isOpen = false;
  });
  client.on('notification', onNotified);

  async function untilAnswered<T>(
    sentBytes: number,
    work: () => Promise<T>,
    maxSilentMs = silentMs,
  ): Promise<T> {
    isAsked = true;
    connection.expectAnswer();
    const limit = new TimeLimit(() => connection.stream.destroy(failure('silent')));
    const limitMs = maxSilentMs + sentBytes / sentBytesPerMs;
    limit.start(limitMs);
    if (isOpen) connection.onReceived = () => limit.start(limitMs);
    try {
      return await work();
    } finally {
      limit.cancel();
      connection.onReceived = () => undefined;
      isAsked = false;
    }
  }

  const turns = new Mutex();
  const query: Line['query'] = (text, values = [], maxRows = 1, maxSilentMs = silentMs) =>
    turns.runExclusive(() =>
      untilAnswered(
        sizeOf(values),
        () => ask(client, text, values, maxRows, () => connection.stream.destroy(failure('broken'))),
        maxSilentMs,
      ),
    );

  const close = () => {
    isOpen = false;
    client.end().catch(() => undefined);
  };
  try {
    await untilAnswered(0, () => client.connect());
    if (credentials.password !== null && !connection.isProven) throw failure('unsafeLogin');
    isOpen = true;
    const certificates = () => certificatesOf(connection.stream);
    return { isPooled: await prepare(client, query), query, certificates, close };
  } catch (cause) {
    close();
    throw cause;
  }
}

function createClient(
  place: TeamPlace,
  { password }: TeamCredentials,
  ssl: object | false,
  connection: GuardedConnection,
): pg.Client & { readonly processID?: unknown } {
  const config = {
    host: place.host,
    port: place.port,
    database: place.database,
    user: place.role,
    // A function: without one, pg looks for a password in files.
    password: () => {
      if (password === null) throw failure('login');
      return password;
    },
    ssl,
    sslnegotiation: 'postgres',
    enableChannelBinding: ssl !== false,
    application_name: 'coffer',
    connection,
  } satisfies pg.ClientConfig & { connection: GuardedConnection };
  return new pg.Client(config);
}

/** @returns whether a pooler is in between: another process answers than the one that was connected to */
async function prepare(client: { readonly processID?: unknown }, query: Line['query']): Promise<boolean> {
  // For the server's sake, should this computer vanish. Through a pooler, it would affect others.
  const [[pid] = []] = await query(
    `select pg_backend_pid(), set_config('client_encoding', 'UTF8', false),
      case when pg_backend_pid() = $1::bigint then set_config('statement_timeout', '${String(longMs)}', false) end`,
    [client.processID],
  );
  return pid !== String(client.processID);
}

function ask(
  client: pg.Client,
  text: string,
  values: readonly unknown[],
  maxRows: number,
  onTooMany: () => void,
): Promise<Row[]> {
  return new Promise((resolve, reject) => {
    const rows: Row[] = [];
    const types = { getTypeParser: () => (value: unknown) => value };
    // Without a callback, pg does not collect the rows.
    const asked = new pg.Query({ text, values: [...values], rowMode: 'array', types } as pg.QueryConfig);
    asked.on('row', (row: Row) => {
      if (rows.length < maxRows) rows.push(row);
      else onTooMany();
    });
    asked.on('error', reject);
    asked.on('end', () => resolve(rows));
    client.query(asked);
  });
}

function certificatesOf(stream: Duplex): string[] {
  if (!(stream instanceof TLSSocket)) return [];
  const found = new Set<string>();
  let certificate: DetailedPeerCertificate | undefined = stream.getPeerCertificate(true);
  // A self-signed certificate ends the chain.
  while (certificate?.fingerprint256 !== undefined && !found.has(certificate.fingerprint256)) {
    found.add(certificate.fingerprint256);
    certificate = certificate.issuerCertificate;
  }
  return [...found];
}

const sizeOf = (values: readonly unknown[]) =>
  values.reduce<number>((sum, value) => sum + (typeof value === 'string' ? value.length : 100), 0);
