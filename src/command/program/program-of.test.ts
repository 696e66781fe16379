import { CommanderError, type Option } from 'commander';
import { describe, expect, test } from 'vitest';
import { commandOptions, programOf } from '../../main/approvals/caller.ts';
import { createRandom } from '../../../test-support/random.ts';
import { createProgram } from './program.ts';

const never = () => Promise.resolve();
const silent = { write: () => true } as unknown as NodeJS.WriteStream;
const createParser = () =>
  createProgram('', { run: never, runAlone: never }, { stdout: silent, stderr: silent });
const runOf = (program: ReturnType<typeof createParser>) =>
  program.commands.find((command) => command.name() === 'run');

test('the app knows the options of run', () => {
  const program = createParser();
  const names = (options: readonly Option[]) =>
    options.flatMap(({ short, long }) => [short, long]).filter(Boolean);
  const { withValue, flagsOfAll } = commandOptions;
  // With `--version` nothing runs.
  const ofAll = program.options.filter(({ long }) => long !== '--version');
  expect(names(ofAll.filter(({ required }) => required))).toEqual(withValue.ofAll);
  expect(names(ofAll.filter(({ required }) => !required))).toEqual(flagsOfAll);
  const ofRun = runOf(program)?.options ?? [];
  expect(names(ofRun.filter(({ required }) => required))).toEqual(withValue.ofRun);
});

/** Compares the app's reading of a line with the parser's. Returns whether the line is valid. */
async function compare(line: readonly string[]): Promise<boolean> {
  const program = createParser();
  try {
    await program.parseAsync(line, { from: 'user' });
  } catch (cause) {
    if (cause instanceof CommanderError) return false;
    throw cause;
  }
  const parsed = runOf(program)?.processedArgs[0] as string[] | undefined;
  if (!parsed) return false;
  expect({ line, program: programOf(line) }).toEqual({ line, program: parsed });
  return true;
}

/** Compares both for `count` lines of random words. Returns the number of valid ones. */
async function compareLines(count: number): Promise<number> {
  const words = [
    'run',
    './evil',
    './deploy.sh',
    '--',
    '-',
    '-s',
    '-qs',
    '-sWork',
    '--service',
    '--wait',
    '--wait=5',
    '5',
  ];
  const more = ['--json', '-q', '--no-masking', '--env-file', '--env-file=.env', '--no-progress', 'x'];
  const all = [...words, ...more];
  const random = createRandom(7);
  let compared = 0;
  for (let times = 0; times < count; times += 1) {
    const line = Array.from(
      { length: 1 + Math.floor(random() * 6) },
      () => all[Math.floor(random() * all.length)] ?? '',
    );
    if (random() < 0.7) line.unshift('run');
    if (await compare(line)) compared += 1;
  }
  return compared;
}

describe('the app finds the program in a command line as the parser does', () => {
  test.each([
    'run --wait 5 ./evil x',
    'run --wait=5 ./evil',
    '--service Work run ./evil',
    'run -qs Work ./evil',
    'run -qsWork ./evil',
    '-qqs Work run -- ./evil',
    'run --env-file -- ./evil ./deploy.sh',
  ])('%s', async (line) => expect(await compare(line.split(' '))).toBe(true));
  test('200 lines', async () => expect(await compareLines(200)).toBeGreaterThan(20));
  test('3,000 lines', { tags: 'all' }, async () => expect(await compareLines(3000)).toBeGreaterThan(300));
});
