import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { FaultyRequest } from '../../e2e/faults/fault-server.ts';
import { newBytes, oldBytes, openBuildMachine } from '../../test-support/command/build-machine.ts';
import { startInMemory } from '../../test-support/command/in-process.ts';
import { startInPipe } from '../../test-support/command/start-command.ts';
import { eventually } from '../../test-support/eventually.ts';

const replace = ['put', 'a.txt', '--if-exists', 'replace'];
const stored = { code: 0, stdout: 'a.txt: stored\n', stderr: '' };

describe('a Replace with COFFER_ADDRESS alone', () => {
  test('leaves nothing behind', async () => {
    const machine = await openBuildMachine('a.txt');
    expect(await machine.coffer(replace)).toEqual(stored);
    expect(machine.bytesOf('a.txt')).toBe(newBytes('a.txt'));
    expect(machine.left()).toEqual([]);
  });

  test.each(['GET', 'POST'])(
    'interrupted before it deletes anything, in a %s, restores the old state',
    async (method) => {
      const machine = await openBuildMachine('a.txt');
      const { service } = machine;
      service.plan = (request) => (request.method === method ? { delayMs: 600_000 } : null);
      const running = startInMemory(replace, machine.run);
      await eventually(() =>
        expect(service.requests.some((request) => request.method === method)).toBe(true),
      );
      service.plan = () => null;
      running.kill('SIGINT');
      expect(await running.ended).toBe(130);
      expect(running.stderr()).toBe('a.txt: Not finished. It was given up.\n');
      expect([...service.objects.keys()]).toEqual(['a.txt']);
      expect(machine.bytesOf('a.txt')).toBe(oldBytes('a.txt'));
      expect(machine.left()).toEqual([]);
    },
  );

  test('interrupted after it was stored, keeps the old bytes and names the command that finishes it', async () => {
    const machine = await openBuildMachine('a.txt');
    const { service } = machine;
    const running = startInMemory(replace, machine.run);
    await eventually(() => expect(machine.bytesOf('a.txt')).toBe(newBytes('a.txt')));
    running.kill('SIGTERM');
    expect(await running.ended).toBe(143);
    const folder = machine.left()[0] ?? '';
    expect(running.stderr()).toMatch(
      /^a\.txt: Not finished\. Its old and new contents are in \S+, the new ones also at the service as a\.txt~r-\S+\. Finish with: coffer recover \S+\n$/,
    );
    expect(running.stderr()).toContain(`coffer recover ${folder}\n`);
    expect(await machine.coffer(['recover', folder], { COFFER_ADDRESS: 'http://127.0.0.1:1' })).toMatchObject(
      {
        code: 2,
        stderr: expect.stringContaining(`belongs to ${service.baseAddress}`),
      },
    );
    expect(await machine.coffer(['recover', folder])).toEqual(stored);
    expect(machine.bytesOf('a.txt')).toBe(newBytes('a.txt'));
    expect([...service.objects.keys()]).toEqual(['a.txt']);
    expect(existsSync(folder)).toBe(false);
  });

  test.skipIf(process.platform === 'win32')(
    'killed while the object is deleted, is found by the next command',
    async () => {
      const machine = await openBuildMachine('a.txt');
      const { service, run } = machine;
      const asks = (method: string) => (request: FaultyRequest) =>
        request.method === method && request.identifier === 'a.txt';
      const isDeleted = () => service.requests.some(asks('DELETE'));
      // The check after the deletion gets no answer.
      service.plan = (request) =>
        isDeleted() && asks('HEAD')(request) ? { holdRequest: () => false } : null;
      const running = startInPipe(replace, run);
      await eventually(() => {
        const looks = service.requests.findLastIndex(asks('HEAD'));
        expect(looks).toBeGreaterThan(service.requests.findIndex(asks('DELETE')));
        expect(isDeleted()).toBe(true);
      });
      running.kill('SIGKILL');
      await running.ended;
      service.plan = () => null;
      expect(service.objects.has('a.txt')).toBe(false);
      const folder = machine.left()[0] ?? '';
      expect(await machine.coffer(['info', 'a.txt'])).toMatchObject({
        stderr: expect.stringContaining(
          `An earlier command has left an unfinished Replace in ${folder}. Finish it with: coffer recover ${folder}\n`,
        ),
      });
      const silent = { stderr: expect.not.stringContaining('unfinished Replace') };
      expect(await machine.coffer(['info', 'a.txt', '--quiet'])).toMatchObject(silent);
      const elsewhere = { COFFER_ADDRESS: 'http://127.0.0.1:1' };
      expect(await machine.coffer(['services'], elsewhere)).toMatchObject({ code: 0, ...silent });
      expect(await machine.coffer(['recover', folder])).toEqual(stored);
      expect(machine.bytesOf('a.txt')).toBe(newBytes('a.txt'));
      expect(machine.left()).toEqual([]);
    },
  );

  test('recover refuses any other folder', async () => {
    const machine = await openBuildMachine('a.txt');
    expect(await machine.coffer(['recover', 'a.txt'])).toMatchObject({ code: 2 });
    expect(await machine.coffer(['recover', 'nowhere'])).toMatchObject({ code: 2 });
    expect(existsSync(join(machine.run.cwd, 'nowhere'))).toBe(false);
    expect(await machine.coffer(['recover', '.'], { COFFER_ADDRESS: '', COFFER_TOKEN: '' })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('COFFER_ADDRESS and COFFER_TOKEN'),
    });
  });
});
