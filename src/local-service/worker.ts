import { parentPort, workerData } from 'node:worker_threads';
import type { LocalStartProblem } from '../shared/domain/local-start.ts';

import { explainStartFailure, startLocalService } from './service.ts';
import type { LocalService, LocalServiceOptions } from './service.ts';

/** The `workerData` of the worker. */
export type WorkerOptions = Omit<LocalServiceOptions, 'now'>;

/** The worker's first and only message. */
export type WorkerMessage =
  | { type: 'listening'; port: number; setAside: LocalService['setAside'] }
  | { type: 'failed'; problem: LocalStartProblem };

/** Closes everything; then the worker exits. */
export type WorkerCommand = { type: 'close' };

async function run(port: NonNullable<typeof parentPort>, options: WorkerOptions): Promise<void> {
  const tell = (message: WorkerMessage): void => port.postMessage(message);
  try {
    const service = await startLocalService(options);
    port.on('message', (command: WorkerCommand) => {
      if (command.type === 'close') void service.close().finally(() => port.close());
    });
    tell({ type: 'listening', port: service.port, setAside: service.setAside });
  } catch (cause) {
    tell({ type: 'failed', problem: explainStartFailure(cause).problem });
  }
}

if (parentPort === null) throw new Error('This file is the entry of a worker thread.');
// No top-level await, which CommonJS does not have.
void run(parentPort, workerData);
