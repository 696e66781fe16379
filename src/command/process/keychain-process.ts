import { spawn, type ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import type { Keytar } from '../../main/keytar.ts';
import { keychainWord } from './keychain-word.ts';

type Method = keyof Keytar;
type Answer = { id: number } & ({ value: string | boolean | null } | { error: string });

/**
 * On Linux libsecret prints GLib warnings to standard error, for example when another process deletes an entry during a
 * search, and no environment variable silences them. So commands use it in a process whose standard error is closed. The
 * process starts at the first call, ends with the command, and does not keep the command running.
 */
export function openKeychainProcess(start: () => ChildProcess): Keytar {
  let open: ReturnType<typeof connect> | null = null;
  let lastId = 0;

  function connect() {
    const child = start();
    const waiting = new Map<number, PromiseWithResolvers<string | boolean | null>>();
    const end = (cause: Error) => {
      open = null;
      for (const { reject } of waiting.values()) reject(cause);
      waiting.clear();
    };
    child.on('error', end);
    child.on('exit', () => end(new Error('the process for the keychain ended')));
    const { stdin, stdout } = child;
    if (!stdin || !stdout) throw new Error('the process for the keychain has no pipes');
    // The process may have ended, which its exit event reports.
    stdin.on('error', () => undefined);
    createInterface({ input: stdout }).on('line', (line) => {
      const answer = JSON.parse(line) as Answer;
      const call = waiting.get(answer.id);
      waiting.delete(answer.id);
      if ('error' in answer) call?.reject(new Error(answer.error));
      else call?.resolve(answer.value);
    });
    child.unref();
    for (const stream of [stdin, stdout])
      if ('unref' in stream && typeof stream.unref === 'function') stream.unref();
    return { waiting, stdin };
  }

  async function call(method: Method, words: readonly string[]): Promise<string | boolean | null> {
    const { waiting, stdin } = (open ??= connect());
    const id = (lastId += 1);
    const answer = Promise.withResolvers<string | boolean | null>();
    waiting.set(id, answer);
    stdin.write(`${JSON.stringify({ id, method, words })}\n`);
    return answer.promise;
  }

  return {
    getPassword: async (...words) => (await call('getPassword', words)) as string | null,
    setPassword: async (...words) => void (await call('setPassword', words)),
    deletePassword: async (...words) => (await call('deletePassword', words)) as boolean,
  };
}

/** Starts `serveKeychain` in its own process group, so that Ctrl+C reaches only the command, which decides about its calls. */
export function startKeychainProcess(
  program: string,
  words: readonly string[],
  env: NodeJS.ProcessEnv,
): ChildProcess {
  const { COFFER_TOKEN: _token, ...passed } = env;
  const stdio = ['pipe', 'pipe', 'ignore'] as const;
  return spawn(program, [...words, keychainWord], { env: passed, stdio: [...stdio], detached: true });
}

/** Answers calls on `input`, one JSON object per line. Resolves when the command has ended. */
export async function serveKeychain(
  load: () => Promise<Keytar>,
  { input, output }: { input: Readable; output: Writable },
): Promise<void> {
  for await (const line of createInterface({ input })) {
    const { id, method, words } = JSON.parse(line) as { id: number; method: Method; words: string[] };
    // Not awaited: the end of the input must be noticed even if the keychain never answers.
    void answerOf(load, method, words).then((answer) =>
      output.write(`${JSON.stringify({ id, ...answer })}\n`),
    );
  }
}

async function answerOf(load: () => Promise<Keytar>, method: Method, words: readonly string[]) {
  const [service = '', account = '', value = ''] = words;
  try {
    const keytar = await load();
    if (method === 'getPassword') return { value: await keytar.getPassword(service, account) };
    if (method === 'deletePassword') return { value: await keytar.deletePassword(service, account) };
    await keytar.setPassword(service, account, value);
    return { value: null };
  } catch (cause) {
    return { error: cause instanceof Error ? cause.message : String(cause) };
  }
}
