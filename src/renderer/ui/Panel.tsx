import type { ReactNode, RefObject } from 'react';
import { Dialog, Popover } from 'react-aria-components';
import './panel.css';

/** Popover above a button at the bottom. Traps focus, restores it on close, and closes on Escape. */
export function Panel({
  label,
  anchor,
  isOpen,
  onOpenChange,
  children,
}: {
  label: string;
  anchor: RefObject<HTMLElement | null>;
  isOpen: boolean;
  onOpenChange: (isOpen: boolean) => void;
  children: ReactNode;
}) {
  return (
    <Popover
      className="pop panel"
      triggerRef={anchor}
      isOpen={isOpen}
      onOpenChange={onOpenChange}
      placement="top start"
      offset={6}
      crossOffset={8}
    >
      <Dialog className="panel__dialog" aria-label={label}>
        {children}
      </Dialog>
    </Popover>
  );
}
