import { useEffect, useRef } from 'react';
import { commonTexts } from '../../i18n/common-texts.ts';
import { objectChangeTexts } from '../../i18n/object-change-texts.ts';
import type { Task } from '../../../shared/domain/task.ts';
import { useClient } from '../../app/client.ts';
import { sayFailure } from '../../app/say-failure.ts';
import { useNow } from '../../app/use-now.ts';
import { announce } from '../../ui/announce.tsx';
import { Button } from '../../ui/Button.tsx';
import { Bar } from '../../ui/Progress.tsx';
import { isAsHoped, taskProgressText, taskResultText } from './task-text.ts';
import { showKnown, useShownKnown } from './shown-known.ts';
import { useTasks } from './use-tasks.ts';
import './task-line.css';

/** The running bulk operation in the bottom line: what, progress, and Stop. Rendered once; also announces results. */
export function TaskLine() {
  const client = useClient();
  const tasks = useTasks();
  const running = (tasks ?? []).filter(({ state }) => state === 'running');
  const nowMs = useNow(running.some(({ retryAtMs }) => retryAtMs !== null) ? 1000 : null);
  useSayWhatEnded(tasks);

  return running.map((task) => (
    <span key={task.id} className="task-line">
      <Bar fraction={task.total === 0 ? null : task.done / task.total} isStill={task.retryAtMs !== null} />
      <span className="figures">{taskProgressText(task, nowMs)}</span>
      <Button kind="link" onPress={() => sayFailure(client.call('tasks.cancel', { id: task.id }))}>
        {commonTexts.cancel}
      </Button>
    </span>
  ));
}

/** Announces each task once when it ends. Tasks that ended before the first answer are old. */
function useSayWhatEnded(tasks: readonly Task[] | null): void {
  const told = useRef<Set<number> | null>(null);
  useEffect(() => {
    if (tasks === null) return;
    const isFirst = told.current === null;
    told.current ??= new Set();
    for (const task of tasks) {
      if (task.state === 'running' || told.current.has(task.id)) continue;
      told.current.add(task.id);
      if (isFirst) continue;
      const isOnScreen = useShownKnown.getState().task?.id === task.id;
      const act =
        task.kind === 'addKnown'
          ? { label: objectChangeTexts.addKnown.show, run: () => showKnown(task) }
          : null;
      announce(taskResultText(task), isAsHoped(task) ? 'polite' : 'assertive', { isOnScreen, act });
    }
  }, [tasks]);
}
