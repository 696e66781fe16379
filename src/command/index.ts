import { existsSync, readFileSync } from 'node:fs';
import module from 'node:module';
import { join } from 'node:path';
import { findDataFolder } from './data-folder.ts';
import { exitCodes } from './exit-code.ts';
import type { CommandIo } from './io.ts';
import { keychainWord } from './keychain-word.ts';
import { processIo } from './process-io.ts';
import { commandTexts as texts } from './texts.ts';

const oldestNode = 24;

async function run(io: CommandIo): Promise<number> {
  const { nodeVersion: version } = io;
  if (Number.parseInt(version, 10) < oldestNode) {
    io.stderr.write(`${texts.oldNode({ version })}\n`);
    return exitCodes.error;
  }
  if (io.args[0] === keychainWord) return serve();
  keepCompiled(io);
  // Relative to the built file, in a checkout and in a package.
  const about = new URL('../../package.json', import.meta.url);
  const own = JSON.parse(readFileSync(about, 'utf8')) as { version: string };
  // Imported late: its modules may not load in an older Node.
  const { runCommand } = await import('./main.ts');
  return runCommand(io, own.version);
}

/** The process for the keychain, see `openKeychainProcess`. */
async function serve(): Promise<never> {
  const [{ serveKeychain }, { loadKeytar }] = await Promise.all([
    import('./keychain-process.ts'),
    import('../main/keychain.ts'),
  ]);
  await serveKeychain(loadKeytar, { input: process.stdin, output: process.stdout });
  // A call that is not over would keep its thread, and with it this process.
  process.kill(process.pid, 'SIGKILL');
  return new Promise(() => undefined);
}

/**
 * Caches V8's compiled code, which halves the start time of the next command. The cache lies in the private data folder; without
 * one, and on build machines, nothing is cached.
 */
function keepCompiled(io: CommandIo): void {
  const folder = findDataFolder(undefined, io);
  if (io.env['COFFER_ADDRESS'] || io.env['NODE_COMPILE_CACHE'] || !existsSync(folder)) return;
  module.enableCompileCache(join(folder, 'command-cache'));
}

const code = await run(processIo());
process.exitCode = code;
// Do not wait for work that is still running: the next start continues it.
if (code === exitCodes.interrupted) process.exit();
