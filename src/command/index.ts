import { readFileSync, statSync, writeFileSync } from 'node:fs';
import module from 'node:module';
import { join } from 'node:path';
import { findDataFolder } from './engine/data-folder.ts';
import { exitCodes, isInterrupted } from './errors/exit-code.ts';
import type { CommandIo } from './terminal/io.ts';
import { keychainWord } from './process/keychain-word.ts';
import { processIo } from './process/process-io.ts';
import { commandTexts as texts } from './texts.ts';

/** Defined only in the stand-alone program (packaging/command/bundle.ts). */
declare const COFFER_VERSION: string | undefined;
const isOwnProgram = typeof COFFER_VERSION !== 'undefined';

const oldestNode = 24;

async function run(io: CommandIo): Promise<number> {
  const { nodeVersion: version } = io;
  if (Number.parseInt(version, 10) < oldestNode) {
    io.stderr.write(`${texts.oldNode({ version })}\n`);
    return exitCodes.error;
  }
  // Only on Linux: elsewhere the keychain trusts this program, which must not hand entries to the process that starts it.
  if (io.platform === 'linux' && io.args[0] === keychainWord) return serve();
  if (isOwnProgram) leaveNoMemoryBehind(io);
  else keepCompiled(io);
  // Imported late: its modules may not load in an older Node.
  const { runCommand } = await import('./main.ts');
  return runCommand(io, ownVersion());
}

/** Outside the stand-alone program, reads package.json of the checkout, relative to the source or the built file. */
function ownVersion(): string {
  if (isOwnProgram) return COFFER_VERSION;
  const about = new URL('../../package.json', import.meta.url);
  return (JSON.parse(readFileSync(about, 'utf8')) as { version: string }).version;
}

/**
 * Excludes memory, which holds secret values, from core dumps of this process and of programs that `coffer run` starts,
 * unless they set their own filter (core(5)). `bin/coffer` sets a limit instead, which Node cannot.
 */
function leaveNoMemoryBehind({ platform }: CommandIo): void {
  if (platform !== 'linux') return;
  try {
    writeFileSync('/proc/self/coredump_filter', '0');
  } catch {
    // Without proc(5).
  }
}

/** The process for the keychain, see `openKeychainProcess`. */
async function serve(): Promise<never> {
  const [{ serveKeychain }, { loadKeytar }] = await Promise.all([
    import('./process/keychain-process.ts'),
    import('../main/keytar.ts'),
  ]);
  await serveKeychain(loadKeytar, { input: process.stdin, output: process.stdout });
  // A pending call would keep its thread, and so this process, alive.
  process.kill(process.pid, 'SIGKILL');
  return new Promise(() => undefined);
}

/**
 * Caches V8's compiled code, which halves the start time of the next command. The cache lies in the private data folder; without
 * one, in one where others could write code, and on build machines, nothing is cached. The command's own program contains its own, and runs no code from a folder.
 */
function keepCompiled(io: CommandIo): void {
  const folder = findDataFolder(undefined, io);
  if (io.env['COFFER_ADDRESS'] || io.env['NODE_COMPILE_CACHE']) return;
  const found = statSync(folder, { throwIfNoEntry: false });
  const uid = process.getuid?.();
  if (!found || (uid !== undefined && (found.uid !== uid || (found.mode & 0o022) !== 0))) return;
  module.enableCompileCache(join(folder, 'command-cache'));
}

// In case the run never settles: without pending work, Node would exit with 0. No top-level await, which CommonJS does not have.
process.exitCode = exitCodes.error;
void run(processIo()).then((code) => {
  process.exitCode = code;
  // Do not wait for work that is still running: the next start continues it.
  if (isInterrupted(code)) process.exit();
});
