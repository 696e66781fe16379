import { useEffect, useRef, useState } from 'react';
import { commonTexts } from '../../i18n/common-texts.ts';
import { objectChangeTexts } from '../../i18n/object-change-texts.ts';
import type { Task } from '../../../shared/domain/task.ts';
import { useClient } from '../../app/client.ts';
import { sayFailure } from '../../app/say-failure.ts';
import { useActiveService } from '../../app/stores.ts';
import { dropUndo } from '../../app/undo.ts';
import { useNow } from '../../app/use-now.ts';
import { announce } from '../../ui/announce.tsx';
import { Button } from '../../ui/Button.tsx';
import { Bar } from '../../ui/Progress.tsx';
import { isAsHoped, taskProgressText, taskResultText } from './task-text.ts';
import { deletionKey } from './actions/use-deletion.ts';
import { showKnown, useShownKnown } from './shown-known.ts';
import { useTasks } from './use-tasks.ts';
import './task-line.css';

/** The running bulk operation in the bottom line: what, progress, and Stop. Rendered once; also announces results. */
export function TaskLine() {
  const client = useClient();
  const tasks = useTasks();
  // What is held is said by its rows, and by the message with Undo.
  const running = (tasks ?? []).filter(({ state, isHeld }) => state === 'running' && !isHeld);
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
    for (const { id, state, isHeld } of tasks) if (state !== 'running' || !isHeld) dropUndo(deletionKey(id));
    const isFirst = told.current === null;
    told.current ??= new Set();
    for (const task of tasks) {
      if (task.state === 'running' || told.current.has(task.id)) continue;
      told.current.add(task.id);
      // A person has undone it object by object.
      if (isFirst || task.total === 0) continue;
      const isOnScreen = useShownKnown.getState().task?.id === task.id;
      const act =
        task.kind === 'addKnown'
          ? { label: objectChangeTexts.addKnown.show, run: () => showKnown(task) }
          : null;
      announce(taskResultText(task), isAsHoped(task) ? 'polite' : 'assertive', { isOnScreen, act });
    }
  }, [tasks]);
}

/** Deletions that Coffer's end has kept from being sent, in the bottom line until they are answered. */
export function UnsentDeletions() {
  const serviceId = useActiveService()?.id;
  return serviceId === undefined ? null : <OfService key={serviceId} serviceId={serviceId} />;
}

function OfService({ serviceId }: { serviceId: string }) {
  const client = useClient();
  const [count, setCount] = useState(0);
  useEffect(() => {
    const shown = client.call('objects.unsentDeletions', { serviceId }).then((unsent) => {
      setCount(unsent.count);
      if (unsent.count > 0) announce(objectChangeTexts.task.unsent(unsent), 'polite', { isOnScreen: true });
    });
    sayFailure(shown);
  }, [client, serviceId]);
  if (count === 0) return null;

  function settle(answer: 'delete' | 'keep') {
    setCount(0);
    sayFailure(client.call('objects.answerUnsent', { serviceId, answer }));
  }
  return (
    <span className="task-line">
      <span className="figures">{objectChangeTexts.task.unsent({ count })}</span>
      <Button kind="link" onPress={() => settle('delete')}>
        {objectChangeTexts.task.deleteNow}
      </Button>
      <Button kind="link" onPress={() => settle('keep')}>
        {objectChangeTexts.task.keep}
      </Button>
    </span>
  );
}
