import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, renameSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { createInterface } from 'node:readline';
import type { Reply } from '../../src/shared/contract.ts';
import { markOf, markProcess, signRequest } from '../../src/main/agent/process-mark.ts';
import { protocolVersion } from '../../src/main/agent/protocol.ts';
import { createValueKey } from '../../src/main/agent/sealed-value.ts';

/*
 * Another program of the same person, which wants a secret and speaks the protocol of the socket itself.
 *   ask SOCKET IDENTIFIER AS  prints the replies, the last with the value. AS says in whose name it asks: the id of a process, `self`,
 *                             `marked` (itself, marked as the protocol wants it), or `exec:WORDS` (a process that marks itself, and
 *                             then becomes the program of these words, in JSON)
 *   relay SOCKET LOG FROM TO  stands between commands and the app, writes what passes to LOG, and puts TO in the place of FROM
 */
const [what, socketPath = '', ...given] = process.argv.slice(2);
if (what === 'relay') relay(socketPath, given);
else await ask(socketPath, given);

async function ask(path: string, [identifier = '', as = '']: string[]): Promise<void> {
  const socket = connect(path);
  await once(socket, 'connect');
  const lines = createInterface({ input: socket })[Symbol.asyncIterator]();
  async function say(message: object): Promise<object> {
    socket.write(`${JSON.stringify(message)}\n`);
    return JSON.parse(String((await lines.next()).value)) as object;
  }
  async function call<T>(name: string, input?: object): Promise<T | null> {
    const { reply } = (await say({ id: 1, call: name, input })) as { reply: Reply };
    if (reply.ok) return reply.value as T;
    print({ [name]: reply.error });
    return null;
  }
  await say({ hello: { protocol: protocolVersion, version: '1.0.0' } });
  const listed = await call<{ services: { id: string }[] }>('services.list');
  const serviceId = listed?.services[0]?.id ?? '';
  const introduced = await call<{ ticket: string }>('command.introduce');
  const { ticket } = introduced ?? { ticket: 'guessed' };
  const { publicKey: key, open } = createValueKey();
  const secrets = [{ name: identifier, identifier }];
  const signed = signRequest({ ticket, key, serviceId, secrets });
  const pid = await pidOf(as, markOf(signed.signer));
  const statedIdentity = { pid, words: ['run', '--', './deploy.sh'], folder: '/', hasTerminal: true };
  const read = await call<{ values: { sealed: string }[] }>('command.readSecrets', {
    ticket,
    key,
    signed,
    statedIdentity,
    serviceId,
    secrets,
  });
  for (const { sealed } of read?.values ?? []) print({ value: open(sealed).toString() });
  await call('command.copySecret', { ticket, signed, statedIdentity, serviceId, identifier });
  process.exit();
}

function print(message: object): void {
  process.stdout.write(`${JSON.stringify(message)}\n`);
}

async function pidOf(as: string, mark: string): Promise<number> {
  if (as === 'marked') markProcess();
  if (as === 'marked' || as === 'self') return process.pid;
  if (!as.startsWith('exec:')) return Number(as);
  const words = as.slice('exec:'.length);
  const script = `fs.writeFileSync('/proc/self/comm', '${mark}');
    const words = ${words};
    process.execve(words[0], words, process.env);`;
  const node = ['--disable-warning=ExperimentalWarning', '-e', script];
  const child = spawn(process.execPath, node, { stdio: ['pipe', 'pipe', 'ignore'] });
  process.once('exit', () => child.kill('SIGKILL'));
  // The program that it becomes writes something once it runs.
  await once(child.stdout, 'data');
  return child.pid ?? 0;
}

function relay(path: string, [log = '', from = '', to = '']: string[]): void {
  const real = `${path}.app`;
  renameSync(path, real);
  const server = createServer((command) => {
    const app = connect(real);
    for (const [one, other] of [
      [command, app],
      [app, command],
    ] as const) {
      one.on('data', (bytes: Buffer) => {
        appendFileSync(log, bytes);
        other.write(bytes.toString().replaceAll(from, to));
      });
      one.on('close', () => other.destroy());
      one.on('error', () => undefined);
    }
  });
  server.listen(path, () => print({ ready: true }));
}
