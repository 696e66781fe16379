import { connect, remote, ThreadGone } from '../database/worker-rpc.ts';
import { startHeapLimitedWorker } from '../lib/heap-limited-worker.ts';
import { failure, TeamFailure } from './team-problem.ts';
import type { Answer } from './wire/answering.ts';
import type { ServerEvent, TeamServer } from './wire/server.ts';

/** The thread of a team's connection, which protects main and the database's thread from what the server sends. */
export interface TeamThread {
  readonly server: TeamServer;
  /** Resolves when the thread has ended, for any reason. */
  readonly ended: Promise<unknown>;
  terminate(): Promise<void>;
}

/** In the bundle the entry lies beside the main file; tests run the source. */
export function startTeamThread(onEvent: (event: ServerEvent) => void): TeamThread {
  const entry = import.meta.url.endsWith('.ts') ? './wire/worker.ts' : './team-worker.cjs';
  // Without variables: pg takes missing settings from `PG…`.
  const worker = startHeapLimitedWorker(new URL(entry, import.meta.url), 8, { env: {} });
  const { ask, ended } = connect(
    worker,
    () => 0,
    (event) => onEvent(event as ServerEvent),
  );
  return {
    server: remote<TeamServer>(ask, 'server'),
    ended,
    async terminate() {
      await worker.terminate();
    },
  };
}

/** The server's answer. @throws TeamFailure, also if its thread died of it */
export async function valueOf<T>(answer: Promise<Answer<T>>): Promise<T> {
  const answered = await answer.catch((cause: unknown) => {
    throw cause instanceof ThreadGone ? failure('broken') : cause;
  });
  if ('problem' in answered) throw new TeamFailure(answered.problem);
  return answered.value;
}
