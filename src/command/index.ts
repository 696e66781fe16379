import { readFileSync } from 'node:fs';
import { exitCodes } from './exit-code.ts';
import { main } from './main.ts';

// Beside what was built, in a checkout and in a package.
const about = new URL('../../package.json', import.meta.url);
const { version } = JSON.parse(readFileSync(about, 'utf8')) as { version: string };

const code = await main(process.argv.slice(2), version);
process.exitCode = code;
// What still goes on is not waited for: it is carried on at the next start.
if (code === exitCodes.interrupted) process.exit();
