import type { Worker } from 'node:worker_threads';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { toAppError } from '../../shared/app-failure.ts';
import { systemClock } from '../clock.ts';
import type { NewObject } from '../objects/catalogue.ts';
import { makeFolder } from '../../../test-support/main/database/folder.ts';

const stopped = (isStartedAgain: boolean) => ({ error: { code: 'catalogueStopped', isStartedAgain } });
const object = (identifier: string): NewObject => ({ kind: 'data', identifier, patch: {} });

/** Collects the threads started during a test. */
function noteWorkers(onStarted: (worker: Worker) => void = () => undefined): Worker[] {
  const workers: Worker[] = [];
  const note = (worker: Worker) => {
    workers.push(worker);
    onStarted(worker);
  };
  process.on('worker', note);
  onTestFinished(() => void process.off('worker', note));
  return workers;
}

describe('a thread that dies', () => {
  it('restarts it: pending calls reject, later ones work, listeners stay', async () => {
    await using folder = await makeFolder();
    const workers = noteWorkers();
    const died = vi.fn<(cause: unknown) => void>();
    const { catalogue, documents } = await folder.open({ onThreadDied: died });
    const heard: number[] = [];
    catalogue.onChanged((_serviceId, revision) => heard.push(revision));
    await catalogue.add('p', [object('a')]);
    expect((await catalogue.collections('p')).all).toBe(1);
    const heardBefore = heard.length;

    const many = Array.from({ length: 5000 }, (_, n) => object(String(n)));
    const underWay = catalogue.add('p', many).catch(toAppError);
    await workers.at(-1)?.terminate();
    expect(await underWay).toEqual(stopped(true).error);
    expect(died).toHaveBeenCalledTimes(1);

    // Calls need not wait for the restart.
    const [added] = await catalogue.add('p', [object('b')]);
    expect(added?.added).toBe(true);
    await documents.put('c', 'k', 1);
    expect(await documents.get('c', 'k')).toBe(1);
    const identifiers = ['a', 'b'];
    const found = await catalogue.findByIdentifiers('p', 'data', identifiers);
    expect([...found.keys()]).toEqual(identifiers);
    expect([2, 5002]).toContain((await catalogue.collections('p')).all);
    expect(workers).toHaveLength(2);
    // At least two: one for a restart, when all rows may have changed, and one for the new row.
    expect(heard.length).toBeGreaterThanOrEqual(heardBefore + 2);
    expect(heard).toEqual([...new Set(heard)].toSorted((a, b) => a - b));
  });

  it('gives it up with a specific error when it dies repeatedly at once', async () => {
    await using folder = await makeFolder();
    let isDeadly = false;
    const workers = noteWorkers((worker) => {
      if (isDeadly) void worker.terminate();
    });
    const died = vi.fn<(cause: unknown) => void>();
    const waitsMs: number[] = [];
    const delay = async (waitMs: number) => void waitsMs.push(waitMs);
    const database = await folder.open({ onThreadDied: died, clock: { ...systemClock, delay } });
    const { catalogue } = database;
    isDeadly = true;
    await workers.at(-1)?.terminate();
    await expect(catalogue.add('p', [object('a')])).rejects.toMatchObject(stopped(false));
    await expect(catalogue.collections('p')).rejects.toMatchObject(stopped(false));
    expect(workers).toHaveLength(4);
    expect(died).toHaveBeenCalledTimes(4);
    expect(waitsMs).toEqual([100, 1000, 5000]);
    await database.close();
    expect(workers).toHaveLength(4);
  });

  it('does not restart it while everything is being closed', async () => {
    await using folder = await makeFolder();
    const workers = noteWorkers();
    const database = await folder.open();
    await workers.at(-1)?.terminate();
    await database.close();
    expect(workers.length).toBeLessThanOrEqual(2);
    const again = await folder.open();
    expect((await again.catalogue.collections('p')).all).toBe(0);
  });
});
