import type { ReactElement } from 'react';
import { Tooltip as AriaTooltip, TooltipTrigger, type TooltipProps } from 'react-aria-components';
import { KeyHint } from './KeyHint.tsx';
import './tooltip.css';

/** Tooltip for a control without visible text. The control must be a React Aria button, link or `Focusable`. */
export function WithTooltip({
  text,
  keys,
  placement = 'top',
  children,
}: {
  text: string;
  keys?: string;
  placement?: NonNullable<TooltipProps['placement']>;
  children: ReactElement;
}) {
  return (
    <TooltipTrigger delay={500} closeDelay={80}>
      {children}
      <AriaTooltip className="tooltip" offset={6} placement={placement}>
        {text}
        {keys !== undefined && <KeyHint keys={keys} />}
      </AriaTooltip>
    </TooltipTrigger>
  );
}
