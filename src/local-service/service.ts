import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import type { LocalStartProblem } from '../shared/domain/local-start.ts';

import { deferredWindowMs, maxObjectBytes, maxSecretBytes } from '../shared/domain/limits.ts';
import { StartProblem } from './answers.ts';
import { dataRoutes, deferredRoutes } from './data-routes.ts';
import { DeferredRequests } from './deferred-requests.ts';
import { ObjectStore } from './object-store.ts';
import { createServer } from './server.ts';
import { openMetadata } from './set-aside.ts';

export type LocalServiceOptions = {
  /** Created if necessary. Only one service can use it at a time. */
  dataFolder: string;
  /** The only accepted access token: not empty, without spaces. */
  token: string;
  /** 32 bytes that wrap the objects' keys. The folder can only be opened with the key it was created with. */
  masterKey: Uint8Array;
  /** 0 or omitted: any free port. */
  port?: number;
  /** Minimum processing time of deferred requests, in ms; default 500. */
  processingMs?: number;
  /** Lifetime of deferred tokens, in ms; default 30 minutes (section 2). */
  tokenTtlMs?: number;
  /** When that lifetime starts: when the token is issued, or at its last use. The interface does not say. */
  window?: 'fixed' | 'sliding';
  /** Above this rate the answer is 429. null or omitted: no limit. */
  ratePerSecond?: number | null;
  now?: () => number;
};

export type LocalService = {
  port: number;
  baseAddress: string;
  /**
   * The folder below the data folder that now contains everything stored before, because the metadata was missing or
   * damaged; null: nothing was set aside.
   */
  setAside: string | null;
  /** Cuts connections; acknowledged requests are durable. */
  close(): Promise<void>;
};

/**
 * The whole interface (sections 2 to 8) on this computer, reachable at 127.0.0.1 only. Throws when it cannot start;
 * `explainStartFailure` explains why.
 */
export async function startLocalService(options: LocalServiceOptions): Promise<LocalService> {
  if (options.masterKey.length !== 32) throw new StartProblem('The master key must be 32 bytes.');
  if (!/^\S+$/.test(options.token)) throw new StartProblem('The token must not be empty or have spaces.');
  const now = options.now ?? Date.now;

  await mkdir(options.dataFolder, { recursive: true, mode: 0o700 });
  const { database, setAside } = await openMetadata(options.dataFolder, options.masterKey, now());
  try {
    const store = await ObjectStore.open(options.dataFolder, database, options.masterKey);
    const deferred = new DeferredRequests(database, store, {
      processingMs: options.processingMs ?? 500,
      tokenTtlMs: options.tokenTtlMs ?? deferredWindowMs,
      window: options.window ?? 'fixed',
      now,
    });
    const data = { kind: 'data', prefix: '/api/data', limitBytes: maxObjectBytes.sure } as const;
    const secrets = { kind: 'secret', prefix: '/api/secrets', limitBytes: maxSecretBytes.sure } as const;
    const routes = {
      ...dataRoutes(store),
      ...deferredRoutes(store, deferred, data),
      ...deferredRoutes(store, deferred, secrets),
    };
    const { token, ratePerSecond = null } = options;
    const server = createServer({ token, ratePerSecond, now }, routes);
    server.listen(options.port ?? 0, '127.0.0.1');
    await once(server, 'listening').catch((cause: unknown) => {
      deferred.close();
      throw cause;
    });

    const { port } = server.address() as AddressInfo;
    const stop = async (): Promise<void> => {
      deferred.close();
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
      database.close();
    };
    let stopped: Promise<void> | undefined;
    return {
      port,
      baseAddress: `http://127.0.0.1:${port}`,
      setAside,
      close: () => (stopped ??= stop()),
    };
  } catch (cause) {
    database.close();
    throw cause;
  }
}

const systemProblems: Readonly<Record<string, [problem: LocalStartProblem, words: string]>> = {
  EADDRINUSE: ['portInUse', 'The port is used by another program.'],
  EACCES: ['notAllowed', 'The port or the data folder may not be used by this user.'],
  ENOSPC: ['diskFull', 'The disk is full.'],
  EROFS: ['readOnly', 'The data folder is on a disk that cannot be written to.'],
  ENOTDIR: ['notAFolder', 'The data folder is not a folder.'],
  EEXIST: ['notAFolder', 'The data folder is not a folder.'],
  ERR_SQLITE_ERROR: ['unreadable', 'The metadata in the data folder cannot be read.'],
};

/** Why the service did not start, without paths or tokens. `words` are for a terminal. */
export function explainStartFailure(cause: unknown): { problem: LocalStartProblem; words: string } {
  if (cause instanceof StartProblem) return { problem: cause.problem, words: cause.message };
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : 'unknown reason';
  const [problem, words] = systemProblems[code] ?? ['unknown', `The service could not start (${code}).`];
  return { problem, words };
}
