import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openWorld, type World } from '../../../test-support/command/command-world.ts';
import { startInMemory } from '../../../test-support/command/in-process.ts';
import { coffer, identifiersOf } from '../../../test-support/command/run-in-world.ts';
import { eventually } from '../../../test-support/eventually.ts';
import { createQuickClock } from '../../../test-support/main/test-ports.ts';
import type { Clock } from '../../main/ports.ts';

const photo = ({ files }: World, name: string) => join(files, 'photos', name);
const pruning = ['sync', 'photos', 'p', '--delete', '--yes', '--settle', '0'];
const everything = ['p/may/three.jpg', 'p/one.jpg', 'p/two.jpg'];

describe.skipIf(process.platform !== 'linux')('sync --delete', () => {
  test('keeps the object of a file that is back after the settle time', async () => {
    const world = await openWorld({ with: 'app' });
    await coffer(world, 'sync', 'photos', 'p');
    const bytes = readFileSync(photo(world, 'two.jpg'));
    rmSync(photo(world, 'one.jpg'));
    rmSync(photo(world, 'two.jpg'));
    const running = startInMemory(['sync', 'photos', 'p', '--delete', '--yes', '--settle', '100'], {
      cwd: world.files,
      env: world.env,
      clock: createQuickClock(50),
    });
    running.end();
    await eventually(() => expect(running.stderr()).toMatch(/^Reading the folder again in [0-9]+ seconds/));
    writeFileSync(photo(world, 'two.jpg'), bytes);
    expect(await running.ended).toBe(0);
    expect(running.stdout()).toBe('p/one.jpg: has no file any more\n0 stored, 1 unchanged, 1 deleted\n');
    expect(await identifiersOf(world)).toEqual(['p/may/three.jpg', 'p/two.jpg']);
  });

  test('concludes nothing from a folder that is missing or has no file of its own left', async () => {
    const world = await openWorld({ with: 'app' });
    mkdirSync(photo(world, 'june'));
    writeFileSync(photo(world, 'june/four.jpg'), 'four');
    await coffer(world, 'sync', 'photos', 'p');
    rmSync(photo(world, 'two.jpg'));
    rmSync(photo(world, 'june'), { recursive: true });
    rmSync(photo(world, 'may/three.jpg'));
    writeFileSync(photo(world, 'may/.DS_Store'), 'litter');
    const { code, stdout, stderr } = await coffer(world, ...pruning, '--exclude', '.DS_Store', '--json');
    expect({ code, last: JSON.parse(stdout.at(-1) ?? '') }).toEqual({
      code: 0,
      last: { stored: 0, unchanged: 1, deleted: 1, requested: 0, kept: 2, failed: 0 },
    });
    const stays = (name: string) =>
      `photos/${name} is missing, or has no file to store any more: its object stays. If that is meant, “coffer rm p/${name}/” deletes it.\n`;
    expect(stderr).toBe(stays('june') + stays('may'));
    expect(await identifiersOf(world)).toEqual(['p/june/four.jpg', 'p/may/three.jpg', 'p/one.jpg']);
  });

  test('deletes only what was stored from here, whatever was looked at', async () => {
    const world = await openWorld({ with: 'app' });
    await coffer(world, 'sync', 'photos', 'p');
    const theirs = ['known', 'got', 'same'];
    for (const name of theirs) {
      const stored = await world.service.client.send('POST', `/api/data/p%2F${name}`, 'theirs');
      expect(stored.status).toBe(200);
    }
    await coffer(world, 'known', ...theirs.map((name) => `p/${name}`));
    await coffer(world, 'check', 'p/');
    await coffer(world, 'get', 'p/got', '-o', '-');
    writeFileSync(join(world.files, 'same'), 'theirs');
    await coffer(world, 'put', 'same', '--as', 'p/same', '--if-exists', 'version');
    const { code, stdout, stderr } = await coffer(world, ...pruning);
    expect({ code, stdout }).toEqual({ code: 0, stdout: ['0 stored, 3 unchanged, 0 deleted'] });
    expect(stderr).toContain('3 objects have no file and stay, because they were not stored from here.');
    expect(await identifiersOf(world)).toEqual(expect.arrayContaining(theirs.map((name) => `p/${name}`)));
  });

  test('keeps what somebody else has stored under the name since', async () => {
    const world = await openWorld({ with: 'app' });
    await coffer(world, 'sync', 'photos', 'p');
    rmSync(photo(world, 'one.jpg'));
    rmSync(photo(world, 'two.jpg'));
    const { client } = world.service;
    await client.send('DELETE', '/api/data/p%2Fone.jpg');
    expect((await client.send('POST', '/api/data/p%2Fone.jpg', 'somebody else’s')).status).toBe(200);
    const { code, stdout, stderr } = await coffer(world, ...pruning);
    expect({ code, summary: stdout[0] }).toEqual({ code: 0, summary: '0 stored, 1 unchanged, 1 deleted' });
    expect(stderr).toBe('1 object was not deleted: it or its file has changed meanwhile.\n');
    const there = await client.send('GET', '/api/data/p%2Fone.jpg');
    expect(there.bytes.toString()).toBe('somebody else’s');
    expect(await identifiersOf(world)).toEqual(['p/may/three.jpg', 'p/one.jpg']);
  });

  test('keeps the copies that a Replace and files in parts have', async () => {
    const world = await openWorld({ with: 'app' });
    await coffer(world, 'sync', 'photos', 'p');
    const copies = [
      'p/one.jpg~o-0123456789abcdef',
      `p/one.jpg~p-${'0123456789abcdef'.repeat(2)}-00000`,
      'p/one.jpg~r-0123456789abcdef',
    ];
    for (const name of copies) await coffer(world, 'put', 'a.txt', '--as', name);
    rmSync(photo(world, 'one.jpg'));
    expect((await coffer(world, ...pruning)).stdout).toEqual([
      '0 stored, 2 unchanged, 1 deleted',
      'p/one.jpg: has no file any more',
    ]);
    const removed = await coffer(world, 'rm', 'p/**', '--exclude', 'two.jpg', '--yes');
    expect(removed).toMatchObject({ code: 0, stdout: ['1 deleted'] });
    expect(removed.stderr).toContain('3 objects stay whose names Coffer made');
    expect(await identifiersOf(world)).toEqual([...copies, 'p/two.jpg']);
    expect(await coffer(world, 'rm', ...copies, '--yes')).toMatchObject({ code: 0 });
    expect(await identifiersOf(world)).toEqual(['p/two.jpg']);
  });

  test('deletes versions with --all-versions alone, and none of them otherwise', async () => {
    const world = await openWorld({ with: 'app' });
    await coffer(world, 'sync', 'photos', 'p');
    for (const text of ['second', 'third']) {
      writeFileSync(photo(world, 'one.jpg'), text);
      await coffer(world, 'sync', 'photos', 'p');
    }
    rmSync(photo(world, 'one.jpg'));
    for (const run of [1, 2, 3]) {
      const { code, stdout, stderr } = await coffer(world, ...pruning);
      expect({ run, code, stdout }).toEqual({ run, code: 0, stdout: ['0 stored, 2 unchanged, 0 deleted'] });
      expect(stderr).toBe(
        '3 objects have no file and stay, because they have other versions. --all-versions deletes them, too.\n',
      );
    }
    expect((await coffer(world, ...pruning, '--all-versions')).stdout).toContain(
      '0 stored, 2 unchanged, 3 deleted',
    );
    expect(await identifiersOf(world)).toEqual(['p/may/three.jpg', 'p/two.jpg']);
  });

  test('refuses to delete many objects without a terminal to ask on', async () => {
    const world = await openWorld({ with: 'app' });
    for (let at = 0; at < 30; at += 1) writeFileSync(photo(world, `${at}.jpg`), String(at));
    await coffer(world, 'sync', 'photos', 'p');
    for (let at = 0; at < 11; at += 1) rmSync(photo(world, `${at}.jpg`));
    const refused = await coffer(world, ...pruning);
    expect(refused).toMatchObject({ code: 1, stdout: ['0 stored, 22 unchanged, 0 deleted'] });
    expect(refused.stderr).toBe(
      'Nothing was deleted: 11 of the 33 objects below the folder have no file any more, which is more than --max-delete allows (10, and 25 %). “coffer sync --delete --dry-run” lists them; if they are to go, add --max-delete 11.\n',
    );
    for (const max of ['10', '33%']) {
      const { code, stderr } = await coffer(world, ...pruning, '--max-delete', max);
      expect({ max, code }).toEqual({ max, code: 1 });
      expect(stderr).toContain('which is more than --max-delete allows');
    }
    expect((await coffer(world, ...pruning, '--max-delete', '34%')).stdout).toContain(
      '0 stored, 22 unchanged, 11 deleted',
    );
  });
});

