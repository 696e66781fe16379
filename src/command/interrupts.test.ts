import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openWorld } from '../../test-support/command/command-world.ts';
import { openProcessWorld, type ProcessWorld } from '../../test-support/command/process-world.ts';
import { runLine } from '../../test-support/command/run-line.ts';
import { eventually } from '../../test-support/eventually.ts';

const hasKeychain = process.platform === 'linux' && process.env['DBUS_SESSION_BUS_ADDRESS'] !== undefined;
/** More than may be under way at once, and those that are answered. */
const count = 120;
const answered = 20;

/** Stores `count` objects; the service then answers only the first `answered` requests with `method`. Returns the names. */
async function storeMany(world: ProcessWorld, method: string): Promise<string[]> {
  const names = Array.from({ length: count }, (_, index) => `${index}.txt`);
  for (const name of names) writeFileSync(join(world.files, name), name);
  expect((await world.coffer('put', ...names).ended).code).toBe(0);
  let seen = 0;
  world.service.requests.splice(0);
  world.service.plan = (request) => {
    if (request.method !== method) return null;
    seen += 1;
    return seen > answered ? { delayMs: 600_000 } : null;
  };
  return names;
}

const sent = ({ service }: ProcessWorld, method: string) =>
  service.requests.filter((request) => request.method === method).length;

describe.skipIf(!hasKeychain)('interrupts', () => {
  test('rm stops and reports its progress, and nothing resumes it', async () => {
    const world = await openProcessWorld({ isReal: false });
    const names = await storeMany(world, 'DELETE');
    const rm = world.coffer('rm', '--yes', ...names);
    await eventually(() => expect(sent(world, 'DELETE')).toBeGreaterThan(answered));
    rm.interrupt();
    const { code, stdout, stderr } = await rm.ended;
    expect({ code, stdout }).toEqual({ code: 130, stdout: '' });
    expect(stderr).toMatch(
      new RegExp(
        `(^|\\n)\\d+ of ${count} deleted, (\\d+ requested and not confirmed, )?\\d+ failed or not answered, the rest were not started\\.\\n$`,
      ),
    );
    // Wait until its last requests have arrived.
    await eventually(() => expect(world.service.openConnections()).toBe(0));
    const begun = sent(world, 'DELETE');
    world.service.plan = () => null;
    for (const words of [['ls'], ['transfers', '--follow'], ['cancel']])
      expect((await world.coffer(...words).ended).code).toBe(0);
    expect(sent(world, 'DELETE')).toBe(begun);
    expect(begun).toBeLessThan(count);
  });

  test('check stops and reports its progress', async () => {
    const world = await openProcessWorld({ isReal: false });
    const names = await storeMany(world, 'HEAD');
    const check = world.coffer('check', ...names);
    await eventually(() => expect(sent(world, 'HEAD')).toBeGreaterThan(answered));
    check.interrupt();
    expect(await check.ended).toEqual({
      code: 130,
      stdout: '',
      stderr: expect.stringMatching(new RegExp(`(^|\\n)\\d+ of ${count} checked, the rest were not\\.\n$`)),
    });
  });

  test('cancel stops a deletion of another command', async () => {
    const world = await openProcessWorld({ isReal: false });
    const names = await storeMany(world, 'DELETE');
    const rm = world.coffer('rm', '--yes', ...names);
    await eventually(() => expect(sent(world, 'DELETE')).toBeGreaterThan(answered));
    expect((await world.coffer('cancel').ended).code).toBe(0);
    expect(await rm.ended).toMatchObject({
      code: 130,
      stderr: expect.stringContaining('the rest were not started.'),
    });
    expect(sent(world, 'DELETE')).toBeLessThan(count);
  });

  test('transfers --follow ends silently at any time', async () => {
    const world = await openProcessWorld({ isReal: false });
    writeFileSync(join(world.files, 'a.txt'), 'a');
    world.service.plan = ({ method }) => (method === 'POST' ? { holdRequest: () => false } : null);
    const put = world.coffer('put', 'a.txt');
    await eventually(() => expect(world.service.openUploads()).toBe(1));
    for (let times = 0; times < 8; times += 1) {
      const following = world.coffer('transfers', '--follow');
      await eventually(() => expect(following.stdout()).toContain('a.txt'));
      following.interrupt();
      expect(await following.ended).toMatchObject({ code: 130, stderr: '' });
    }
    put.interrupt();
    await put.ended;
  });
});

describe.skipIf(process.platform !== 'linux')('interrupting an import', () => {
  test('keeps the lines read so far and prints their number', async ({ signal }) => {
    const world = await openWorld({ with: 'app' });
    const run = { cwd: world.files, env: world.env, signal };
    const more = Array.from({ length: 100_000 }, (_, index) => `{"identifier":"more/${index}"}\n`);
    writeFileSync(join(world.files, 'list.jsonl'), `{"cofferCatalogue":1}\n${more.join('')}`);
    const types = [[' lines', '\u0003'] as const];
    const { code, stdout } = await runLine('coffer import list.jsonl', { ...run, types });
    expect({ code, stdout }).toEqual({
      code: 130,
      stdout: expect.stringContaining('Stopped: what had been read is in the list'),
    });
    const added = Number(/^([\d,]+) added/m.exec(stdout)?.[1]?.replaceAll(',', ''));
    expect(added).toBeLessThan(more.length);
    const listed = await runLine('coffer ls more --json | wc -l', { ...run, types: null });
    expect(listed.stdout.trim()).toBe(String(added));
  });
});
