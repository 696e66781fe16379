import type { ComponentProps } from 'react';
import type { Task } from '../../../shared/domain/task.ts';
import { useClient } from '../../app/client.ts';
import { sayFailure } from '../../app/say-failure.ts';
import { useNow } from '../../app/use-now.ts';
import { commonTexts } from '../../i18n/common-texts.ts';
import { errorText } from '../../../shared/i18n/error-text.ts';
import { objectChangeTexts } from '../../i18n/object-change-texts.ts';
import { objectTexts } from '../../i18n/object-texts.ts';
import { announce } from '../../ui/announce.tsx';
import { Button } from '../../ui/Button.tsx';
import type { Dialog } from '../../ui/Dialog.tsx';
import { TextAreaField } from '../../ui/Field.tsx';
import { focusHere } from '../../ui/focus.ts';
import { Icon } from '../../ui/Icon.tsx';
import { Bar } from '../../ui/Progress.tsx';
import { copyText } from '../../app/copy-text.ts';
import { addedCount, taskProgressText } from './task-text.ts';
import { useTasks } from './use-tasks.ts';
import './known-result.css';

const texts = objectChangeTexts.addKnown;

type Parts = Pick<ComponentProps<typeof Dialog>, 'say' | 'buttons' | 'children'>;

/** Progress or result of an *Add known*; null: none to show. */
export function useKnownResult(shown: Task | null, onClose: () => void): Parts | null {
  const client = useClient();
  const tasks = useTasks();
  const task = tasks?.find(({ id }) => id === shown?.id) ?? shown;
  const nowMs = useNow(task?.retryAtMs == null ? null : 1000);
  if (task === null) return null;
  const isRunning = task.state === 'running';
  return {
    say: null,
    buttons: (
      <>
        {isRunning && (
          <Button size="large" onPress={() => sayFailure(client.call('tasks.cancel', { id: task.id }))}>
            {texts.stop}
          </Button>
        )}
        <Button {...focusHere} kind="primary" size="large" onPress={onClose}>
          {isRunning ? texts.goOn : texts.done}
        </Button>
      </>
    ),
    children: isRunning ? (
      <div className="known__progress">
        <p className="figures">{taskProgressText(task, nowMs)}</p>
        <Bar fraction={task.done / task.total} isStill={task.retryAtMs !== null} />
      </div>
    ) : (
      <Result task={task} />
    ),
  };
}

function Result({ task }: { task: Task }) {
  const { listed = 0, missing, failed, total, done, error, notFound = [] } = task;
  const added = addedCount(task);
  return (
    <>
      <ul className="known figures">
        <li>
          {added > 0 && <Icon name="check" />}
          {texts.added({ count: added })}
        </li>
        {listed > 0 && <li>{texts.listed({ count: listed })}</li>}
        {missing > 0 && <li>{texts.notFound({ count: missing })}</li>}
        {failed > 0 && <li className="known--bad">{failedText(failed, error)}</li>}
        {failed === 0 && error !== null && <li className="known--bad">{errorText(error).title}</li>}
        {total > done && <li>{texts.unasked({ count: total - done })}</li>}
      </ul>
      {notFound.length > 0 && <NotFound identifiers={notFound} others={missing - notFound.length} />}
    </>
  );
}

function failedText(count: number, error: Task['error']): string {
  const failed = texts.failed({ count });
  return error === null ? failed : texts.failedWhy({ failed, error: errorText(error).title });
}

function NotFound({ identifiers, others }: { identifiers: readonly string[]; others: number }) {
  const text = identifiers.join('\n');
  const copy = () => {
    if (copyText(text)) announce(objectTexts.said.copied({ count: identifiers.length }));
  };
  return (
    <div>
      <TextAreaField
        label={texts.notFoundLabel}
        isCode
        isReadOnly
        rows={Math.min(8, identifiers.length)}
        value={text}
      />
      <p className="known__more figures">
        <span>{others > 0 && texts.more({ count: others })}</span>
        <Button kind="line" size="small" icon="copy" onPress={copy}>
          {commonTexts.copyIdentifiers({ count: identifiers.length })}
        </Button>
      </p>
    </div>
  );
}