describe.skipIf(process.platform !== 'linux')('watch --delete', () => {
  /** Every pause of the follower comes after a scan. */
  function countPauses(times: number): { clock: Clock; pauses: () => number } {
    const clock = createQuickClock(times);
    let count = 0;
    return {
      clock: {
        ...clock,
        delay(ms, signal) {
          count += 1;
          return clock.delay(ms, signal);
        },
      },
      pauses: () => count,
    };
  }

  async function start(world: World, times: number, ...words: string[]) {
    for (const name of ['one.jpg', 'two.jpg', 'may/three.jpg'])
      if (existsSync(photo(world, name))) utimesSync(photo(world, name), 1e9, 1e9);
    const { clock, pauses } = countPauses(times);
    const running = startInMemory(['watch', 'photos', 'p', '--delete', '--yes', ...words], {
      cwd: world.files,
      env: world.env,
      clock,
    });
    running.end();
    await eventually(() => expect(running.stderr()).toBe('Waiting for changes in photos.\n'));
    return {
      ...running,
      /** Waits until the folder was read from beginning to end this many times. */
      async scans(count: number) {
        const since = pauses();
        await eventually(() => expect(pauses()).toBeGreaterThan(since + count));
      },
      async end() {
        running.kill('SIGINT');
        await running.ended;
      },
    };
  }

  test('keeps the objects of files and folders that are away for less than the settle time', async () => {
    const world = await openWorld({ with: 'app' });
    const watching = await start(world, 20, '--settle', '3600');
    renameSync(photo(world, 'two.jpg'), join(world.files, 'aside.jpg'));
    renameSync(photo(world, 'may'), join(world.files, 'aside'));
    await watching.scans(3);
    renameSync(join(world.files, 'aside.jpg'), photo(world, 'two.jpg'));
    renameSync(join(world.files, 'aside'), photo(world, 'may'));
    await watching.scans(3);
    await watching.end();
    expect(watching.stdout()).not.toContain('has no file any more');
    expect(watching.stdout()).not.toMatch(/, [1-9][0-9]* deleted$/m);
    expect(await identifiersOf(world)).toEqual(everything);
  });

  test('concludes nothing from a folder that stays away, as of a disk that was unmounted', async () => {
    const world = await openWorld({ with: 'app' });
    const watching = await start(world, 60, '--settle', '0', '--every', '1');
    rmSync(photo(world, 'may'), { recursive: true });
    await eventually(() =>
      expect(watching.stderr()).toContain('photos/may is missing, or has no file to store any more'),
    );
    mkdirSync(photo(world, 'may'));
    rmSync(photo(world, 'two.jpg'));
    await eventually(() => expect(watching.stdout()).toMatch(/, 1 deleted$/m));
    await watching.end();
    // Said once.
    expect(watching.stderr().split('\n')).toHaveLength(3);
    expect(await identifiersOf(world)).toEqual(['p/may/three.jpg', 'p/one.jpg']);
  });

  test('deletes after a while what was removed before it started', async () => {
    const world = await openWorld({ with: 'app' });
    await coffer(world, 'sync', 'photos', 'p');
    rmSync(photo(world, 'two.jpg'));
    const watching = await start(world, 60, '--settle', '0');
    await eventually(() => expect(watching.stdout()).toMatch(/, 1 deleted$/m));
    await watching.end();
    expect(await identifiersOf(world)).toEqual(['p/may/three.jpg', 'p/one.jpg']);
  });

  test('refuses to delete many objects, says so once, and goes on', async () => {
    const world = await openWorld({ with: 'app' });
    const watching = await start(world, 60, '--settle', '0', '--every', '1', '--max-delete', '0');
    rmSync(photo(world, 'two.jpg'));
    await eventually(() => expect(watching.stderr()).toContain('add --max-delete 1.'));
    writeFileSync(photo(world, 'new.jpg'), 'new');
    await eventually(() => expect(watching.stdout()).toContain('p/new.jpg: stored\n'));
    await watching.scans(3);
    await watching.end();
    expect(watching.stderr().match(/add --max-delete/g)).toHaveLength(1);
    expect(await identifiersOf(world)).toContain('p/two.jpg');
  });
});
