import { chmodSync, existsSync, mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Input, Output, ProcedureName } from '../../src/shared/contract.ts';
import { draftOf } from '../../src/command/services/draft.ts';
import { createKeychain } from '../../src/main/keychain.ts';
import type { SecretStore } from '../../src/main/ports.ts';
import { startTestService, testToken, type TestService } from '../local-service/test-service.ts';
import { openApp } from '../main/test-app.ts';
import { eventually } from '../eventually.ts';
import { makeTestFolder } from '../main/test-ports.ts';

export interface WorldOptions {
  /**
   * app: it runs, and has the service as Local; memory: address and token are in the environment; none: neither, the
   * command uses its own data folder and the session's keychain.
   */
  readonly with: 'app' | 'memory' | 'none';
  readonly service?: Parameters<typeof startTestService>[0];
  readonly app?: Parameters<typeof openApp>[0];
}

/** A home folder, a folder with files, a service, and `coffer` on the PATH. */
export interface World {
  readonly env: NodeJS.ProcessEnv;
  /** The working folder of commands. */
  readonly files: string;
  readonly bin: string;
  readonly dataFolder: string;
  readonly service: TestService;
  /** The session's keychain, with accounts of its own. */
  readonly keychain: SecretStore;
  /** Calls a procedure of the app. */
  call<N extends ProcedureName>(name: N, input: Input<N>): Promise<Output<N>>;
  /** Replaces everything that differs between runs. */
  plain(text: string): string;
}

const root = join(import.meta.dirname, '..', '..');

/** The packaged program, to be tested in place of the build (packaging/check/command.spec.ts). */
export const ownProgram = process.env['COFFER_PROGRAM'];

function findScript(): string {
  const source = join(root, 'src');
  const built = join(root, 'out', 'main', 'command.js');
  if (!existsSync(built)) return join(source, 'command', 'index.ts');
  const builtMs = statSync(built).mtimeMs;
  const isNewer = readdirSync(source, { recursive: true, encoding: 'utf8' }).some(
    (name) =>
      name.endsWith('.ts') && !name.endsWith('.test.ts') && statSync(join(source, name)).mtimeMs > builtMs,
  );
  return isNewer ? join(source, 'command', 'index.ts') : built;
}

/** The build, or the source if that is newer: the build starts twice as fast. */
export const commandScript = findScript();

export async function openWorld({
  with: kind,
  service: choices = {},
  app = {},
}: WorldOptions): Promise<World> {
  const service = await startTestService(choices);
  const { baseAddress } = service.service;
  const opened = kind === 'app' ? await openApp(app) : null;
  const folder = opened?.folder ?? (await makeTestFolder());
  const [home, files, bin, temporary] = ['home', 'files', 'bin', 'tmp'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
    string,
  ];
  for (const each of [home, files, bin, temporary]) mkdirSync(each);
  // The command looks for the user data folder where Electron puts it.
  if (opened) symlinkSync(opened.userData, join(folder, 'Coffer'));
  const program = join(bin, 'coffer');
  if (ownProgram) symlinkSync(ownProgram, program);
  else {
    writeFileSync(
      program,
      `#!/bin/sh\nexec '${process.execPath}' --disable-warning=ExperimentalWarning '${commandScript}' "$@"\n`,
    );
    chmodSync(program, 0o755);
  }
  for (const [name, text] of [
    ['a.txt', 'hello'],
    ['b.txt', 'world'],
    ['c.txt', 'other'],
  ] as const)
    writeFileSync(join(files, name), `${text}\n`);
  writeFileSync(join(files, 'token.txt'), `${testToken}\n`);
  mkdirSync(join(files, 'photos', 'may'), { recursive: true });
  for (const name of ['one.jpg', 'two.jpg', 'may/three.jpg'])
    writeFileSync(join(files, 'photos', name), name);

  async function call<N extends ProcedureName>(name: N, input: Input<N>): Promise<Output<N>> {
    const reply = await opened?.app.router(name, input);
    if (!reply?.ok) throw new Error(JSON.stringify(reply));
    return reply.value as Output<N>;
  }
  if (opened) {
    await call('services.add', {
      draft: { ...draftOf('Local', baseAddress), insecureAllowed: true },
      token: testToken,
    });
    await eventually(async () => {
      const { services } = await call('services.list', undefined);
      if (services.some(({ connection }) => connection !== 'ready')) throw new Error('not ready');
    });
  }
  const { PATH = '', NODE_COMPILE_CACHE, DBUS_SESSION_BUS_ADDRESS } = process.env;
  return {
    bin,
    dataFolder: join(folder, 'Coffer'),
    files,
    service,
    keychain: ownAccounts(createKeychain(), folder),
    call,
    env: {
      PATH: `${bin}:${PATH}`,
      HOME: home,
      TMPDIR: temporary,
      XDG_CONFIG_HOME: folder,
      ADDRESS: baseAddress,
      TZ: 'UTC',
      LANG: 'C.UTF-8',
      TERM: 'xterm-256color',
      ...(NODE_COMPILE_CACHE && { NODE_COMPILE_CACHE }),
      ...(kind === 'none' && DBUS_SESSION_BUS_ADDRESS && { DBUS_SESSION_BUS_ADDRESS }),
      ...(kind === 'memory' && { COFFER_ADDRESS: baseAddress, COFFER_TOKEN: testToken }),
    },
    plain: (text) =>
      text
        .replaceAll(folder, '<folder>')
        .replaceAll(/[\d.]+ [GT]B free/g, '80 GB free')
        .replaceAll(/(Node: |"node",.*)version [\d.]+/g, '$1version 24.9.0')
        .replaceAll(/"id":\d+/g, '"id":1')
        .replaceAll(new URL(baseAddress).host, 'localhost:8080')
        .replaceAll(`port ${new URL(baseAddress).port} of`, 'port 8080 of')
        .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, '2026-11-20T09:00:00.000Z')
        // Several prompts appear in random order.
        .replaceAll(/^\S+(?= exists already\. \[v\])/gm, '<file>')
        .replaceAll(/\b\d\d:\d\d(?= {2})/g, '09:00')
        .replaceAll(/\b[0-9a-f]{8}-[0-9a-f-]{27}\b/g, '<id>')
        .replaceAll(/(coffer-open)-[^/\s]+/g, '$1-<id>'),
  };
}

/** Worlds in one process would disturb each other's check of whether the keychain works. */
export function ownAccounts(keychain: SecretStore, world: string): SecretStore {
  return {
    get: (account) => keychain.get(`${world} ${account}`),
    set: (account, value) => keychain.set(`${world} ${account}`, value),
    delete: (account) => keychain.delete(`${world} ${account}`),
  };
}

/** Takes the app's place: answers every connection with this text. */
export async function serveInPlaceOfApp({ dataFolder }: World, answer: string): Promise<void> {
  mkdirSync(dataFolder, { mode: 0o700 });
  const server = createServer((socket) => {
    socket.once('data', () => socket.end(answer));
    socket.on('error', () => undefined);
  });
  onTestFinished(() => void server.close());
  await new Promise<void>((resolve) => server.listen(join(dataFolder, 'agent.sock'), resolve));
}

/** Adds a program to the world's PATH. @param lines of shell */
export function writeProgram({ bin }: World, name: string, lines: string): void {
  writeFileSync(join(bin, name), `#!/bin/sh\n${lines}\n`);
  chmodSync(join(bin, name), 0o755);
}
