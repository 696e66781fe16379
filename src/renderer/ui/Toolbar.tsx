import type { ReactNode } from 'react';
import { Toolbar as AriaToolbar } from 'react-aria-components';

/** A toolbar with a single tab stop; arrow keys move inside it. */
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
