import { execFileSync } from 'node:child_process';
import { readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { openBuildMachine, oldBytes } from '../../test-support/command/build-machine.ts';
import { createGathering, startInMemory } from '../../test-support/command/in-process.ts';
import { makeTestFolder } from '../../test-support/main/test-ports.ts';
import { exportList } from './commands/exchange.ts';
import type { Context } from './context.ts';
import { createOutput } from './terminal/output.ts';

const said = (name: string, beside: string) =>
  `${name} was made by something else meanwhile, and stays as it is. What was to go there is in ${beside}. Move it, or repeat the command with --force.\n`;

test('get -o says where the bytes are, if the file was made while they came', async () => {
  const { service, run, ...machine } = await openBuildMachine('a.txt');
  service.plan = ({ method }) => {
    if (method === 'GET') writeFileSync(join(run.cwd, 'out.txt'), 'another’s');
    return null;
  };
  const ended = await machine.coffer(['get', 'a.txt', '-o', 'out.txt']);
  expect(ended).toEqual({
    code: 6,
    stdout: 'a.txt: saved as out (1).txt\n',
    stderr: said('out.txt', 'out (1).txt'),
  });
  expect(readFileSync(join(run.cwd, 'out.txt'), 'utf8')).toBe('another’s');
  expect(readFileSync(join(run.cwd, 'out (1).txt'), 'utf8')).toBe(oldBytes('a.txt'));
  const forced = await machine.coffer(['get', 'a.txt', '-o', 'out.txt', '--force']);
  expect(forced.code).toBe(0);
  expect(readFileSync(join(run.cwd, 'out.txt'), 'utf8')).toBe(oldBytes('a.txt'));
});

test.skipIf(process.platform === 'win32')(
  'inject replaces no file that was made while the template was read',
  async () => {
    const { run } = await openBuildMachine();
    const [template, out] = [join(run.cwd, 'template'), join(run.cwd, 'out')];
    execFileSync('mkfifo', [template]);
    const inject = startInMemory(['inject', '-i', 'template', '-o', 'out'], run);
    inject.end();
    // Opens when the command reads it.
    const writer = await open(template, 'w');
    writeFileSync(out, 'another’s');
    await writer.writeFile('mine');
    await writer.close();
    expect(await inject.ended).toBe(6);
    expect(inject.stderr()).toBe(`Error: ${said('out', 'out (1)')}`);
    expect(readFileSync(out, 'utf8')).toBe('another’s');
    expect(readFileSync(`${out} (1)`, 'utf8')).toBe('mine');
  },
);

test('export replaces no file that was made while the list was written', async () => {
  const cwd = await makeTestFolder();
  const out = join(cwd, 'list.jsonl');
  const [stdout, stderr] = [createGathering(), createGathering()];
  let isTaken = false;
  const coffer = {
    call: async () => {
      writeFileSync(granted, 'mine');
      if (isTaken) writeFileSync(out, 'another’s');
      return { count: 1 };
    },
    grant: async ([path = '']: string[]) => [(granted = path)],
  };
  let granted = '';
  const context = {
    io: { resolve: (path: string) => resolve(cwd, path) },
    coffer,
    output: createOutput({ json: false, quiet: false, progress: false, stdout, stderr }),
    service: async () => ({ id: 's' }),
  } as unknown as Context;
  const run = exportList('list.jsonl', {});
  expect(await run(context)).toBe(0);
  expect(readdirSync(cwd)).toEqual(['list.jsonl']);
  const forced = exportList('list.jsonl', { force: true });
  isTaken = true;
  await expect(run(context)).rejects.toThrow('list.jsonl exists. --force replaces it.');
  rmSync(out);
  await expect(run(context)).rejects.toMatchObject({
    exitCode: 6,
    message: said('list.jsonl', 'list (1).jsonl').trimEnd(),
  });
  expect(readFileSync(out, 'utf8')).toBe('another’s');
  expect(readFileSync(join(cwd, 'list (1).jsonl'), 'utf8')).toBe('mine');
  expect(await forced(context)).toBe(0);
  expect(readdirSync(cwd).toSorted()).toEqual(['list (1).jsonl', 'list.jsonl']);
});
