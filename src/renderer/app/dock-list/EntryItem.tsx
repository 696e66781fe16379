import { type ComponentProps, type KeyboardEvent, use } from 'react';
import { useStore } from 'zustand';
import type { Priority } from '../../../shared/domain/transfer.ts';
import { dockTexts } from '../../i18n/dock-texts.ts';
import { Icon } from '../../ui/Icon.tsx';
import { OutOfTabOrder } from '../../ui/focus.ts';
import { entryKeys } from './entry-keys.ts';
import { useListActions } from './list-context.ts';

/** Shows nothing for normal priority. */
export function PriorityMark({ priority }: { priority: Priority }) {
  if (priority === 'normal') return null;
  return (
    <span className={`mark ${priority === 'whenIdle' ? 'mark--quiet' : ''}`}>
      {dockTexts.priority[priority]}
    </span>
  );
}

/**
 * A list entry that can be focused. The list is one Tab stop: the entry that last had the focus, and after it the
 * buttons of that entry.
 */
export function EntryItem({
  name,
  takeKey,
  children,
  ...rest
}: Omit<ComponentProps<'li'>, 'onFocus' | 'onKeyDown'> & {
  /** Unique in the list: the id of a transfer, or a name of a group, which is not a number and cannot be selected. */
  name: string;
  takeKey: (event: KeyboardEvent<HTMLElement>) => void;
}) {
  const { tabStop, goTo, selection } = useListActions();
  const isCurrent = useStore(tabStop, (current) => current === name);
  return (
    <li {...rest} {...entryKeys(name, isCurrent, takeKey, { selection, tabStop, goTo })}>
      <OutOfTabOrder value={!isCurrent}>{children}</OutOfTabOrder>
    </li>
  );
}

/** The chevron of an entry for several transfers. */
export function FoldButton(props: { isOpen: boolean; label: string; onPress: () => void }) {
  const { isOpen, label, onPress } = props;
  return (
    <button
      type="button"
      className="cause__turn"
      tabIndex={use(OutOfTabOrder) ? -1 : 0}
      aria-expanded={isOpen}
      aria-label={label}
      onClick={onPress}
    >
      <Icon name={isOpen ? 'down' : 'right'} size={12} />
    </button>
  );
}
