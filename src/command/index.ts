import { readFileSync } from 'node:fs';
import { main } from './main.ts';

// Beside what was built, in a checkout and in a package.
const about = new URL('../../package.json', import.meta.url);
const { version } = JSON.parse(readFileSync(about, 'utf8')) as { version: string };

process.exitCode = await main(process.argv.slice(2), version);
