import { randomUUID } from 'node:crypto';
import type { Handlers } from '../../shared/contract.ts';
import { notFoundMax, type Task } from '../../shared/domain/task.ts';
import { type AppError } from '../../shared/errors.ts';
import { toAppError, AppFailure } from '../../shared/app-failure.ts';
import { Revision } from '../lib/revision.ts';
import type { Log, Publisher } from '../ports.ts';
import type { CircuitBreakers } from '../transfers/queue/circuit-breakers.ts';

/** A task's access to its own entry in the list. */
export interface RunningTask {
  readonly signal: AbortSignal;
  /** Counts a finished object. `ignored`: nothing had to be done. */
  count(outcome: 'present' | 'missing' | 'failed' | 'ignored', error?: AppError, identifier?: string): void;
  /** Counts an object that the list already contains. */
  countListed(): void;
  /** From now on requests are sent, so that cancelling no longer undoes all of it. */
  letGo(): void;
  /** A person has undone this for one object, which counts no more. */
  undone(): void;
  /** Records that the service does not have this object. */
  noteNotFound(identifier: string): void;
}

export interface TaskList {
  readonly handlers: Pick<Handlers, 'tasks.list' | 'tasks.cancel'>;
  /** Starts work in the background and returns its status. When aborted, `work` ends with the signal's reason. */
  start(
    facts: Pick<Task, 'kind' | 'serviceId' | 'total' | 'isHeld'>,
    work: (task: RunningTask) => Promise<void>,
  ): Task;
  /** The kinds of the running tasks, without those that wait for a token. */
  goingOn(): Task['kind'][];
  /** Tells the window to refresh, at most ten times a second. */
  changed(): void;
  /** Cancels the tasks of a service, or all; resolves when they have ended. */
  cancelAll(serviceId?: string): Promise<void>;
  /** Ends all tasks when the app quits; resolves when they have ended. */
  close(): Promise<void>;
}

const maxFinished = 20;

/** Abort reason when the app quits: nothing is waited for. */
export const closing = new Error('everything ends');

export function createTaskList(deps: {
  breakers: CircuitBreakers;
  log: Log;
  publisher: Publisher;
  /** Called when a task has begun or ended. */
  onChanged: () => void;
}): TaskList {
  const { breakers, log, publisher, onChanged } = deps;
  const tasks = new Map<number, { task: Task; abort: AbortController; ended: Promise<void> }>();
  const revision = new Revision((current) => publisher.publish('tasks.changed', { revision: current }));
  const changed = () => revision.increase();
  let lastId = 0;

  const describe = (task: Task): Task => ({
    ...task,
    retryAtMs: task.state === 'running' ? breakers.of(task.serviceId).heldUntilMs() : null,
  });

  async function run(task: Task, signal: AbortSignal, work: (task: RunningTask) => Promise<void>) {
    try {
      await work({
        signal,
        count(outcome, error, identifier) {
          task.done += 1;
          if (outcome !== 'ignored') task[outcome] += 1;
          if (outcome === 'failed') task.error ??= error ?? null;
          const failures = task.failures ?? [];
          if (error && identifier !== undefined && failures.length < notFoundMax)
            task.failures = [...failures, { identifier, error }];
          changed();
        },
        countListed() {
          task.listed = (task.listed ?? 0) + 1;
        },
        letGo() {
          delete task.isHeld;
          changed();
        },
        undone() {
          task.total -= 1;
          changed();
        },
        noteNotFound(identifier) {
          const known = task.notFound ?? [];
          if (known.length < notFoundMax) task.notFound = [...known, identifier];
        },
      });
      task.state = 'done';
    } catch (cause) {
      if (signal.aborted) {
        task.state = 'cancelled';
      } else {
        task.state = 'failed';
        task.error ??= toAppError(cause) ?? reportBug(cause);
      }
    }
    changed();
    onChanged();
    const finished = [...tasks.values()].filter((other) => other.task.state !== 'running');
    for (const { task: old } of finished.slice(0, -maxFinished)) tasks.delete(old.id);
  }

  function reportBug(cause: unknown): AppError {
    const reference = randomUUID().slice(0, 8);
    log.error('a task failed', { reference, cause });
    return { code: 'unexpected', reference };
  }

  async function end(serviceId?: string, reason?: Error): Promise<void> {
    const meant = [...tasks.values()].filter(({ task }) => (serviceId ?? task.serviceId) === task.serviceId);
    for (const { abort } of meant) abort.abort(reason);
    await Promise.all(meant.map(({ ended }) => ended));
  }

  return {
    changed,
    start(facts, work) {
      const task: Task = {
        ...facts,
        id: ++lastId,
        state: 'running',
        done: 0,
        present: 0,
        missing: 0,
        failed: 0,
        retryAtMs: null,
        error: null,
      };
      const abort = new AbortController();
      const ended = run(task, abort.signal, work).finally(() => abort.abort());
      tasks.set(task.id, { task, abort, ended });
      changed();
      onChanged();
      return describe(task);
    },
    goingOn: () =>
      [...tasks.values()]
        .filter(({ task }) => task.state === 'running' && breakers.of(task.serviceId).state() !== 'refused')
        .map(({ task }) => task.kind),
    cancelAll: (serviceId) => end(serviceId),
    close: () => end(undefined, closing),
    handlers: {
      'tasks.list': () => ({
        revision: revision.current,
        tasks: [...tasks.values()].map(({ task }) => describe(task)),
      }),
      'tasks.cancel': ({ id }) => {
        const found = tasks.get(id);
        if (!found) throw new AppFailure({ code: 'notFound', what: 'task' });
        found.abort.abort();
        return undefined;
      },
    },
  };
}
