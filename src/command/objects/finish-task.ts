import type { Task } from '../../shared/domain/task.ts';
import { AppFailure } from '../../shared/app-failure.ts';
import type { Context } from '../context.ts';
import { HeldUp } from '../errors/errors.ts';
import { unlessHeldUp } from './task-end.ts';
import { commandTexts as texts } from '../texts.ts';

/** How long to wait for a cancelled task to stop; less than `interruptedMs` in main.ts. */
const stopMs = 2000;

/**
 * Waits for a task to end and shows its progress. When the command is interrupted or the service holds the task up, cancels it and
 * says how far it got. @throws HeldUp; the abort reason after an interrupt
 */
export async function finishTask(context: Context, begun: Task): Promise<Task> {
  const { output, interrupted } = context;
  const ended = follow(context, begun);
  try {
    const task = await unlessHeldUp(context, begun.serviceId, ended);
    // Cancelled by another command or in the app.
    if (task.state === 'cancelled') sayHowFar(context, task);
    return task;
  } catch (cause) {
    if (!interrupted.aborted && !(cause instanceof HeldUp)) throw cause;
    const stopped = await stop(context, begun, ended);
    if (stopped?.state === 'done') return stopped;
    sayHowFar(context, stopped);
    throw cause;
  } finally {
    output.progress(null);
  }
}

async function follow({ coffer, output }: Context, begun: Task): Promise<Task> {
  let next = Promise.withResolvers<void>();
  await coffer.follow('tasks.changed', () => next.resolve());
  for (;;) {
    const { tasks } = await coffer.call('tasks.list', undefined);
    const task = tasks.find(({ id }) => id === begun.id);
    if (!task) throw new AppFailure({ code: 'notFound', what: 'task' });
    if (task.state !== 'running') return task;
    output.progress(texts.progress({ done: task.done, total: task.total }));
    await Promise.race([next.promise, coffer.gone]);
    next = Promise.withResolvers();
  }
}

/** The task as it ended; null: unknown. */
async function stop({ coffer, io }: Context, { id }: Task, ended: Promise<Task>): Promise<Task | null> {
  const over = new AbortController();
  try {
    await coffer.call('tasks.cancel', { id });
    return await Promise.race([ended, io.clock.delay(stopMs, over.signal).then(() => null)]);
  } catch {
    return null;
  } finally {
    over.abort();
  }
}

function sayHowFar({ output, doneBy }: Context, stopped: Task | null): void {
  output.progress(null);
  output.error(stopped ? howFar(stopped) : texts.notStopped({ goesOn: texts.goesOn[doneBy] }));
}

function howFar({ kind, total, present, missing, failed }: Task): string {
  if (kind === 'delete') {
    const sums = { done: missing, total, failed };
    if (present > 0) return texts.stopped.deleteRequested({ ...sums, requested: present });
    return failed === 0 ? texts.stopped.delete(sums) : texts.stopped.deleteUnsure(sums);
  }
  return texts.stopped[kind]({ done: present + missing, total });
}
