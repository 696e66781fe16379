import { mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { AppFailure } from '../../shared/app-failure.ts';
import * as smallFiles from '../local-files/small-files.ts';
import { serviceId } from '../../../test-support/main/transfers/world-acts.ts';
import { beginWatchWorld, choicesDefault } from '../../../test-support/main/watch/watch-world.ts';
import * as existingFiles from './existing-files.ts';

async function begin() {
  const watch = await beginWatchWorld();
  onTestFinished(() => watch.leave());
  onTestFinished(() => void vi.restoreAllMocks());
  const { world } = watch;
  return {
    ...watch,
    engine: world.engine,
    wait: (seconds: number) => world.clock.advance(seconds * 1000),
    pauseAll: (isPaused: boolean) => world.settle(world.engine.actions.pause('all', isPaused)),
  };
}

/** Begins with a file whose upload failed because its drive was away. */
async function beginAway() {
  const watch = await begin();
  const { add, write, wait, disconnect, pauseAll, world } = watch;
  const id = await add();
  await pauseAll(true);
  await write('a.txt', 'A');
  await wait(20);
  await disconnect();
  await wait(20);
  await pauseAll(false);
  await wait(60);
  expect(await world.transfers()).toMatchObject([{ state: 'failed', error: { code: 'fileGone' } }]);
  return { ...watch, id };
}

test('leaves an upload that the person has edited alone when its file changes', async () => {
  const { add, write, wait, world, engine } = await begin();
  await add({ classification: 'Public' });
  world.service.refuses = ({ what }) => (what === 'POST' ? { code: 'forbidden', status: 403 } : null);
  await write('a.txt', 'one');
  await wait(30);
  const [failed] = await world.transfers();
  world.setWeather({ kind: 'unreachable' });
  world.service.refuses = () => null;
  const edit = { id: failed?.id ?? 0, identifier: 'a.txt', classification: 'Confidential' };
  await world.settle(engine.actions.editAndRetry(edit));
  await wait(5);
  await write('a.txt', 'two');
  await wait(20);
  world.setWeather({ kind: 'fine' });
  await wait(300);
  expect(world.service.classificationOf('a.txt')).toBe('Confidential');
});

test('an upload that the person has paused stays paused when its file changes', async () => {
  const { add, write, wait, stored, world, engine, pauseAll } = await begin();
  await add();
  await pauseAll(true);
  await write('a.txt', 'one');
  await wait(20);
  const [upload] = await world.transfers();
  await world.settle(engine.actions.pause([upload?.id ?? 0], true));
  await pauseAll(false);
  await write('a.txt', 'two');
  await wait(60);
  expect(stored()).toEqual({});
  await world.settle(engine.actions.pause([upload?.id ?? 0], false));
  await wait(300);
  expect(stored()).toEqual({ 'a.txt': 'two' });
});

test('does not lose a file to be sent again if the transfer cannot be recorded', async () => {
  const { engine, connect, wait, stored } = await beginAway();
  const full = new AppFailure({ code: 'diskFull', folderName: 'Coffer' });
  vi.spyOn(engine.enqueue, 'uploads').mockRejectedValueOnce(full);
  await connect();
  await wait(300);
  expect(stored()).toEqual({ 'a.txt': 'A' });
});

test('does not lose a file to be sent again by a kill before the transfer is recorded', async () => {
  const { engine, connect, wait, stored, world } = await beginAway();
  const drop = engine.actions.drop.bind(engine.actions);
  const dropping = vi.spyOn(engine.actions, 'drop').mockImplementation(async (which) => {
    await drop(which);
    return new Promise(() => undefined);
  });
  await connect();
  await wait(300);
  expect(dropping).toHaveBeenCalledOnce();
  await world.kill(0);
  await wait(300);
  expect(stored()).toEqual({ 'a.txt': 'A' });
});

test('does not lose a file to be sent again while its name is not a valid identifier', async () => {
  const { connect, wait, stored, call, id, list } = await beginAway();
  await call((handlers) => handlers['watch.change']({ id, choices: { ...choicesDefault, template: '..' } }));
  await connect();
  await wait(120);
  expect(await list()).toMatchObject([{ skippedCount: 1 }]);
  await call((handlers) => handlers['watch.change']({ id, choices: choicesDefault }));
  await wait(300);
  expect(stored()).toEqual({ 'a.txt': 'A' });
});

test('a file from another drive in its place does not prevent a file from being sent', async () => {
  const { add, write, wait, disconnect, connect, stored, folder, pauseAll } = await begin();
  await add();
  await pauseAll(true);
  await write('1.jpg', 'card one');
  await wait(20);
  await disconnect();
  await mkdir(folder);
  await writeFile(join(folder, '1.jpg'), 'of card two');
  await pauseAll(false);
  await wait(60);
  expect(stored()).toEqual({});
  await rename(folder, `${folder} two`);
  await connect();
  await wait(300);
  expect(stored()).toEqual({ '1.jpg': 'card one' });
});

test('sends nothing to an address that is set while files are being sent', async () => {
  const { add, wait, world, folder, engine, list } = await begin();
  for (let index = 0; index < 600; index += 1) await writeFile(join(folder, `${String(index)}.txt`), 'text');
  const uploads = engine.enqueue.uploads.bind(engine.enqueue);
  vi.spyOn(engine.enqueue, 'uploads').mockImplementationOnce(async (...given) => {
    const ids = await uploads(...given);
    vi.spyOn(world, 'service', 'get').mockReturnValue(world.services[1]);
    return ids;
  });
  await add();
  await wait(60);
  expect(await list()).toMatchObject([{ state: 'moved' }]);
  expect(world.services[1].versions.size).toBe(0);
});

test('a service that is removed while a folder is added takes the folder with it', async () => {
  const { add, watches, list, world } = await begin();
  const listed = Promise.withResolvers<[]>();
  vi.spyOn(existingFiles, 'listAll').mockReturnValue(listed.promise);
  const adding = add({}, false).catch((cause: unknown) => cause);
  vi.spyOn(world, 'service', 'get').mockImplementation(() => {
    throw new AppFailure({ code: 'notFound', what: 'service' });
  });
  await world.settle(watches().removeService(serviceId));
  listed.resolve([]);
  expect(await adding).toMatchObject({ error: { code: 'notFound' } });
  vi.restoreAllMocks();
  expect(await list()).toEqual([]);
});

for (const template of ['{path}', '{hash8}'])
  test(
    `tries a locked file every ten minutes, named ${template}`,
    { tags: template === '{path}' ? 'all' : [] },
    async () => {
      const { add, write, wait, list, stored } = await begin();
      await add({ template });
      const busy = Object.assign(new Error('busy'), { code: 'EBUSY' });
      const reading = vi.spyOn(smallFiles, 'readSmallFile').mockRejectedValue(busy);
      await write('mail.pst', 'A');
      await wait(1500);
      expect(reading.mock.calls.length).toBeLessThan(5);
      expect(await list()).toMatchObject([{ settling: 0 }]);
      reading.mockRestore();
      await wait(660);
      expect(Object.values(stored())).toEqual(['A']);
    },
  );

test('leaves out downloads also if a link leads to their folder', async () => {
  const { add, wait, world, stored } = await begin();
  const outer = join(world.folder, 'outer');
  await mkdir(join(outer, 'downloads'), { recursive: true });
  await rm(join(world.folder, 'downloads'), { recursive: true, force: true });
  await symlink(join(outer, 'downloads'), join(world.folder, 'downloads'));
  await add({}, true, outer);
  await writeFile(join(outer, 'downloads', 'a.txt'), 'A');
  await writeFile(join(outer, 'b.txt'), 'B');
  await wait(60);
  expect(stored()).toEqual({ 'b.txt': 'B' });
});

test('does not accept another folder that is gone again', async () => {
  const { add, wait, call, disconnect, folder } = await begin();
  const id = await add();
  await wait(20);
  await disconnect();
  await mkdir(folder);
  await wait(60);
  await rm(folder, { recursive: true });
  await expect(call((handlers) => handlers['watch.setOn']({ id, isOn: true }))).rejects.toMatchObject({
    error: { code: 'folderGone' },
  });
});
