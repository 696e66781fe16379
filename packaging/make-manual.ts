import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { manualOf } from '../src/command/program/manual.ts';
import { createProgram } from '../src/command/program/program.ts';

/* `npm run manual`: writes the command line's manual page. */
const never = () => Promise.reject(new Error('nothing is run'));
const program = createProgram('', { run: never, runAlone: never });
writeFileSync(join(import.meta.dirname, 'coffer.1'), manualOf(program));
