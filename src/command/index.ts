import { existsSync, readFileSync } from 'node:fs';
import module from 'node:module';
import { join } from 'node:path';
import { findDataFolder } from './data-folder.ts';
import { exitCodes } from './exit-code.ts';
import { commandTexts as texts } from './texts.ts';

const oldestNode = 24;

async function run(): Promise<number> {
  const { node } = process.versions;
  if (Number.parseInt(node, 10) < oldestNode) {
    process.stderr.write(`${texts.oldNode({ version: node })}\n`);
    return exitCodes.error;
  }
  keepCompiled();
  // Beside what was built, in a checkout and in a package.
  const about = new URL('../../package.json', import.meta.url);
  const { version } = JSON.parse(readFileSync(about, 'utf8')) as { version: string };
  // What it imports may not load in an older one.
  const { main } = await import('./main.ts');
  return main(process.argv.slice(2), version);
}

/**
 * What V8 compiles is kept for the next command, which starts in half the time: where there is a data folder, which is this person's
 * alone. On a build machine nothing is kept.
 */
function keepCompiled(): void {
  const folder = findDataFolder(undefined, process.env);
  if (process.env['COFFER_ADDRESS'] || process.env['NODE_COMPILE_CACHE'] || !existsSync(folder)) return;
  module.enableCompileCache(join(folder, 'command-cache'));
}

const code = await run();
process.exitCode = code;
// What still goes on is not waited for: it is carried on at the next start.
if (code === exitCodes.interrupted) process.exit();
