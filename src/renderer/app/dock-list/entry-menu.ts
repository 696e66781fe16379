import type { Priority, WaitingFor } from '../../../shared/domain/transfer.ts';
import { dockTexts, priorityWord } from '../../i18n/dock-texts.ts';
import { announce } from '../../ui/announce.tsx';
import type { MenuEntry } from '../../ui/Menu.tsx';
import type { Client } from '../client.ts';
import { sayFailure } from '../say-failure.ts';

const texts = dockTexts.menu;
const priorities: readonly Priority[] = ['now', 'normal', 'whenIdle'];

/** What can be done with one transfer, direct or deferred; what is not there cannot be done now. */
export type EntryActs = {
  id: number;
  pause?: { isPaused: boolean; isBegun: boolean; isHeld: boolean };
  togglePause?: () => void;
  moveToTop?: () => void;
  priority?: { now: Priority; set: (priority: Priority) => void };
  cancel?: () => void;
};

type Listed = {
  id: number;
  identifier: string;
  isFinished: boolean;
  isWaiting: boolean;
  waitingFor: WaitingFor | null;
  priority: Priority;
  /** Everything is paused, or its service. */
  isHeld: boolean;
};

export function entryActs(client: Client, listed: Listed, cancel: () => void): EntryActs {
  const { id, identifier, isFinished, isWaiting, waitingFor, priority, isHeld } = listed;
  if (isFinished) return { id };
  const ids = [id];
  const isPaused = isWaiting && waitingFor === 'paused' && !isHeld;
  const canPause = waitingFor !== 'answer' && !(isHeld && waitingFor === 'paused');
  const togglePause = () => {
    sayFailure(client.call(isPaused ? 'transfers.resume' : 'transfers.pause', { which: ids }));
    if (!isWaiting) announce(`${identifier}: ${texts.pauseBegun.toLowerCase()}`);
  };
  return {
    id,
    pause: { isPaused, isBegun: !isWaiting, isHeld: isHeld && waitingFor === 'paused' },
    ...(canPause && { togglePause }),
    ...(isWaiting && {
      moveToTop: () => sayFailure(client.call('transfers.move', { ids, before: 'top' })),
      priority: {
        now: priority,
        set: (chosen: Priority) =>
          sayFailure(client.call('transfers.setPriority', { ids, priority: chosen })),
      },
    }),
    cancel,
  };
}

/** @param step where it stands among those that wait can be changed */
export function menuOf(acts: EntryActs, step: ((by: -1 | 1) => void) | null): MenuEntry[] {
  const { pause, togglePause, moveToTop, priority, cancel } = acts;
  const entries: MenuEntry[] = [];
  if (pause !== undefined)
    entries.push({
      id: 'pause',
      label: pause.isPaused ? texts.resume : texts.pause,
      icon: pause.isPaused ? 'play' : 'pause',
      keys: 'Space',
      ...(pause.isHeld ? { text: texts.resumeHeld } : pause.isBegun ? { text: texts.pauseBegun } : {}),
      isDisabled: togglePause === undefined,
      onAction: () => togglePause?.(),
    });
  if (moveToTop !== undefined)
    entries.push({ id: 'top', label: texts.top, icon: 'top', keys: 'Alt+Shift+↑', onAction: moveToTop });
  if (step !== null)
    entries.push(
      { id: 'up', label: texts.up, icon: 'up', keys: 'Alt+↑', onAction: () => step(-1) },
      { id: 'down', label: texts.down, icon: 'dn', keys: 'Alt+↓', onAction: () => step(1) },
    );
  if (priority !== undefined)
    entries.push('line', {
      kind: 'set',
      id: 'priority',
      label: texts.priority,
      chosenText: texts.chosen,
      value: priority.now,
      choices: priorities.map((value) => ({ value, label: priorityWord[value] })),
      onChoose: (value) => {
        const chosen = priorities.find((each) => each === value);
        if (chosen !== undefined) priority.set(chosen);
      },
    });
  if (cancel !== undefined)
    entries.push('line', {
      id: 'cancel',
      label: texts.cancel,
      icon: 'x',
      kind: 'bad',
      keys: 'Delete',
      onAction: cancel,
    });
  return entries;
}
