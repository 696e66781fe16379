import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openProcessWorld, type ProcessWorld } from '../../test-support/command/process-world.ts';
import { atOnce } from './objects/find-objects.ts';
import { eventually } from '../../test-support/eventually.ts';

const hasKeychain = process.platform === 'linux' && process.env['DBUS_SESSION_BUS_ADDRESS'] !== undefined;

function writeFiles({ files }: ProcessWorld, count: number): string[] {
  return Array.from({ length: count }, (_, index) => {
    const name = `${index}.txt`;
    writeFileSync(join(files, name), `${name} `.repeat(1000));
    return name;
  });
}

/** Expects each file to be stored exactly once, and nothing else. */
function expectStored({ service, files }: ProcessWorld, names: readonly string[]): void {
  expect([...service.objects.keys()].toSorted()).toEqual(names.toSorted());
  for (const name of names)
    expect(service.objects.get(name)?.bytes.equals(readFileSync(join(files, name)))).toBe(true);
}

async function expectListed({ look }: ProcessWorld, names: readonly string[]): Promise<void> {
  const { stdout } = await look('ls', '--json');
  const rows = stdout.trim().split('\n');
  const listed = rows.map((line) => JSON.parse(line) as { identifier: string; state: string });
  expect(listed.map(({ identifier, state }) => `${identifier} ${state}`).toSorted()).toEqual(
    names.map((name) => `${name} stored`).toSorted(),
  );
}

/** Holds the answers to uploads until `go`. */
function holdUploads({ service }: ProcessWorld): { begun: () => Promise<void>; go: () => void } {
  let holds = true;
  service.plan = ({ method }) => (method === 'POST' ? { holdRequest: () => !holds } : null);
  return {
    begun: () => eventually(() => expect(service.openUploads()).toBeGreaterThan(0)),
    go: () => (holds = false),
  };
}

describe.skipIf(!hasKeychain)('commands and the app share one data folder', () => {
  test('parallel commands share the list; the first serves the others until they end', async () => {
    const world = await openProcessWorld({ isReal: false });
    const names = writeFiles(world, 6);
    const { begun, go } = holdUploads(world);
    const args = ['--if-exists', 'version'];
    const first = world.coffer('put', ...names.slice(0, 3), ...args);
    await begun();
    const others = [names.slice(2, 5), names.slice(3)].map((some) => world.coffer('put', ...some, ...args));
    const listing = world.coffer('transfers', '--json');
    expect((await listing.ended).stdout).toContain('0.txt');
    go();
    const ended = await Promise.all([first, ...others].map((each) => each.ended));
    expect(ended.map(({ code, stderr }) => ({ code, stderr }))).toEqual(
      ended.map(() => ({ code: 0, stderr: '' })),
    );
    expectStored(world, names);
    await expectListed(world, names);
  });

  test('uploads more files than one call accepts', { tags: 'all' }, async () => {
    const world = await openProcessWorld({ isReal: false });
    const names = writeFiles(world, atOnce + 1);
    const { code, stderr } = await world.coffer('put', ...names).ended;
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expectStored(world, names);
  });

  test('an interrupted command names the command that continues; after a kill, followers report that it is gone', async () => {
    const world = await openProcessWorld();
    const names = writeFiles(world, 2);
    const { begun, go } = holdUploads(world);
    const first = world.coffer('put', '0.txt');
    await begun();
    const [interrupted, left] = [world.here('put', '1.txt'), world.here('transfers', '--follow')];
    await eventually(() => expect(world.service.openUploads()).toBe(2));
    // The other command does the work.
    await eventually(() => expect(left.stdout()).toContain('0.txt'));
    interrupted.interrupt();
    const other =
      'It continues with the command that is doing the work, then with the next one, or when the app starts.';
    expect(await interrupted.ended).toMatchObject({ code: 130, stderr: `1.txt: Not finished. ${other}\n` });
    first.kill();
    expect(await left.ended).toMatchObject({
      code: 5,
      stderr: expect.stringContaining('The command that was doing the work ended before this had finished.'),
    });
    // While it ends, its socket may still accept the next command.
    await first.ended;
    go();
    expect((await world.look('transfers', '--follow')).code).toBe(0);
    expectStored(world, names);
    await expectListed(world, names);
  });

  test('the app takes over the work of a running command', async () => {
    const world = await openProcessWorld();
    const names = writeFiles(world, 3);
    const { begun, go } = holdUploads(world);
    const put = world.here('put', ...names);
    await begun();
    const app = await world.openApp();
    const { code, stderr } = await put.ended;
    expect(code).toBe(5);
    expect(stderr.trim().split('\n').toSorted()).toEqual(
      names.map((name) => `${name}: Not finished. It continues in the app.`),
    );
    go();
    expect((await world.look('transfers', '--follow')).code).toBe(0);
    const again = await world.look('put', ...names);
    expect(again).toMatchObject({ code: 0, stderr: '' });
    expectStored(world, names);
    await expectListed(world, names);
    // The app keeps the folder: a second one is refused.
    await expect(world.openApp()).rejects.toThrow('dataFolderInUse');
    await app.close();
  });

  test('the next command finishes the work of a killed one', { tags: 'all' }, async () => {
    const world = await openProcessWorld();
    const names = writeFiles(world, 3);
    const { begun, go } = holdUploads(world);
    const put = world.coffer('put', ...names);
    await begun();
    put.kill();
    expect((await put.ended).code).toBeNull();
    go();
    expect((await world.coffer('transfers', '--follow').ended).code).toBe(0);
    expectStored(world, names);
    await expectListed(world, names);
  });

  test(
    'a command reports that the app was killed, and the next start finishes the work',
    { tags: 'all' },
    async () => {
      const world = await openProcessWorld();
      const names = writeFiles(world, 3);
      const app = await world.openApp();
      const { begun, go } = holdUploads(world);
      const put = world.look('put', ...names);
      await begun();
      app.kill();
      expect(await put).toEqual({
        code: 5,
        stdout: '',
        stderr:
          'Error: The app quit before this had finished. What it had begun continues when it starts again.\n',
      });
      go();
      const next = await world.openApp();
      await eventually(() => expectStored(world, names));
      expect((await world.look('transfers', '--follow')).code).toBe(0);
      await expectListed(world, names);
      await next.close();
    },
  );
});
