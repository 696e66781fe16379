import { useState, type ReactNode } from 'react';
import { Button, Dialog, DialogTrigger, Popover } from 'react-aria-components';
import { WithTooltip } from '../../ui/Tooltip.tsx';
import { Opened, ReachContext } from './nav-keys.ts';

const freely = { key: '', isFree: true, reach: () => undefined, leave: () => undefined };

/** A group of links in the rail: an icon that opens them beside it. */
export function RailGroup(props: {
  label: string;
  mark: ReactNode;
  /** Whether the current place is one of them. */
  isCurrent: boolean;
  children: ReactNode;
}) {
  const { label, mark, isCurrent, children } = props;
  const [isOpen, setOpen] = useState(false);
  return (
    <DialogTrigger isOpen={isOpen} onOpenChange={setOpen}>
      <WithTooltip text={label} placement="end">
        <Button className="nav-item" aria-label={label} {...(isCurrent && { 'aria-current': 'true' })}>
          <span className="nav-item__mark">{mark}</span>
        </Button>
      </WithTooltip>
      <Popover className="pop rail-group" placement="end top" offset={4}>
        <Dialog aria-label={label} className="rail-group__dialog">
          <Opened value={() => setOpen(false)}>
            <ReachContext value={freely}>
              <nav aria-label={label} className="rail-group__links">
                {children}
              </nav>
            </ReachContext>
          </Opened>
        </Dialog>
      </Popover>
    </DialogTrigger>
  );
}
