import { useRef, type ReactNode } from 'react';
import {
  Header,
  Keyboard,
  Menu as AriaMenu,
  MenuItem,
  MenuSection,
  MenuTrigger,
  Popover,
  Separator,
  Text,
  type PopoverProps,
} from 'react-aria-components';
import { Icon } from './Icon.tsx';
import type { IconName } from './icons.tsx';
import { KeyHint } from './KeyHint.tsx';
import './list.css';

export type MenuEntry =
  | 'line'
  | {
      id: string;
      label: string;
      icon?: IconName;
      mark?: ReactNode;
      /** A word about the entry's state, at the end. */
      text?: string;
      keys?: string;
      kind?: 'bad';
      isDisabled?: boolean;
      onAction: () => void;
    }
  | MenuSet;

/** Mutually exclusive options. */
type MenuSet = {
  kind: 'set';
  id: string;
  label: string;
  /** null: none is chosen. */
  value: string | null;
  choices: readonly { value: string; label: string }[];
  /** Announced for the chosen option. */
  chosenText: string;
  onChoose: (value: string) => void;
};

/** A button that opens a menu. `trigger` must be a React Aria button. */
export function MenuButton({
  trigger,
  label,
  entries,
  placement = 'bottom start',
}: {
  trigger: ReactNode;
  label: string;
  entries: readonly MenuEntry[];
  placement?: NonNullable<PopoverProps['placement']>;
}) {
  return (
    <MenuTrigger>
      {trigger}
      <Popover className="pop" offset={4} placement={placement}>
        <Entries label={label} entries={entries} />
      </Popover>
    </MenuTrigger>
  );
}

/** A menu at the pointer. `at` is in window pixels; null: closed. */
export function ContextMenu({
  at,
  label,
  entries,
  onClose,
  // Beside the pointer, so that a long menu is shifted up instead of scrolling.
  placement = 'end top',
}: {
  at: { x: number; y: number } | null;
  label: string;
  entries: readonly MenuEntry[];
  onClose: () => void;
  placement?: NonNullable<PopoverProps['placement']>;
}) {
  const point = useRef<HTMLSpanElement>(null);
  return (
    <>
      <span ref={point} className="menu__point" style={{ left: at?.x ?? 0, top: at?.y ?? 0 }} />
      <Popover
        className="pop"
        aria-label={label}
        triggerRef={point}
        isOpen={at !== null}
        onOpenChange={(isOpen) => {
          if (!isOpen) onClose();
        }}
        placement={placement}
        offset={0}
      >
        <Entries label={label} entries={entries} onClose={onClose} />
      </Popover>
    </>
  );
}

function Entries({
  label,
  entries,
  onClose,
}: {
  label: string;
  entries: readonly MenuEntry[];
  onClose?: () => void;
}) {
  return (
    <AriaMenu
      className="menu"
      aria-label={label}
      // A menu opened by a button is focused by React Aria.
      {...(onClose === undefined ? {} : { onClose, autoFocus: true })}
      disabledKeys={entries.flatMap((entry) =>
        entry !== 'line' && entry.kind !== 'set' && entry.isDisabled ? [entry.id] : [],
      )}
    >
      {entries.map((entry, index) =>
        entry === 'line' ? (
          // Separators have no id of their own, and entries are never reordered.
          <Separator key={`line ${index}`} className="menu__line" />
        ) : entry.kind === 'set' ? (
          <SetEntries key={entry.id} {...entry} />
        ) : (
          <MenuItem
            key={entry.id}
            id={entry.id}
            textValue={entry.label}
            className={`menu__item ${entry.kind === 'bad' ? 'menu__item--bad' : ''}`}
            onAction={entry.onAction}
          >
            {entry.mark}
            {entry.icon !== undefined && <Icon name={entry.icon} />}
            <Text slot="label" className="menu__label">
              {entry.label}
            </Text>
            {entry.text !== undefined && (
              <Text slot="description" className="option__text">
                {entry.text}
              </Text>
            )}
            {entry.keys !== undefined && (
              <Keyboard>
                <KeyHint keys={entry.keys} />
              </Keyboard>
            )}
          </MenuItem>
        ),
      )}
    </AriaMenu>
  );
}

/** Plain menu items: a check marks the chosen one, and a text for screen readers. */
function SetEntries({ id, label, value, choices, chosenText, onChoose }: MenuSet) {
  return (
    <MenuSection>
      <Header className="menu__head">{label}</Header>
      {choices.map((choice) => (
        <MenuItem
          key={choice.value}
          id={`${id} ${choice.value}`}
          textValue={choice.label}
          className="menu__item menu__item--set"
          onAction={() => onChoose(choice.value)}
        >
          {choice.value === value && <Icon name="check" />}
          <Text slot="label" className="menu__label">
            {choice.label}
          </Text>
          {choice.value === value && (
            <Text slot="description" className="visually-hidden">
              {chosenText}
            </Text>
          )}
        </MenuItem>
      ))}
    </MenuSection>
  );
}
