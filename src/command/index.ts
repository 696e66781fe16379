import { existsSync, readFileSync } from 'node:fs';
import module from 'node:module';
import { join } from 'node:path';
import { findDataFolder } from './data-folder.ts';
import { exitCodes } from './exit-code.ts';
import type { CommandIo } from './io.ts';
import { processIo } from './process-io.ts';
import { commandTexts as texts } from './texts.ts';

const oldestNode = 24;

async function run(io: CommandIo): Promise<number> {
  const { nodeVersion: version } = io;
  if (Number.parseInt(version, 10) < oldestNode) {
    io.stderr.write(`${texts.oldNode({ version })}\n`);
    return exitCodes.error;
  }
  keepCompiled(io);
  // Relative to the built file, in a checkout and in a package.
  const about = new URL('../../package.json', import.meta.url);
  const own = JSON.parse(readFileSync(about, 'utf8')) as { version: string };
  // Imported late: its modules may not load in an older Node.
  const { runCommand } = await import('./main.ts');
  return runCommand(io, own.version);
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
