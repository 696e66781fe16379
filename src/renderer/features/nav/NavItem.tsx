import { use, useId, type KeyboardEvent, type ReactNode } from 'react';
import { Focusable } from 'react-aria-components';
import { formatCount } from '../../../shared/i18n/format.ts';
import { WithTooltip } from '../../ui/Tooltip.tsx';
import { useIsOver } from '../../app/drops.ts';
import { moveBetweenLinks, Opened, useReach } from './nav-keys.ts';

/** A place in the sidebar: icon, label, count. The count is the description, not part of the name. */
export function NavItem(props: {
  itemKey: string;
  label: string;
  mark: ReactNode;
  isCurrent: boolean;
  count?: number;
  level?: number;
  isExpanded?: boolean | undefined;
  /** Shows only the icon, with the name as a tooltip. */
  isMarkOnly?: boolean;
  /** The folder that receives dropped files and rows, '' for the root. */
  dropFolder?: string;
  onMenu?: (at: { x: number; y: number }, from: HTMLElement) => void;
  onOpen: () => void;
  onKeyDown?: (event: KeyboardEvent<HTMLElement>) => void;
}) {
  const {
    itemKey,
    label,
    mark,
    isCurrent,
    count = 0,
    level = 0,
    isExpanded,
    isMarkOnly,
    onOpen,
    onKeyDown,
  } = props;
  const { dropFolder, onMenu } = props;
  const reach = useReach(itemKey, isCurrent);
  const isOver = useIsOver(dropFolder);
  const countId = useId();
  const onOpened = use(Opened);
  const link = (
    <a
      className="nav-item"
      href={`#${encodeURIComponent(itemKey)}`}
      {...reach}
      aria-current={isCurrent ? 'page' : undefined}
      aria-expanded={isExpanded}
      aria-describedby={count > 0 ? countId : undefined}
      {...(isMarkOnly === true
        ? { 'aria-label': label }
        : { style: { paddingInlineStart: 12 + level * 16 } })}
      draggable={false}
      data-folder={dropFolder}
      data-over={isOver || undefined}
      onContextMenu={(event) => {
        if (onMenu === undefined) return;
        event.preventDefault();
        const { left, bottom } = event.currentTarget.getBoundingClientRect();
        // The menu key has no coordinates.
        const isByKey = event.clientX === 0 && event.clientY === 0;
        onMenu(
          isByKey ? { x: left, y: bottom } : { x: event.clientX, y: event.clientY },
          event.currentTarget,
        );
      }}
      onClick={(event) => {
        event.preventDefault();
        onOpen();
        onOpened();
      }}
      onKeyDown={(event) => {
        onKeyDown?.(event);
        moveBetweenLinks(event);
      }}
    >
      <span className="nav-item__mark">{mark}</span>
      <span className="nav-item__label" title={label}>
        <bdi>{label}</bdi>
      </span>
      {count > 0 && (
        <span id={countId} className="nav-item__count figures" aria-hidden="true">
          {formatCount(count)}
        </span>
      )}
    </a>
  );
  if (isMarkOnly !== true) return link;
  return (
    <WithTooltip text={label} placement="end">
      <Focusable>{link}</Focusable>
    </WithTooltip>
  );
}
