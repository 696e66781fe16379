import { mkdir, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, inject } from 'vitest';
import type {} from '../test-setup.ts';
import type { FreeDatabase } from './create-team.ts';
import { otherPrograms, removePostgres, startPostgres, type Postgres } from './postgres.ts';

/** A server for tests, which may stop it and start it again. */
export class TestPostgres {
  /** Databases of earlier tests. */
  readonly free: FreeDatabase[] = [];
  readonly #folder: string;
  readonly #template: string | undefined;
  #server: Postgres | null = null;
  #latest: Postgres | null = null;

  constructor(folder: string, template?: string) {
    this.#folder = folder;
    this.#template = template;
  }

  get server(): Postgres {
    if (this.#latest === null) throw new Error('The server was not started');
    return this.#latest;
  }

  /** Uses another port each time. Does nothing while the server runs. */
  async start(): Promise<void> {
    // The data need not survive a crash of this computer.
    const options = ['fsync=off', 'full_page_writes=off', 'autovacuum=off'];
    // PostgreSQL 15, which `COFFER_POSTGRES_BIN` may select, has no such option.
    if (otherPrograms === undefined) options.push('scram_iterations=1');
    this.#server ??= await startPostgres(this.#folder, options, undefined, this.#template);
    this.#latest = this.#server;
  }

  async stop(how: 'fast' | 'immediate'): Promise<void> {
    const server = this.#server;
    if (server === null) return;
    // After a crash the next start replays all that was written since the last checkpoint, also by earlier tests.
    const owner = await server.owner();
    await owner.query('checkpoint');
    await owner.end();
    await server.stop(how);
    this.#server = null;
  }

  async remove(): Promise<void> {
    this.#server = null;
    await removePostgres(this.server, this.#folder);
  }
}

let ofProcess: TestPostgres | undefined;

/**
 * The test files of a process share a server, because starting one takes longer than most tests; it ends with the run
 * (packaging/threads-of-tests.ts). In Vitest's watch mode each file has its own.
 */
export function sharePostgres(): () => TestPostgres {
  const folder = inject('postgres');
  let used: TestPostgres;
  beforeAll(async () => {
    if (folder === null) used = new TestPostgres(await mkdtemp(join(tmpdir(), 'coffer-team-')));
    else {
      await mkdir(folder, { recursive: true });
      used = ofProcess ??= new TestPostgres(
        join(folder, `server-${String(process.pid)}`),
        join(folder, 'template'),
      );
    }
    await used.start();
  });
  if (folder === null) afterAll(() => used.remove());
  return () => used;
}
