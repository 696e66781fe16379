import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { openWorld } from '../../test-support/command/command-world.ts';
import { createGathering, startInMemory } from '../../test-support/command/in-process.ts';
import { checkLines } from '../../test-support/command/json-schemas.ts';
import { systemClock } from '../main/clock.ts';
import { get } from './commands/get.ts';
import type { Context } from './context.ts';
import { createOutput } from './terminal/output.ts';

test.skipIf(process.platform !== 'linux')(
  'one get makes one batch, however many folders and calls it takes',
  async () => {
    const world = await openWorld({ with: 'app' });
    const run = async (...words: string[]) => {
      const running = startInMemory(words, { cwd: world.files, env: world.env });
      running.end();
      expect(await running.ended).toBe(0);
      return running.stdout();
    };
    // One call per folder.
    for (let at = 0; at < 9; at += 1)
      writeFileSync(join(world.files, 'photos/may', `more-${at}.jpg`), 'more');
    for (const name of ['back', 'again']) mkdirSync(join(world.files, name));
    await run('put', 'photos', '--to', 'p', '--quiet');
    const told = await run('get', 'p/', '--to', 'back', '--json', '--quiet');
    checkLines(told);
    const lines = told.trimEnd().split('\n');
    const batches = new Set(lines.map((line) => (JSON.parse(line) as { batch?: number }).batch));
    expect(lines).toHaveLength(12);
    expect([...batches]).toEqual([expect.any(Number)]);
    // A second get is another batch.
    const again = await run('get', 'p/', '--to', 'again', '--json', '--quiet');
    const [line = ''] = again.split('\n');
    expect([...batches]).not.toContain((JSON.parse(line) as { batch?: number }).batch);
  },
);

test('leaves out objects cancelled before their call, but reports each', async () => {
  const [stdout, stderr] = [createGathering(), createGathering()];
  const output = createOutput({ json: false, quiet: false, progress: false, stdout, stderr });
  const never = new AbortController().signal;
  const objects = ['a', 'b'].map((identifier, at) => ({ id: at + 1, identifier, lengthBytes: 1 }));
  // The person cancels the batch.
  const answers: Readonly<Record<string, unknown>> = {
    'command.find': { objects },
    'command.get': { ids: [] },
  };
  const coffer = {
    call: async (name: string) => answers[name],
    grant: async () => ['g'],
    follow: async () => undefined,
  };
  const context = {
    io: { clock: systemClock, resolve: (path: string) => resolve('/', path) },
    coffer,
    output,
    hasList: true,
    interrupted: never,
    makeWay: never,
    waitMs: 0,
    service: async () => ({ id: 's', name: 'Local', separator: '/' }),
  } as unknown as Context;
  expect(await get(['a', 'b'], { to: '.' })(context)).toBe(8);
  expect(stderr.text()).toBe(
    '2 objects were cancelled, or taken out of the list, before the download began.\n',
  );
});
