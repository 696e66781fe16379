import type { ReactNode } from 'react';
import { Toolbar as AriaToolbar } from 'react-aria-components';

/** A row of buttons that takes one stop of the Tab key; arrows move inside it. */
export function Toolbar({
  label,
  className,
  children,
}: {
  label: string;
  className?: string;
  children: ReactNode;
}) {
  return (
    <AriaToolbar aria-label={label} className={className ?? 'toolbar'}>
      {children}
    </AriaToolbar>
  );
}
