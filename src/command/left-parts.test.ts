import { createHash, hash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { FaultServer } from '../../e2e/faults/fault-server.ts';
import { newBytes, openBuildMachine } from '../../test-support/command/build-machine.ts';
import { startInMemory } from '../../test-support/command/in-process.ts';
import { eventually } from '../../test-support/eventually.ts';
import { partIdOf, writeManifest } from '../main/transfers/parts/manifest.ts';

const upload = '9f'.repeat(16);
const name = 'a.txt';
const partIds = [0, 1, 2].map((index) => partIdOf({ base: name, upload }, index));
const [, , lastPart = ''] = partIds;

/** Stores a file in three parts, as another command has done. */
function storeInParts(service: FaultServer): void {
  const parts = ['first-', 'second', 'last'];
  const text = writeManifest({
    base: name,
    upload,
    size: parts.join('').length,
    sha256: createHash('sha256').update(parts.join('')).digest('hex'),
    split: { method: 'fixed', bytes: 6 },
    name,
    modified: '2026-11-20T09:00:00.000Z',
    classification: null,
    created: '2026-11-20T09:00:00.000Z',
    client: 'Coffer',
    digests: parts.map((part) => hash('sha256', part, 'hex')),
  });
  const put = (id: string, bytes: string) =>
    service.objects.set(id, { bytes: Buffer.from(bytes), classification: null });
  put(name, text);
  parts.forEach((part, index) => put(partIds[index] ?? '', part));
}

const ofParts = ({ identifier }: { identifier: string }) => identifier.includes('~p-');

test('rm of a file in parts waits until its parts are gone, through 429 and 503', async () => {
  const machine = await openBuildMachine();
  const { service } = machine;
  storeInParts(service);
  let refused = 0;
  service.plan = (request) => {
    if (request.method !== 'DELETE' || !ofParts(request) || refused >= 4) return null;
    refused += 1;
    return { status: refused % 2 === 0 ? 429 : 503 };
  };
  expect(await machine.coffer(['rm', '--yes', name])).toMatchObject({ code: 0 });
  expect(refused).toBe(4);
  expect([...service.objects.keys()]).toEqual([]);
});

test('rm names the parts that stay, and doctor removes them without a list', async () => {
  const machine = await openBuildMachine();
  const { service } = machine;
  storeInParts(service);
  service.plan = (request) => (request.method === 'DELETE' && ofParts(request) ? { status: 503 } : null);
  const { code, stderr } = await machine.coffer(['rm', '--yes', '--wait', '5', name]);
  const remedy = `coffer doctor --remove-parts ${lastPart}`;
  expect({ code, stderr }).toEqual({
    code: 5,
    stderr: expect.stringContaining(
      `${name}: 3 parts that no file needs are still at ${service.baseAddress}. Delete them with: ${remedy}\n`,
    ) as string,
  });
  expect([...service.objects.keys()]).toEqual(partIds);
  service.plan = () => null;
  const doctor = ['doctor', '--remove-parts', lastPart];
  expect((await machine.coffer(doctor)).stdout).toContain(`the parts up to ${lastPart} at `);
  expect([...service.objects.keys()]).toEqual([]);
});

test('doctor leaves parts that a file needs', async () => {
  const machine = await openBuildMachine();
  const { service } = machine;
  storeInParts(service);
  await machine.coffer(['doctor', '--remove-parts', lastPart]);
  expect(service.requests.filter(({ method }) => method === 'DELETE')).toEqual([]);
});

test('a Replace of a file in parts leaves neither its old parts nor its copies', async () => {
  const machine = await openBuildMachine(name);
  const { service } = machine;
  storeInParts(service);
  expect(await machine.coffer(['put', name, '--if-exists', 'replace'])).toMatchObject({
    code: 0,
    stderr: '',
  });
  expect(machine.bytesOf(name)).toBe(newBytes(name));
  expect([...service.objects.keys()]).toEqual([name]);
  expect(machine.left()).toEqual([]);
});

test('an interrupted upload in parts removes what it has sent, or names it', async () => {
  const machine = await openBuildMachine();
  const { service, run } = machine;
  writeFileSync(join(run.cwd, 'big.bin'), Buffer.alloc(70_000_000));
  const posts = () => service.requests.filter(({ method }) => method === 'POST');
  // The answer to the second part never comes.
  service.plan = ({ method }) => (method === 'POST' && posts().length > 1 ? { delayMs: 600_000 } : null);
  const running = startInMemory(['put', 'big.bin'], run);
  await eventually(() => expect(posts().length).toBeGreaterThan(1));
  running.kill('SIGINT');
  expect(await running.ended).toBe(130);
  const [, remedy = ''] = /doctor --remove-parts (\S+)\n/.exec(running.stderr()) ?? [];
  expect(remedy).toMatch(/^big\.bin~p-[0-9a-f]{32}-0000\d$/);
  service.plan = () => null;
  await machine.coffer(['doctor', '--remove-parts', remedy]);
  expect([...service.objects.keys()]).toEqual([]);
});
