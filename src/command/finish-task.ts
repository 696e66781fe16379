import type { Task } from '../shared/domain/task.ts';
import { AppFailure } from '../shared/app-failure.ts';
import type { Context } from './context.ts';
import { commandTexts as texts } from './texts.ts';

/** Waits for work over many objects to end, and shows how far it is. */
export async function finishTask({ coffer, output, interrupted }: Context, begun: Task): Promise<Task> {
  const changed = Promise.withResolvers<void>();
  let next = changed;
  await coffer.follow('tasks.changed', () => next.resolve());
  const onInterrupt = () => next.reject(interrupted.reason);
  interrupted.addEventListener('abort', onInterrupt);
  try {
    for (;;) {
      const { tasks } = await coffer.call('tasks.list', undefined);
      const task = tasks.find(({ id }) => id === begun.id);
      if (!task) throw new AppFailure({ code: 'notFound', what: 'task' });
      if (task.state !== 'running') return task;
      output.progress(texts.progress({ done: task.done, total: task.total }));
      await Promise.race([next.promise, coffer.gone]);
      next = Promise.withResolvers();
    }
  } finally {
    interrupted.removeEventListener('abort', onInterrupt);
    output.progress(null);
  }
}
