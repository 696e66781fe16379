import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openProcessWorld } from '../../test-support/command/process-world.ts';
import { eventually } from '../../test-support/eventually.ts';

const hasKeychain = process.platform === 'linux' && process.env['DBUS_SESSION_BUS_ADDRESS'] !== undefined;

test.skipIf(!hasKeychain)('service rm refuses while a Replace has deleted its object', async () => {
  const { service, files, dataFolder, coffer } = await openProcessWorld({ isReal: false });
  writeFileSync(join(files, 'a.txt'), 'old');
  expect((await coffer('put', 'a.txt').ended).code).toBe(0);
  writeFileSync(join(files, 'a.txt'), 'new');
  const isGone = () => !service.objects.has('a.txt');
  service.plan = ({ method }) => (method === 'POST' && isGone() ? { status: 503 } : null);
  const put = coffer('put', 'a.txt', '--if-exists', 'replace');
  await eventually(() => expect(isGone()).toBe(true));
  put.interrupt();
  expect((await put.ended).code).toBe(130);
  const remove = (...options: string[]) => coffer('service', 'rm', 'Night', '--yes', ...options).ended;
  const kept = () => readdirSync(join(dataFolder, 'kept')).length;
  const { code, stdout, stderr } = await remove();
  expect({ code, stdout, kept: kept() }).toEqual({ code: 1, stdout: '', kept: 2 });
  expect(stderr).toMatch(
    /A Replace isn’t finished: a\.txt\..*Copies are at the service: a\.txt~r-.*--drop-unfinished/,
  );
  expect((await coffer('services').ended).stdout).toContain('Night');
  expect((await remove('--drop-unfinished')).code).toBe(0);
  expect((await coffer('services').ended).stdout).not.toContain('Night');
  expect(kept()).toBe(0);
});
