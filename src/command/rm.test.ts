import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startFaultServer, type Fault, type FaultyRequest } from '../../e2e/faults/fault-server.ts';
import { openProcessWorld } from '../../test-support/command/process-world.ts';
import { startInMemory } from '../../test-support/command/in-process.ts';
import { checkLines } from '../../test-support/command/json-schemas.ts';
import { createQuickClock, makeTestFolder } from '../../test-support/main/test-ports.ts';

/** A service with `a` and `b`, and `coffer rm` with `COFFER_ADDRESS`, whose ten minutes pass in a second or two. */
async function openWith(plan: (request: FaultyRequest) => Fault | null) {
  const files = await makeTestFolder();
  const service = await startFaultServer({ plan });
  onTestFinished(() => service.close());
  for (const name of ['a', 'b'])
    service.objects.set(name, { bytes: Buffer.from('stored'), classification: null });
  const { PATH } = process.env;
  const env = { PATH, HOME: files, COFFER_ADDRESS: service.baseAddress, COFFER_TOKEN: service.token };
  const remove = async (...words: string[]) => {
    const running = startInMemory(['rm', '--yes', '--wait', '3600', ...words], {
      cwd: files,
      env,
      clock: createQuickClock(500),
    });
    running.end();
    return { code: await running.ended, stdout: running.stdout(), stderr: running.stderr() };
  };
  const sent = (method: string) => service.requests.filter((request) => request.method === method).length;
  return { remove, service, sent };
}

const html = { 'content-type': 'text/html' };
const accepted = '{"success":true,"status":200,"message":"deletion initiated","activityToken":"t"}';
const refused = '{"success":false,"status":500,"message":"no","activityToken":"t"}';
const toDelete = (fault: Fault) => (request: FaultyRequest) =>
  request.method === 'DELETE' && request.identifier === 'a' ? fault : null;

test('requests an object that stays, and does not say deleted', async () => {
  const { remove, service, sent } = await openWith(toDelete({ status: 200, body: accepted }));
  const ended = await remove('a', 'b');
  expect(ended).toEqual({
    code: 5,
    stdout: '1 deleted, 1 requested and still there\n',
    stderr: expect.stringMatching(/^a: Not deleted yet\./),
  });
  expect([...service.objects.keys()]).toEqual(['a']);
  expect(sent('DELETE')).toBe(2);
});

test('JSON tells the two apart', async () => {
  const { remove } = await openWith(toDelete({ status: 200, body: accepted }));
  const { code, stdout } = await remove('a', 'b', '--json');
  checkLines(stdout);
  expect(code).toBe(5);
  expect(JSON.parse(stdout)).toMatchObject({
    deleted: 1,
    requested: 1,
    failed: 0,
    failures: [{ identifier: 'a', error: 'stillThere' }],
  });
});

test('a deletion that takes its time is deleted', async () => {
  let looks = 0;
  const { remove, service } = await openWith(({ method, identifier }) => {
    if (identifier !== 'a') return null;
    if (method === 'DELETE') return { status: 200, body: accepted };
    if (method === 'HEAD' && service.requests.some((request) => request.method === 'DELETE')) looks += 1;
    if (looks === 7) service.objects.delete('a');
    return null;
  });
  expect(await remove('a')).toEqual({ code: 0, stdout: '1 deleted\n', stderr: '' });
});

describe.each<[string, Fault]>([
  ['a web page', { status: 200, headers: html, body: '<title>Sign in</title>' }],
  ['success: false', { status: 200, body: refused }],
  ['other JSON', { status: 200, body: '{"error":"no"}' }],
  ['nothing', { status: 200 }],
  ['202', { status: 202, body: accepted }],
  ['204', { status: 204 }],
])('DELETE answered with %s', (_name, fault) => {
  test('is a failure', async () => {
    const { remove, service, sent } = await openWith(toDelete(fault));
    const { code, stdout, stderr } = await remove('a', 'b');
    expect({ code, stdout }).toEqual({ code: 8, stdout: '1 deleted\n' });
    expect(stderr).toMatch(/^a: This doesn’t look like the service/);
    expect([...service.objects.keys()]).toEqual(['a']);
    expect(sent('DELETE')).toBe(2);
  });

  test('says deleted if it is gone', async () => {
    const { remove, service } = await openWith((request) => {
      const answer = toDelete(fault)(request);
      return answer && { ...answer, beforeAnswer: async () => void service.objects.delete('a') };
    });
    expect(await remove('a')).toEqual({ code: 0, stdout: '1 deleted\n', stderr: '' });
  });
});

