import { chmod, mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { AppFailure } from '../../shared/app-failure.ts';
import * as fs from '../local-files/fs.ts';
import * as hash8 from '../upload-plan/hash8.ts';
import * as existingFiles from './existing-files.ts';
import * as watchable from './watched-folder.ts';
import { serviceId } from '../../../test-support/main/transfers/world-acts.ts';
import { beginWatchWorld, choicesDefault } from '../../../test-support/main/watch/watch-world.ts';
import { createGrants } from '../local-files/grants.ts';

async function begin() {
  const watch = await beginWatchWorld();
  onTestFinished(() => watch.leave());
  onTestFinished(() => void vi.restoreAllMocks());
  const { clock } = watch.world;
  return { ...watch, clock, wait: (seconds: number) => clock.advance(seconds * 1000) };
}

test('uploads a file once it has not changed for the settle time', async () => {
  const { add, write, stored, wait, list } = await begin();
  await add();
  await write('a.txt', 'one');
  await wait(8);
  await write('a.txt', 'one two');
  await wait(6);
  expect(stored()).toEqual({});
  await wait(6);
  expect(stored()).toEqual({ 'a.txt': 'one two' });
  const [folder] = await list();
  expect(folder).toMatchObject({ state: 'watching', uploads: 1, settling: 0, skippedCount: 0 });
  await wait(600);
  expect(await list()).toEqual([folder]);
});

test('makes identifiers of the relative path, the template and the target folder', async () => {
  const { add, write, stored, wait } = await begin();
  await add({ into: 'imaging/site-04', template: 'x/{path}' });
  await write('may/a.jpg', 'A');
  await write('b.jpg', 'B');
  await wait(20);
  expect(stored()).toEqual({ 'imaging/site-04/x/b.jpg': 'B', 'imaging/site-04/x/may/a.jpg': 'A' });
});

test('uploads files with the same identifier one after the other', async () => {
  const { add, write, stored, wait } = await begin();
  await add({ template: '{name}', ifExists: 'keepBoth' });
  await write('may/a.jpg', 'May');
  await write('june/a.jpg', 'June');
  await wait(60);
  expect(Object.values(stored()).toSorted()).toEqual(['June', 'May']);
});

test('uploads existing files only when they change', async () => {
  const { add, write, stored, wait } = await begin();
  await write('old.txt', 'old');
  await write('changed.txt', 'old');
  await add({}, false);
  await wait(60);
  expect(stored()).toEqual({});
  await write('changed.txt', 'new');
  await write('new.txt', 'new');
  await wait(20);
  expect(stored()).toEqual({ 'changed.txt': 'new', 'new.txt': 'new' });
});

test.each(['opendir', 'lstat'] as const)(
  'does not add a folder whose drive is disconnected while it is read (%s)',
  async (call) => {
    const { add, write, stored, wait, list } = await begin();
    await write('a.txt', 'A');
    await write('sub/b.txt', 'B');
    const gone = Object.assign(new Error('gone'), { code: 'ENOENT' });
    const reading = vi.spyOn(fs, call).mockRejectedValue(gone);
    await expect(add({}, false)).rejects.toMatchObject({
      error: { code: call === 'opendir' ? 'folderGone' : 'fileGone' },
    });
    reading.mockRestore();
    await wait(60);
    expect(await list()).toEqual([]);
    await add({}, false);
    await wait(60);
    expect(stored()).toEqual({});
  },
);

test('a restart sends nothing again', async () => {
  const { add, write, world, wait } = await begin();
  await add();
  await write('a.txt', 'A');
  await wait(20);
  const before = world.service.requests.length;
  await world.kill(3_600_000);
  await wait(60);
  expect(world.service.requests).toHaveLength(before);
});

test('leaves out unfinished downloads, ignored files and links', async () => {
  const { add, write, stored, wait, folder, list } = await begin();
  await add({ ignore: [...choicesDefault.ignore, 'build/', 'private'] });
  await write('.git/config', 'x');
  await write('~$report.docx', 'x');
  await write('film.mkv.part', 'x');
  await write('film.mkv', '');
  // Patterns match upper and lower case.
  for (const name of ['A.TMP', 'THUMBS.DB', 'Desktop.ini', 'b.Part', 'Build/in.bin']) await write(name, 'x');
  await write('build/out.bin', 'x');
  await write('a/private/x.txt', 'x');
  await write('empty.txt', '');
  await symlink('/etc/passwd', join(folder, 'link'));
  await wait(30);
  expect(stored()).toEqual({ 'empty.txt': '' });
  const [{ skipped } = { skipped: null }] = await list();
  expect(skipped).toEqual([{ path: 'link', problem: { code: 'symbolicLink' } }]);
  // The browser gives the file its name.
  await rename(join(folder, 'film.mkv.part'), join(folder, 'film.mkv'));
  await wait(30);
  expect(stored()).toEqual({ 'empty.txt': '', 'film.mkv': 'x' });
});

test('counts a file that cannot be sent, until it changes', async () => {
  const { add, write, stored, wait, list } = await begin();
  await add({ template: '..' });
  await write('a.txt', 'A');
  await wait(30);
  expect(await list()).toMatchObject([
    { skippedCount: 1, skipped: [{ path: 'a.txt', problem: { code: 'badIdentifier' } }], settling: 0 },
  ]);
  expect(stored()).toEqual({});
});

// Root may read everything, and on Windows no mode forbids it.
test.skipIf(process.getuid === undefined || process.getuid() === 0)(
  'counts unreadable files, and sends them once they can be read',
  async () => {
    const { add, write, stored, wait, list, folder } = await begin();
    await write('closed/b.txt', 'B');
    await write('a.txt', 'A');
    await chmod(join(folder, 'a.txt'), 0o000);
    await chmod(join(folder, 'closed'), 0o000);
    await add();
    await wait(30);
    const codes = (await list())[0]?.skipped.map(({ path, problem }) => `${path} ${problem.code}`);
    expect(codes?.toSorted()).toEqual(['a.txt unreadable', 'closed unreadableFolder']);
    await chmod(join(folder, 'a.txt'), 0o600);
    await chmod(join(folder, 'closed'), 0o700);
    await wait(30);
    expect(stored()).toEqual({ 'a.txt': 'A', 'closed/b.txt': 'B' });
  },
);

test('concludes nothing from a missing folder, and finds it again', async () => {
  const { add, write, stored, wait, list, disconnect, connect, world } = await begin();
  await add();
  await write('a.txt', 'A');
  await wait(20);
  const before = world.service.requests.length;
  await disconnect();
  await wait(60);
  expect(await list()).toMatchObject([{ state: 'away', uploads: 1 }]);
  await connect();
  await wait(60);
  expect(await list()).toMatchObject([{ state: 'watching', uploads: 1 }]);
  expect(world.service.requests).toHaveLength(before);
  expect(stored()).toEqual({ 'a.txt': 'A' });
});

test('restarts uploads that failed because the drive was away', async () => {
  const { add, write, stored, wait, disconnect, connect, world } = await begin();
  await add();
  await world.settle(world.engine.actions.pause('all', true));
  await write('a.txt', 'A');
  await wait(20);
  await disconnect();
  await wait(20);
  await world.settle(world.engine.actions.pause('all', false));
  await wait(60);
  expect((await world.transfers()).map(({ state, error }) => `${state} ${error?.code}`)).toEqual([
    'failed fileGone',
  ]);
  await connect();
  await wait(60);
  expect(stored()).toEqual({ 'a.txt': 'A' });
  expect((await world.transfers()).map(({ state }) => state)).toEqual(['done']);
});

test('a moved folder keeps its record of known files', async () => {
  const { add, grant, write, stored, wait, list, disconnect, call, folder, world } = await begin();
  const id = await add();
  await write('a.txt', 'A');
  await wait(20);
  const before = world.service.requests.length;
  await disconnect();
  const elsewhere = `${folder} (away)`;
  await call((handlers) => handlers['watch.locate']({ id, grant: grant(elsewhere) }));
  await wait(60);
  expect(await list()).toMatchObject([{ name: 'watched (away)', state: 'watching', uploads: 1 }]);
  expect(world.service.requests).toHaveLength(before);
  await writeFile(join(elsewhere, 'b.txt'), 'B');
  await wait(20);
  expect(stored()).toEqual({ 'a.txt': 'A', 'b.txt': 'B' });
  const input = { id, grant: grant(join(world.folder, 'user data')) };
  await expect(call((handlers) => handlers['watch.locate'](input))).rejects.toMatchObject({
    error: { code: 'folderNotWatched' },
  });
});

test('another folder in its place waits for the person', async () => {
  const { add, write, wait, disconnect, list, call, world, stored, folder } = await begin();
  const id = await add();
  await write('a.txt', 'A');
  await wait(30);
  await disconnect();
  await wait(30);
  await mkdir(folder);
  await writeFile(join(folder, 'private.txt'), 'P');
  await wait(60);
  await world.kill(0);
  await wait(60);
  expect(await list()).toMatchObject([{ state: 'another' }]);
  expect(stored()).toEqual({ 'a.txt': 'A' });
  await call((handlers) => handlers['watch.setOn']({ id, isOn: true }));
  await wait(60);
  expect(await list()).toMatchObject([{ state: 'watching' }]);
  expect(stored()).toEqual({ 'a.txt': 'A', 'private.txt': 'P' });
});

test('files removed from the folder stay at the service and in the list', async () => {
  const { add, write, stored, wait, folder, world } = await begin();
  await add();
  await write('a.txt', 'A');
  await wait(20);
  await rm(join(folder, 'a.txt'));
  await wait(120);
  expect(stored()).toEqual({ 'a.txt': 'A' });
  expect((await world.rowOf('a.txt'))?.state).toBe('stored');
});

test('a newer state supersedes a waiting upload', async () => {
  const { add, write, stored, wait, world } = await begin();
  await add();
  await world.engine.actions.pause('all', true);
  for (const text of ['one', 'two', 'three']) {
    await write('a.txt', text);
    await wait(20);
  }
  expect(await world.transfers()).toHaveLength(1);
  await world.settle(world.engine.actions.pause('all', false));
  await wait(20);
  expect(stored()).toEqual({ 'a.txt': 'three' });
  expect((await world.transfers()).map(({ state }) => state)).toEqual(['done']);
});

test('a conflict prompt waits for its answer, and a newer state replaces it', async () => {
  const { add, write, stored, wait, world } = await begin();
  world.service.put('a.txt', Buffer.from('theirs'), 'stranger');
  await add({ ifExists: 'ask' });
  await write('a.txt', 'one');
  await wait(20);
  await write('a.txt', 'two');
  await wait(20);
  const [transfer] = await world.transfers();
  expect(transfer).toMatchObject({ identifier: 'a.txt', waitingFor: 'answer' });
  // The prompt does not open by itself.
  expect(await world.settle(world.engine.conflictPrompt(null))).toBeNull();
  const { summary } = await world.settle(world.engine.page({ tab: 'transfers', offset: 0, limit: 1 }));
  expect(summary.transfers).toMatchObject({ unanswered: 1, promptsToOpen: 0 });
  expect(await world.settle(world.engine.conflictPrompt(transfer?.id ?? 0))).toMatchObject({
    identifier: 'a.txt',
  });
  const answer = { transferId: transfer?.id ?? 0, answer: 'keepBoth', applyToAll: false } as const;
  await world.settle(world.engine.actions.answer(answer));
  await wait(20);
  expect(Object.values(stored()).toSorted()).toEqual(['theirs', 'two']);
});

test('an answer for all covers either the prompts of watched folders or the others', async () => {
  const { add, write, stored, wait, world } = await begin();
  for (const name of ['a.txt', 'b.txt', 'mine.txt', 'other.txt'])
    world.service.put(name, Buffer.from('theirs'), 'stranger');
  await add({ ifExists: 'ask' });
  await write('a.txt', 'watched');
  await write('b.txt', 'watched');
  for (const name of ['mine.txt', 'other.txt']) await world.upload(name, { text: 'asked', ifExists: 'ask' });
  await wait(20);
  const answerAll = async (transferId: number) => {
    const answer = { transferId, answer: 'replace', applyToAll: true } as const;
    await world.settle(world.engine.actions.answer(answer));
    await wait(300);
  };
  const prompt = await world.settle(world.engine.conflictPrompt(null));
  expect(prompt).toMatchObject({ identifier: 'mine.txt', waiting: 2 });
  await answerAll(prompt?.transferId ?? 0);
  expect(stored()).toEqual({
    'a.txt': 'theirs',
    'b.txt': 'theirs',
    'mine.txt': 'asked',
    'other.txt': 'asked',
  });
  const [transfer] = (await world.transfers()).filter(({ waitingFor }) => waitingFor === 'answer');
  const watched = await world.settle(world.engine.conflictPrompt(transfer?.id ?? 0));
  expect(watched?.waiting).toBe(2);
  await answerAll(transfer?.id ?? 0);
  expect(stored()).toMatchObject({ 'a.txt': 'watched', 'b.txt': 'watched' });
});

for (const how of ['never listed', 'taken off the list'])
  test(
    `a Replace asks if the list does not know the classification (${how})`,
    { tags: how === 'never listed' ? 'all' : [] },
    async () => {
      const { add, write, stored, wait, world } = await begin();
      const { service, database } = world;
      service.put('a.txt', Buffer.from('theirs'), 'stranger', 'Confidential');
      await add({ ifExists: 'replace', classification: 'Public' });
      if (how === 'taken off the list') {
        const patch = { state: 'stored', lengthBytes: 6, classification: 'Confidential' } as const;
        await database.catalogue.add(serviceId, [{ kind: 'data', identifier: 'a.txt', patch }]);
        await world.settle(world.engine.actions.pause('all', true));
      }
      await write('a.txt', 'mine');
      await wait(60);
      if (how === 'taken off the list') {
        await database.catalogue.remove([(await world.rowOf('a.txt'))?.id ?? 0]);
        await world.settle(world.engine.actions.pause('all', false));
      }
      await wait(300);
      expect(stored()).toEqual({ 'a.txt': 'theirs' });
      const [transfer] = await world.transfers();
      expect(transfer).toMatchObject({ identifier: 'a.txt', waitingFor: 'answer' });
      const answer = { transferId: transfer?.id ?? 0, answer: 'replace', applyToAll: false } as const;
      await world.settle(world.engine.actions.answer(answer));
      await wait(300);
      expect(stored()).toEqual({ 'a.txt': 'mine' });
      // From then on it is known.
      await write('a.txt', 'newer');
      await wait(300);
      expect(stored()).toEqual({ 'a.txt': 'newer' });
    },
  );

test('sends nothing while switched off, and what changed meanwhile once on again', async () => {
  const { add, write, stored, wait, list, call } = await begin();
  const id = await add();
  await call((handlers) => handlers['watch.setOn']({ id, isOn: false }));
  await write('a.txt', 'A');
  await wait(60);
  expect(await list()).toMatchObject([{ state: 'off' }]);
  expect(stored()).toEqual({});
  await call((handlers) => handlers['watch.setOn']({ id, isOn: true }));
  await wait(20);
  expect(stored()).toEqual({ 'a.txt': 'A' });
});

test('applies changed choices from then on', async () => {
  const { add, write, stored, wait, call } = await begin();
  const id = await add();
  await write('a.txt', 'A');
  await write('b.log', 'B');
  await wait(20);
  const choices = { ...choicesDefault, into: 'later', ignore: ['*.log'] };
  await call((handlers) => handlers['watch.change']({ id, choices }));
  await write('c.txt', 'C');
  await write('d.log', 'D');
  await wait(20);
  expect(stored()).toEqual({ 'a.txt': 'A', 'b.log': 'B', 'later/c.txt': 'C' });
});

test('stops following a removed folder and forgets its files', async () => {
  const { add, write, wait, list, call, world, stored } = await begin();
  const id = await add();
  await write('a.txt', 'A');
  await wait(20);
  await call((handlers) => handlers['watch.remove']({ id }));
  await write('b.txt', 'B');
  await wait(60);
  expect(await list()).toEqual([]);
  expect(stored()).toEqual({ 'a.txt': 'A' });
  expect(await world.database.watched.of(id)).toEqual([]);
});

test('keeps existing files known while another folder is removed', async () => {
  const { add, write, wait, world, call, stored } = await begin();
  const other = join(world.folder, 'other');
  await mkdir(other);
  const id = await add({}, true, other);
  await write('old.txt', 'old');
  await Promise.all([add({}, false), call((handlers) => handlers['watch.remove']({ id }))]);
  await wait(60);
  expect(stored()).toEqual({});
});

test('sends nothing to another address of the service until the person agrees', async () => {
  const { add, write, wait, list, call, world, stored } = await begin();
  const id = await add();
  await wait(20);
  await world.move(false);
  await write('a.txt', 'A');
  await wait(60);
  expect(await list()).toMatchObject([{ state: 'moved' }]);
  expect(stored()).toEqual({});
  await call((handlers) => handlers['watch.setOn']({ id, isOn: true }));
  await wait(20);
  expect(stored()).toEqual({ 'a.txt': 'A' });
});

test('sends all files again to a new address, including those cancelled with the former one', async () => {
  const { add, write, wait, call, world, stored } = await begin();
  const id = await add();
  await write('done.txt', 'done');
  await wait(20);
  await world.settle(world.engine.actions.pause('all', true));
  await write('waits.txt', 'waits');
  await wait(20);
  await world.move(false);
  await world.settle(world.engine.actions.pause('all', false));
  await world.settle(world.engine.actions.clear('transfers', 'done'));
  await call((handlers) => handlers['watch.setOn']({ id, isOn: true }));
  await wait(60);
  expect(stored()).toEqual({ 'done.txt': 'done', 'waits.txt': 'waits' });
});

test('continues when the service gets its former address back', async () => {
  const { add, write, wait, list, world, stored } = await begin();
  await add();
  await wait(20);
  const away = vi.spyOn(world, 'service', 'get').mockReturnValue(world.services[1]);
  await write('a.txt', 'A');
  await wait(20);
  expect(await list()).toMatchObject([{ state: 'moved', settling: 0 }]);
  away.mockRestore();
  await wait(20);
  expect(stored()).toEqual({ 'a.txt': 'A' });
});

test('continues if the service had another address at the start', async () => {
  const { add, write, wait, list, world, stored } = await begin();
  await add();
  await wait(20);
  const away = vi.spyOn(world, 'service', 'get').mockReturnValue(world.services[1]);
  await world.kill(0);
  await wait(20);
  expect(await list()).toMatchObject([{ state: 'moved' }]);
  away.mockRestore();
  await write('a.txt', 'A');
  await wait(20);
  expect(stored()).toEqual({ 'a.txt': 'A' });
});

test('reports a failure until it succeeds', async () => {
  const { add, write, wait, list, world, stored } = await begin();
  await add();
  await write('a.txt', 'A');
  const error = { code: 'diskFull', folderName: 'Coffer' } as const;
  const enqueuing = vi.spyOn(world.engine.enqueue, 'uploads').mockRejectedValue(new AppFailure(error));
  await wait(20);
  expect(await list()).toMatchObject([{ state: 'watching', error }]);
  enqueuing.mockRestore();
  await wait(60);
  expect(await list()).toMatchObject([{ state: 'watching', error: null }]);
  expect(stored()).toEqual({ 'a.txt': 'A' });
});

test('retries after failing to load what it needs before reading', async () => {
  const { add, write, wait, list, stored } = await begin();
  await write('a.txt', 'A');
  const asking = vi.spyOn(existingFiles, 'ignoresOf').mockRejectedValue(new Error('broken'));
  await add();
  await wait(20);
  expect(await list()).toMatchObject([{ state: 'watching', error: { code: 'unexpected' } }]);
  asking.mockRestore();
  await wait(60);
  expect(stored()).toEqual({ 'a.txt': 'A' });
});

test('refuses folders that cannot be watched', async () => {
  const { add, folder, world, call } = await begin();
  const refused = async (path: string) =>
    expect(add({}, true, path)).rejects.toMatchObject({ error: { code: 'folderNotWatched' } });
  await writeFile(join(folder, 'file'), '');
  await mkdir(join(folder, 'inside'));
  await refused(join(folder, 'file'));
  await refused(join(folder, 'nowhere'));
  await refused(world.folder);
  await refused(join(world.folder, 'user data'));
  await mkdir(join(world.folder, 'downloads', 'reports'), { recursive: true });
  await refused(join(world.folder, 'downloads'));
  await refused(join(world.folder, 'downloads', 'reports'));
  await add({}, true, folder);
  await refused(folder);
  await refused(join(folder, 'inside'));
  await symlink(folder, join(world.folder, 'link'));
  await refused(join(world.folder, 'link'));
  await expect(add({ ignore: ['[z-a]'] }, true, folder)).rejects.toMatchObject({
    error: { field: 'ignore' },
  });
  await expect(add({ template: '{nope}' })).rejects.toMatchObject({ error: { field: 'template' } });
  const [grant = ''] = createGrants().grant([folder]);
  const input = { serviceId, grant, ignore: [] };
  await expect(call((handlers) => handlers['watch.inspect'](input))).rejects.toMatchObject({
    error: { code: 'notFound' },
  });
});

test('a drive that hangs while its folder is added holds up neither other folders nor quitting', async () => {
  const { folder, grant, watches, list, call, world, write, stored, wait } = await begin();
  const { handlers } = watches();
  const looking = vi.spyOn(watchable, 'requireWatchable');
  looking.mockReturnValueOnce(new Promise(() => undefined));
  const adding = async (path: string) =>
    handlers['watch.add']({ serviceId, grant: grant(path), choices: choicesDefault, withExisting: false });
  const hanging = adding(join(world.folder, 'drive')).catch((cause: unknown) => cause);
  // Adding the same folder again is refused meanwhile.
  await mkdir(join(world.folder, 'drive'));
  await expect(call(() => adding(join(world.folder, 'drive')))).rejects.toMatchObject({
    error: { code: 'folderNotWatched', problem: 'same' },
  });
  const { id } = await call(() => adding(folder));
  await write('a.txt', 'A');
  await wait(20);
  expect(stored()).toEqual({ 'a.txt': 'A' });
  await call(() => handlers['watch.remove']({ id }));
  expect(await list()).toEqual([]);
  await world.settle(watches().close());
  expect(await hanging).toMatchObject({ name: 'AbortError' });
});

test('switching off does not wait for files that are read for their names', async () => {
  const { add, write, wait, call, list, world } = await begin();
  const hashing = vi.spyOn(hash8, 'hash8Of').mockReturnValue(new Promise(() => undefined));
  const id = await add({ template: '{hash8}' });
  await write('a.txt', 'A');
  await wait(20);
  expect(hashing).toHaveBeenCalledOnce();
  await call((handlers) => handlers['watch.setOn']({ id, isOn: false }));
  expect(await list()).toMatchObject([{ state: 'off' }]);
  expect(world.service.requests).toEqual([]);
});
