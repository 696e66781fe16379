import { formatCount } from '../../../shared/i18n/format.ts';
import { prioritySchema } from '../../../shared/domain/transfer.ts';
import { commonTexts } from '../../i18n/common-texts.ts';
import { dockTexts } from '../../i18n/dock-texts.ts';
import type { MenuEntry } from '../../ui/Menu.tsx';
import { togglePause, type EntryActs, type EntryCommands } from './entry-acts.ts';

const texts = dockTexts.menu;

/**
 * The menu of one entry or of the selection; each label says to how many of them the action applies.
 * @param step moves them within the queue; null: not possible
 */
export function menuOf(
  acts: EntryActs,
  commands: EntryCommands,
  step: ((by: -1 | 1) => void) | null,
): MenuEntry[] {
  const { meant, pause, resume, order, cancel, tryAgain, show } = acts;
  const [first] = meant;
  const only = meant.length === 1 ? first : undefined;
  /** A single transfer needs no count. */
  const named = (
    act: 'pause' | 'resume' | 'top' | 'tryAgain' | 'priority' | 'cancel',
    { length }: readonly unknown[],
  ) => {
    if (only !== undefined) return texts[act];
    const some =
      length === meant.length ? formatCount(length) : texts.partly({ count: length, of: meant.length });
    return texts[`${act}Some`]({ some });
  };
  const entries: MenuEntry[] = [];
  if (pause.length > 0 || (resume.length === 0 && cancel.length > 0))
    entries.push({
      id: 'pause',
      label: named('pause', pause),
      icon: 'pause',
      keys: 'Space',
      ...(only?.waitingFor === 'paused'
        ? { text: dockTexts.pause.all }
        : only?.isWaiting === false
          ? { text: texts.pauseBegun }
          : {}),
      isDisabled: pause.length === 0,
      onAction: () => togglePause(acts, commands),
    });
  if (resume.length > 0)
    entries.push({
      id: 'resume',
      label: named('resume', resume),
      icon: 'play',
      ...(pause.length === 0 && { keys: 'Space' }),
      onAction: () => commands.resume(resume),
    });
  if (order.length > 0)
    entries.push({
      id: 'top',
      label: named('top', order),
      icon: 'top',
      keys: 'Alt+Shift+↑',
      onAction: () => commands.moveToTop(order),
    });
  if (step !== null)
    entries.push(
      { id: 'up', label: texts.up, icon: 'up', keys: 'Alt+↑', onAction: () => step(-1) },
      { id: 'down', label: texts.down, icon: 'dn', keys: 'Alt+↓', onAction: () => step(1) },
    );
  if (tryAgain.length > 0)
    entries.push({
      id: 'tryAgain',
      label: named('tryAgain', tryAgain),
      icon: 'refresh',
      onAction: () => commands.tryAgain(tryAgain),
    });
  if (show.length > 0)
    entries.push({
      id: 'showInFolder',
      label: commonTexts.showInFolder,
      icon: 'folder',
      onAction: () => commands.showInFolder(show),
    });
  const [waiting] = order;
  if (waiting !== undefined)
    entries.push('line', {
      kind: 'set',
      id: 'priority',
      label: named('priority', order),
      chosenText: texts.chosen,
      value: order.every(({ priority }) => priority === waiting.priority) ? waiting.priority : null,
      choices: prioritySchema.options.map((value) => ({ value, label: dockTexts.priority[value] })),
      onChoose: (value) => commands.setPriority(order, prioritySchema.parse(value)),
    });
  if (cancel.length > 0)
    entries.push('line', {
      id: 'cancel',
      label: named('cancel', cancel),
      icon: 'x',
      kind: 'bad',
      keys: 'Delete',
      onAction: () => commands.cancel(cancel),
    });
  return entries;
}
