import { readFileSync } from 'node:fs';
import { exitCodes } from './exit-code.ts';
import { commandTexts as texts } from './texts.ts';

const oldestNode = 24;

async function run(): Promise<number> {
  const { node } = process.versions;
  if (Number.parseInt(node, 10) < oldestNode) {
    process.stderr.write(`${texts.oldNode({ version: node })}\n`);
    return exitCodes.error;
  }
  // Beside what was built, in a checkout and in a package.
  const about = new URL('../../package.json', import.meta.url);
  const { version } = JSON.parse(readFileSync(about, 'utf8')) as { version: string };
  // What it imports may not load in an older one.
  const { main } = await import('./main.ts');
  return main(process.argv.slice(2), version);
}

const code = await run();
process.exitCode = code;
// What still goes on is not waited for: it is carried on at the next start.
if (code === exitCodes.interrupted) process.exit();
