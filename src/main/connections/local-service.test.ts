import { join } from 'node:path';
import type { Worker } from 'node:worker_threads';
import { expect, it, onTestFinished } from 'vitest';
import { createCredentialStore } from './credential-store.ts';
import { createTokens } from './tokens.ts';
import {
  createTestClock,
  createTestLog,
  createTestSecrets,
  makeTestFolder,
} from '../../../test-support/main/test-ports.ts';
import { createLocalService } from './local-service.ts';
import { eventually } from '../../../test-support/eventually.ts';

/** A worker that reports port 1000 and then runs `text`. */
const workerOf = (text: string) =>
  new URL(
    `data:text/javascript,${encodeURIComponent(`
      import { parentPort, workerData } from 'node:worker_threads';
      parentPort.on('message', ({ type }) => type === 'close' && parentPort.close());
      ${text}
    `)}`,
  );

async function open(workerText: string) {
  const log = createTestLog();
  const keys = await createCredentialStore({
    secrets: createTestSecrets(),
    clock: createTestClock(),
    log,
    onStored: () => undefined,
  });
  const tokens = createTokens(keys);
  const userDataFolder = await makeTestFolder();
  const setAside: string[] = [];
  const onSetAside = (folder: string) => void setAside.push(folder);
  return {
    log,
    setAside,
    userDataFolder,
    service: createLocalService({
      workerUrl: workerOf(workerText),
      userDataFolder,
      keys,
      tokens,
      log,
      onSetAside,
    }),
  };
}

it('starts once for all callers, and stops', async () => {
  const { service } = await open(
    `parentPort.postMessage({ type: 'listening', port: 1000, setAside: null });`,
  );
  const both = await Promise.all([service.ensure(), service.ensure()]);
  expect(both).toEqual([{ baseAddress: 'http://127.0.0.1:1000' }, { baseAddress: 'http://127.0.0.1:1000' }]);
  await service.stop();
  await service.stop();
});

it('starts a crashed worker again, once, at the same port', async () => {
  const { service, log } = await open(`
    parentPort.postMessage({ type: 'listening', port: workerData.port + 1000, setAside: null });
    setTimeout(() => process.exit(1), 20);
  `);
  await service.ensure();
  await eventually(() =>
    expect(log.lines.filter((line) => line.includes('ended by itself'))).toHaveLength(2),
  );
  expect(log.lines.some((line) => line.includes('"restarts":1'))).toBe(true);
  expect(JSON.stringify(log.lines)).not.toContain('token');
});

it('notices that a worker ends as it answers', async () => {
  // When this thread was busy, Node reports the answer and the end without anything in between.
  const end = (worker: Worker) => {
    worker.on('message', () => worker.emit('exit', 1));
    onTestFinished(async () => void (await worker.terminate()));
  };
  process.on('worker', end);
  onTestFinished(() => void process.off('worker', end));
  const { service, log } = await open(
    `parentPort.postMessage({ type: 'listening', port: 1000, setAside: null });`,
  );
  await service.ensure();
  await eventually(() =>
    expect(log.lines.filter((line) => line.includes('ended by itself'))).toHaveLength(2),
  );
  await service.stop();
});

it.each([
  [`parentPort.postMessage({ type: 'failed', problem: 'diskFull' });`, 'diskFull'],
  [`throw new Error('bug');`, 'unknown'],
  [`process.exit(0);`, 'unknown'],
])('says why it did not start: %s', async (workerText, problem) => {
  const { service } = await open(workerText);
  await expect(service.ensure()).rejects.toMatchObject({ error: { code: 'localService', problem } });
  await expect(service.ensure()).rejects.toMatchObject({ error: { code: 'localService', problem } });
});

it('reports where old data was set aside when the service starts empty', async () => {
  const { service, setAside, userDataFolder, log } = await open(
    `parentPort.postMessage({ type: 'listening', port: 1000, setAside: 'set-aside-1' });`,
  );
  await service.ensure();
  expect(setAside).toEqual([join(userDataFolder, 'local-service', 'set-aside-1')]);
  expect(log.lines.some((line) => line.includes('set-aside-1'))).toBe(true);
  await service.stop();
});
