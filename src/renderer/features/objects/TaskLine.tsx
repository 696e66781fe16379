import { useEffect, useRef, useState } from 'react';
import type { Task } from '../../../shared/domain/task.ts';
import { useClient } from '../../app/client.ts';
import { createMirror } from '../../app/mirror.ts';
import { useNow } from '../../app/use-now.ts';
import { announce } from '../../ui/announce.tsx';
import { Button } from '../../ui/Button.tsx';
import { Bar } from '../../ui/Progress.tsx';
import { State } from '../../ui/State.tsx';
import { taskProgressText, taskResultText } from './task-text.ts';
import './task-line.css';

const resultShownMs = 12_000;

/**
 * What works over many objects now: what, how far, and a way to stop it; then, for a while, what came of it.
 * Stands in the status line, once in the window: it also says the result to assistive technology.
 */
export function TaskLine() {
  const tasks = useTasks();
  const finished = useJustFinished(tasks);
  const client = useClient();
  const running = (tasks ?? []).filter(({ state }) => state === 'running');
  const nowMs = useNow(running.some(({ retryAtMs }) => retryAtMs !== null) ? 1000 : null);

  if (running.length > 0) {
    return running.map((task) => (
      <span key={task.id} className="task-line">
        <Bar fraction={task.total === 0 ? null : task.done / task.total} isStill={task.retryAtMs !== null} />
        <span className="task-line__text figures">{taskProgressText(task, nowMs)}</span>
        <Button
          kind="link"
          onPress={() => void client.call('tasks.cancel', { id: task.id }).catch(() => undefined)}
        >
          Cancel
        </Button>
      </span>
    ));
  }
  if (finished === null) return null;
  return (
    <span className="task-line">
      <State icon={isGood(finished) ? 'check' : 'fail'} tone={isGood(finished) ? 'stored' : 'bad'}>
        <span className="task-line__text">{taskResultText(finished)}</span>
      </State>
    </span>
  );
}

function isGood({ state, failed }: Task): boolean {
  return state !== 'failed' && failed === 0;
}

/** null before the first answer. */
function useTasks(): readonly Task[] | null {
  const client = useClient();
  const [tasks, setTasks] = useState<readonly Task[] | null>(null);
  useEffect(() => {
    const mirror = createMirror({
      subscribe: (changed) => client.on('tasks.changed', ({ revision }) => changed(revision)),
      load: () => client.call('tasks.list'),
      revisionOf: ({ revision }) => revision,
    });
    const stop = mirror.store.subscribe(({ value }) => setTasks(value?.tasks ?? null));
    return () => {
      stop();
      mirror.stop();
    };
  }, [client]);
  return tasks;
}

/** The task that ended last, for as long as its result is shown. What had ended before the first answer is old. */
function useJustFinished(tasks: readonly Task[] | null): Task | null {
  const told = useRef<Set<number> | null>(null);
  const [finished, setFinished] = useState<Task | null>(null);

  useEffect(() => {
    if (tasks === null) return;
    const ended = tasks.filter(({ state }) => state !== 'running');
    const isFirst = told.current === null;
    told.current ??= new Set();
    for (const task of ended) {
      if (told.current.has(task.id)) continue;
      told.current.add(task.id);
      if (isFirst) continue;
      setFinished(task);
      announce(taskResultText(task), isGood(task) ? 'polite' : 'assertive');
    }
  }, [tasks]);

  useEffect(() => {
    if (finished === null) return undefined;
    const timer = setTimeout(() => setFinished(null), resultShownMs);
    return () => clearTimeout(timer);
  }, [finished]);
  return finished;
}
