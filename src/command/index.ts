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
  // Beside what was built, in a checkout and in a package.
  const about = new URL('../../package.json', import.meta.url);
  const own = JSON.parse(readFileSync(about, 'utf8')) as { version: string };
  // What it imports may not load in an older one.
  const { runCommand } = await import('./main.ts');
  return runCommand(io, own.version);
}

/**
 * What V8 compiles is kept for the next command, which starts in half the time: where there is a data folder, which is this person's
 * alone. On a build machine nothing is kept.
 */
function keepCompiled(io: CommandIo): void {
  const folder = findDataFolder(undefined, io);
  if (io.env['COFFER_ADDRESS'] || io.env['NODE_COMPILE_CACHE'] || !existsSync(folder)) return;
  module.enableCompileCache(join(folder, 'command-cache'));
}

const code = await run(processIo());
process.exitCode = code;
// What still goes on is not waited for: it is carried on at the next start.
if (code === exitCodes.interrupted) process.exit();