test.each([302, 405, 409])('DELETE answered %i deletes nothing', async (status) => {
  const { remove, service } = await openWith(toDelete({ status, headers: { location: '/login' } }));
  expect(await remove('a')).toMatchObject({ code: 1, stdout: '0 deleted\n' });
  expect(service.objects.has('a')).toBe(true);
});

describe('an answer to DELETE that is lost', () => {
  test('says deleted if it is gone', async () => {
    const { remove, sent } = await openWith(toDelete({ cutAnswerAtBytes: 0 }));
    expect(await remove('a')).toEqual({ code: 0, stdout: '1 deleted\n', stderr: '' });
    expect(sent('DELETE')).toBe(1);
  });

  test('does not say deleted if it stays', async () => {
    const { remove, sent } = await openWith(toDelete({ cutRequestAtBytes: 0 }));
    const { code, stdout, stderr } = await remove('a');
    expect({ code, stdout }).toEqual({ code: 1, stdout: '0 deleted\n' });
    expect(stderr).toContain('a: Deletion not confirmed.');
    expect(sent('DELETE')).toBe(1);
  });
});

const hasKeychain = process.platform === 'linux' && process.env['DBUS_SESSION_BUS_ADDRESS'] !== undefined;

describe.skipIf(!hasKeychain)('sync --delete', () => {
  /** A synchronised folder, of which the service keeps `gone.txt`. */
  async function openSynchronised(fault: Fault) {
    const world = await openProcessWorld({ isReal: false, clock: createQuickClock(500) });
    const folder = join(world.files, 'folder');
    mkdirSync(folder);
    for (const name of ['gone.txt', 'stays.txt']) writeFileSync(join(folder, name), name);
    expect((await world.look('sync', 'folder', 'f')).code).toBe(0);
    rmSync(join(folder, 'gone.txt'));
    world.service.plan = ({ method }) => (method === 'DELETE' ? fault : null);
    return world;
  }

  test('tells what is requested from what is deleted', async () => {
    const world = await openSynchronised({ status: 200, body: accepted });
    const { code, stdout, stderr } = await world.look(
      'sync',
      'folder',
      'f',
      '--delete',
      '--yes',
      '--settle',
      '0',
    );
    expect({ code, stdout }).toEqual({
      code: 5,
      stdout:
        'f/gone.txt: has no file any more\n0 stored, 1 unchanged, 0 deleted, 1 requested to be deleted and still there\n',
    });
    expect(stderr).toMatch(/^f\/gone\.txt: Not deleted yet\./);
    const again = await world.look('sync', 'folder', 'f', '--delete', '--yes', '--settle', '0', '--json');
    checkLines(again.stdout);
    expect(again.stdout).toContain('"deleted":0,"requested":1,"kept":0,"failed":0');
  });

  test('fails on an answer that is no success', async () => {
    const world = await openSynchronised({ status: 200, body: refused });
    const { code, stdout, stderr } = await world.look(
      'sync',
      'folder',
      'f',
      '--delete',
      '--yes',
      '--settle',
      '0',
    );
    expect({ code, stdout }).toEqual({
      code: 1,
      stdout: 'f/gone.txt: has no file any more\n0 stored, 1 unchanged, 0 deleted\n',
    });
    expect(stderr).toMatch(/^f\/gone\.txt: This doesn’t look like the service\./);
    expect(world.service.objects.has('f/gone.txt')).toBe(true);
  });
});
