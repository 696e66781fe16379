import {
  chmodSync,
  mkdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { WatchChoices } from '../../shared/domain/watch.ts';
import { coffer, identifiersOf } from '../../../test-support/command/run-in-world.ts';
import { openWorld, type World } from '../../../test-support/command/command-world.ts';
import { eventually } from '../../../test-support/eventually.ts';
import { checkLines } from '../../../test-support/command/json-schemas.ts';
import { startInMemory } from '../../../test-support/command/in-process.ts';
import { createQuickClock } from '../../../test-support/main/test-ports.ts';
import { playTranscript } from '../../../test-support/command/transcript.ts';

describe.skipIf(process.platform !== 'linux')('sync', () => {
  test('stores new and changed files, and deletes only when asked to', () =>
    expect(
      playTranscript({ name: 'sync', with: 'app' }, async ({ coffer }) => {
        await coffer('coffer sync photos backup --no-progress | sort');
        await coffer('coffer sync photos backup/');
        await coffer(
          'touch photos/*; echo new > photos/one.jpg; echo four > photos/four.jpg; rm photos/two.jpg',
        );
        await coffer('coffer sync photos backup --dry-run --delete | sed "s/from .*/from …/" | sort');
        await coffer('coffer sync photos backup --no-progress | sort');
        await coffer('coffer sync photos backup --json');
        await coffer('coffer sync photos backup --delete', { only: 'pipe' });
        await coffer('coffer sync photos backup --delete --settle 0', {
          types: [['[y/N] ', 'n\r']],
          only: 'terminal',
        });
        await coffer('coffer sync photos backup --delete --settle 0', {
          types: [['[y/N] ', 'y\r']],
          only: 'terminal',
        });
        await coffer('coffer sync photos backup --delete --yes --settle 0');
        await coffer('rm photos/one.jpg; coffer sync photos backup --delete --yes --settle 0');
        await coffer('coffer sync photos backup --delete --yes --settle 0 --all-versions');
        await coffer('rm -r photos/may; coffer sync photos backup --delete --yes --settle 0');
        await coffer('coffer sync photos backup --delete --yes --max-delete many');
        await coffer('coffer ls --json backup | jq -r .identifier');
        await coffer('coffer sync nowhere backup');
        await coffer('coffer sync a.txt backup');
        await coffer('mkdir empty; coffer sync empty backup --delete --yes');
        await coffer('coffer sync photos');
      }),
    ).resolves.toMatchFileSnapshot('sync.txt'));

  test('check --against compares a directory with the list', () =>
    expect(
      playTranscript({ name: 'check-against', with: 'app' }, async ({ coffer }) => {
        await coffer('coffer sync photos p --quiet > /dev/null');
        await coffer('coffer check p/ --against photos');
        await coffer('echo x > photos/new.jpg; rm photos/two.jpg; echo longer-than-before > photos/one.jpg');
        await coffer('printf THREE.jpg.... > photos/may/three.jpg; coffer check p --against photos');
        await coffer('coffer check p/ --against photos --include one.jpg --json');
        await coffer('coffer sync photos p --quiet > /dev/null');
        await coffer('coffer check p/ --against photos --exclude two.jpg');
        await coffer('coffer check p/ --against nowhere');
        await coffer("coffer check 'p/*' --against photos");
        await coffer('coffer check p/ q/ --against photos');
      }),
    ).resolves.toMatchFileSnapshot('check-against.txt'));

  test('replaces changed files, or leaves them alone', async () => {
    // A Replace checks again a minute later.
    const world = await openWorld({ with: 'app', app: { clock: createQuickClock(100) } });
    await coffer(world, 'sync', 'photos', 'p');
    writeFileSync(join(world.files, 'photos', 'one.jpg'), 'changed');
    const skipped = await coffer(world, 'sync', 'photos', 'p', '--if-exists', 'skip');
    expect(skipped.stdout).toEqual(['0 stored, 3 unchanged, 0 deleted']);
    const replaced = await coffer(world, 'sync', 'photos', 'p', '--if-exists', 'replace');
    expect(replaced.stdout).toEqual(['1 stored, 2 unchanged, 0 deleted', 'p/one.jpg: stored']);
    expect(await identifiersOf(world)).toEqual(['p/may/three.jpg', 'p/one.jpg', 'p/two.jpg']);
    const again = await coffer(world, 'sync', 'photos', 'p', '--if-exists', 'replace');
    expect(again.stdout).toEqual(['0 stored, 3 unchanged, 0 deleted']);
  });

  test('keeps excluded objects', async () => {
    const world = await openWorld({ with: 'app' });
    writeFileSync(join(world.files, 'photos', 'keep.raw'), 'raw');
    await coffer(world, 'sync', 'photos', '/');
    rmSync(join(world.files, 'photos', 'keep.raw'));
    rmSync(join(world.files, 'photos', 'two.jpg'));
    const words = ['sync', 'photos', '/', '--delete', '--yes', '--settle', '0', '--exclude', '*.raw'];
    expect(await coffer(world, ...words)).toMatchObject({ code: 0, stderr: '' });
    expect(await identifiersOf(world)).toEqual(['keep.raw', 'may/three.jpg', 'one.jpg']);
  });

  test('does not delete objects that only an imported list claims', async () => {
    const world = await openWorld({ with: 'app' });
    await coffer(world, 'sync', 'photos', 'p');
    rmSync(join(world.files, 'photos', 'two.jpg'));
    const line = JSON.stringify({ identifier: 'p/theirs.jpg', state: 'stored' });
    writeFileSync(join(world.files, 'list.jsonl'), `{"cofferCatalogue":1}\n${line}\n`);
    await coffer(world, 'import', 'list.jsonl');
    const words = ['sync', 'photos', 'p', '--delete', '--yes', '--settle', '0'];
    const { stdout, stderr } = await coffer(world, ...words);
    expect(stdout).toEqual(['0 stored, 2 unchanged, 1 deleted', 'p/two.jpg: has no file any more']);
    expect(stderr).toBe(
      '1 object has no file and stays, because it was not stored from here. “coffer check p/ --against photos” names all without a file, and “coffer rm” deletes.\n',
    );
    expect(await identifiersOf(world)).toContain('p/theirs.jpg');
  });

  test('does not delete when something could not be stored', async () => {
    const world = await openWorld({ with: 'app' });
    await coffer(world, 'sync', 'photos', 'p');
    rmSync(join(world.files, 'photos', 'two.jpg'));
    writeFileSync(join(world.files, 'photos', 'one@2.jpg'), 'looks like a version');
    const { code, stderr } = await coffer(world, 'sync', 'photos', 'p', '--delete', '--yes');
    expect(code).toBe(8);
    expect(stderr).toBe(
      'one@2.jpg: its name is that of a version of p/one.jpg, which is in the folder as well. Rename it, or use --if-exists replace.\n' +
        'Nothing was deleted, because not everything was stored.\n',
    );
    expect(await identifiersOf(world)).toContain('p/two.jpg');
  });

  test('stores older content that returns as a new version', async () => {
    const world = await openWorld({ with: 'app' });
    const path = join(world.files, 'photos', 'one.jpg');
    for (const text of ['first', 'other', 'first', 'first']) {
      writeFileSync(path, text);
      expect((await coffer(world, 'sync', 'photos', 'p', '--include', 'one.jpg')).code).toBe(0);
    }
    expect(await identifiersOf(world)).toEqual(['p/one.jpg', 'p/one@2.jpg', 'p/one@3.jpg']);
  });

  test('without a list, checks the service and stores nothing twice', async () => {
    const world = await openWorld({ with: 'memory' });
    expect((await coffer(world, 'sync', 'photos', 'p')).stdout.at(0)).toBe(
      '3 stored, 0 unchanged, 0 deleted',
    );
    mkdirSync(join(world.files, 'photos', 'june'));
    writeFileSync(join(world.files, 'photos', 'june', 'a.jpg'), 'a');
    expect((await coffer(world, 'sync', 'photos', 'p')).stdout.at(0)).toBe(
      '1 stored, 3 unchanged, 0 deleted',
    );
    expect(await coffer(world, 'sync', 'photos', 'p', '--delete', '--yes')).toMatchObject({
      code: 2,
      stderr:
        'Error: With COFFER_ADDRESS there is no list, so nothing is known that could be deleted. Leave out --delete.\n',
    });
  });
});

describe.skipIf(process.platform !== 'linux')('watch', () => {
  const photo = ({ files }: World, name: string) => join(files, 'photos', name);

  /** Writes a file atomically, so that a running sync never reads half of it. */
  function put(world: World, name: string, text: string): void {
    const beside = join(world.files, 'beside');
    writeFileSync(beside, text);
    renameSync(beside, photo(world, name));
  }

  function start({ files, env }: World, ...words: string[]) {
    const running = startInMemory(['watch', 'photos', 'p', '--settle', '0', ...words], {
      cwd: files,
      env,
      clock: createQuickClock(20),
    });
    running.end();
    return running;
  }

  test('stores and deletes what changes, until it is interrupted', async () => {
    const world = await openWorld({ with: 'app' });
    const running = start(world, '--delete', '--yes');
    await eventually(() => expect(running.stderr()).toBe('Waiting for changes in photos.\n'));
    expect(running.stdout()).toContain('3 stored, 0 unchanged, 0 deleted\n');
    mkdirSync(photo(world, 'june'));
    put(world, 'june/new.jpg', 'new');
    await eventually(() =>
      expect(running.stdout()).toContain('p/june/new.jpg: stored\n1 stored, 3 unchanged, 0 deleted\n'),
    );
    put(world, 'one.jpg', 'changed');
    await eventually(() =>
      expect(running.stdout()).toContain('p/one@2.jpg: stored\n1 stored, 3 unchanged, 0 deleted\n'),
    );
    rmSync(photo(world, 'two.jpg'));
    // A run that read the file before counts it too.
    await eventually(() => expect(running.stdout()).toMatch(/^0 stored, [34] unchanged, 1 deleted$/m));
    running.kill('SIGINT');
    expect(await running.ended).toBe(0);
    expect(await identifiersOf(world)).toEqual([
      'p/june/new.jpg',
      'p/may/three.jpg',
      'p/one.jpg',
      'p/one@2.jpg',
    ]);
  });

  test('stores a file that was replaced by one of the same length and time, and not one with other permissions', async () => {
    const world = await openWorld({ with: 'app' });
    for (const name of ['one.jpg', 'two.jpg', 'may/three.jpg']) utimesSync(photo(world, name), 1e9, 1e9);
    // What the next whole comparison would find does not count.
    const running = start(world, '--every', '86400');
    await eventually(() => expect(running.stderr()).toBe('Waiting for changes in photos.\n'));
    const beside = join(world.files, 'beside');
    writeFileSync(beside, 'ONE.jpg');
    utimesSync(beside, 1e9, 1e9);
    renameSync(beside, photo(world, 'one.jpg'));
    await eventually(() => expect(running.stdout()).toContain('p/one@2.jpg: stored\n'));
    chmodSync(photo(world, 'two.jpg'), 0o600);
    put(world, 'new.jpg', 'new');
    await eventually(() => expect(running.stdout()).toContain('p/new.jpg: stored\n'));
    running.kill('SIGINT');
    expect(await running.ended).toBe(0);
    expect(await identifiersOf(world)).toEqual([
      'p/may/three.jpg',
      'p/new.jpg',
      'p/one.jpg',
      'p/one@2.jpg',
      'p/two.jpg',
    ]);
  });

  test('stores a renamed file before it deletes anything', async () => {
    const world = await openWorld({ with: 'app' });
    for (const name of ['one.jpg', 'two.jpg', 'may/three.jpg']) utimesSync(photo(world, name), 1e9, 1e9);
    const running = start(world, '--settle', '20', '--delete', '--yes');
    await eventually(() => expect(running.stderr()).toBe('Waiting for changes in photos.\n'));
    writeFileSync(photo(world, 'new.jpg'), 'new');
    await eventually(() => expect(running.stdout()).toContain('p/new.jpg: stored\n'));
    renameSync(photo(world, 'one.jpg'), photo(world, 'renamed.jpg'));
    rmSync(photo(world, 'two.jpg'));
    await eventually(() => expect(running.stdout()).toMatch(/, 2 deleted$/m));
    running.kill('SIGINT');
    await running.ended;
    const lines = running.stdout().split('\n');
    const [storedAt, deletedAt] = ['p/renamed.jpg: stored', 'p/one.jpg: has no file any more'].map((line) =>
      lines.indexOf(line),
    );
    expect(storedAt).toBeGreaterThan(0);
    expect(deletedAt).toBeGreaterThan(storedAt ?? 0);
    expect(running.stderr()).toBe('Waiting for changes in photos.\n');
    expect(await identifiersOf(world)).toEqual(['p/may/three.jpg', 'p/new.jpg', 'p/renamed.jpg']);
  });

  test('follows a link to its new target', async () => {
    const world = await openWorld({ with: 'app' });
    const at = (name: string) => join(world.files, name);
    renameSync(at('photos'), at('release-1'));
    symlinkSync('release-1', at('photos'));
    const running = start(world);
    await eventually(() => expect(running.stderr()).toBe('Waiting for changes in photos.\n'));
    mkdirSync(at('release-2'));
    writeFileSync(at('release-2/first.jpg'), 'new');
    unlinkSync(at('photos'));
    symlinkSync('release-2', at('photos'));
    await eventually(() => expect(running.stdout()).toContain('p/first.jpg: stored\n'));
    running.kill('SIGINT');
    expect(await running.ended).toBe(0);
  });

  test('goes on after a temporary failure', async () => {
    const world = await openWorld({ with: 'app' });
    await world.call('transfers.pause', { which: 'all' });
    const running = start(world, '--wait', '0', '--every', '1');
    await eventually(() => expect(running.stderr()).toContain('Transfers are paused.'));
    await world.call('transfers.resume', { which: 'all' });
    await eventually(async () => expect(await identifiersOf(world)).toHaveLength(3));
    running.kill('SIGTERM');
    expect([0, 143]).toContain(await running.ended);
  });

  test('--list shows the folders that the window watches, and their state', async () => {
    let chosen = '';
    const world = await openWorld({ with: 'app', app: { dialogs: { openFolders: async () => [chosen] } } });
    const none = await coffer(world, 'watch', '--list');
    expect(none).toEqual({ code: 0, stdout: [], stderr: 'The window watches no folder.\n' });
    chosen = join(world.files, 'photos');
    const { services } = await world.call('services.list', undefined);
    const serviceId = services[0]?.id ?? '';
    const choices = {
      into: 'site-4',
      template: '{name}',
      classification: null,
      ifExists: 'ask',
      request: 'direct',
      ignore: ['*.tmp'],
      settleSeconds: 5,
    } satisfies WatchChoices;
    const { grant } = (await world.call('files.chooseOne', { purpose: 'watchedFolder' })) ?? { grant: '' };
    await world.call('watch.add', { serviceId, grant, choices, withExisting: false });
    await eventually(async () => {
      const { folders } = await world.call('watch.list', { serviceId });
      expect(folders[0]?.state).toBe('watching');
    });
    const [line] = (await coffer(world, 'watch', '--list')).stdout;
    expect(line).toMatch(/^watching {7}\S*photos {2}into site-4$/);
    const { stdout } = await coffer(world, 'watch', '--list', '--json');
    checkLines(stdout.join('\n'));
    const { settleSeconds: settle, ...told } = choices;
    expect(JSON.parse(stdout[0] ?? '')).toMatchObject({ name: 'photos', ...told, settle, state: 'watching' });
  });

  test('--list needs the list of the app', async () => {
    const world = await openWorld({ with: 'memory' });
    const ran = await coffer(world, 'watch', '--list');
    expect(ran).toMatchObject({ code: 2, stdout: [] });
    expect(ran.stderr).toContain('With COFFER_ADDRESS nothing is known of the window’s folders.');
  });

  test('what cannot be watched ends it at once', async () => {
    const world = await openWorld({ with: 'app' });
    for (const [words, code, said] of [
      [['watch'], 2, 'Say which folder of this computer to watch'],
      [['watch', 'photos', '--list'], 2, '--list takes no folder'],
      [['watch', 'nowhere', 'p'], 3, 'nowhere is not a folder'],
      [['watch', 'photos', 'p', '--delete'], 2, 'add --yes to --delete'],
      [['watch', 'photos', 'p', '--every', 'often'], 2, 'not a whole number of seconds'],
      [['watch', 'photos', 'p', '--service', 'Other'], 3, 'There is no service named Other'],
    ] as const) {
      const { stderr, ...ran } = await coffer(world, ...words);
      expect({ words, ...ran }).toEqual({ words, code, stdout: [] });
      expect(stderr).toContain(said);
    }
  });
});
