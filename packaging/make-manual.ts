import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { dateOf, manualOf } from '../src/command/program/manual.ts';
import { createProgram } from '../src/command/program/program.ts';

/* `npm run manual`: writes the command line's manual page, with the date of its last change. */
const never = () => Promise.reject(new Error('nothing is run'));
const folder = import.meta.dirname;
const { version } = JSON.parse(readFileSync(join(folder, '..', 'package.json'), 'utf8')) as {
  version: string;
};
const program = createProgram(version, { run: never, runAlone: never });
const path = join(folder, 'coffer.1');
const before = readFileSync(path, 'utf8');
const today = new Date().toISOString().slice(0, 10);
if (manualOf(program, dateOf(before) ?? today) !== before) writeFileSync(path, manualOf(program, today));
