import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openWorld } from '../../test-support/command/command-world.ts';
import { startInMemory } from '../../test-support/command/in-process.ts';
import { checkLines } from '../../test-support/command/json-schemas.ts';

test.skipIf(process.platform !== 'linux')(
  'what one get saves is one batch, however many folders and calls it takes',
  { timeout: 45_000 },
  async () => {
    const world = await openWorld({ with: 'app' });
    const run = async (...words: string[]) => {
      const running = startInMemory(words, { cwd: world.files, env: world.env });
      running.end();
      expect(await running.ended).toBe(0);
      return running.stdout();
    };
    // Each folder is a call of its own.
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
    // Another one is another batch.
    const again = await run('get', 'p/', '--to', 'again', '--json', '--quiet');
    const [line = ''] = again.split('\n');
    expect([...batches]).not.toContain((JSON.parse(line) as { batch?: number }).batch);
  },
);
