import { use, type ReactElement, type ReactNode, type RefAttributes } from 'react';
import { Button as AriaButton, type ButtonProps as AriaButtonProps } from 'react-aria-components';
import { useAbout } from './about.ts';
import { Icon } from './Icon.tsx';
import type { IconName } from './icons.tsx';
import { KeyHint } from './KeyHint.tsx';
import { OutOfTabOrder } from './focus.ts';
import { WithTooltip } from './Tooltip.tsx';
import './button.css';
import './button-pending.css';

/** primary: at most one per screen. fatal: the red button of a confirmation. */
type ButtonKind = 'primary' | 'line' | 'plain' | 'quiet' | 'bad' | 'fatal' | 'link';
type ButtonSize = 'small' | 'regular' | 'large';

type Own = Omit<AriaButtonProps, 'children' | 'className' | 'style'> &
  RefAttributes<HTMLButtonElement> & { className?: string };

type ButtonProps = Own & {
  kind?: ButtonKind;
  size?: ButtonSize;
  icon?: IconName;
  /**
   * A shortcut that triggers this button from elsewhere: `shown` as for `KeyHint`, `spoken` as for `aria-keyshortcuts`.
   */
  keys?: { shown: string; spoken: string };
  children: ReactNode;
};

export function Button({
  kind = 'plain',
  size = 'regular',
  icon,
  keys,
  children,
  className,
  ...rest
}: ButtonProps) {
  return (
    <AriaButton
      {...useAbout()}
      excludeFromTabOrder={use(OutOfTabOrder)}
      {...rest}
      {...(keys === undefined
        ? {}
        : { render: (dom) => <button {...dom} aria-keyshortcuts={keys.spoken} /> })}
      className={`btn btn--${kind} btn--${size} ${icon === undefined ? 'btn--text' : ''} ${className ?? ''}`}
    >
      {icon !== undefined && <Icon name={icon} />}
      {children}
      {keys !== undefined && <KeyHint keys={keys.shown} />}
    </AriaButton>
  );
}

type IconButtonProps = Omit<Own, 'aria-label'> & {
  /** Accessible name and tooltip text. */
  label: string;
  icon: IconName;
  keys?: string;
  /** The tooltip, where it says more than the label. */
  hint?: string;
  kind?: 'plain' | 'bad';
  size?: 'small' | 'regular';
  iconSize?: 12 | 16;
};

export function IconButton(props: IconButtonProps): ReactElement {
  const {
    label,
    icon,
    keys,
    hint = label,
    kind = 'plain',
    size = 'regular',
    iconSize = 16,
    className,
    ...rest
  } = props;
  const about = useAbout();
  return (
    <WithTooltip text={hint} {...(keys === undefined ? {} : { keys })}>
      <AriaButton
        {...about}
        excludeFromTabOrder={use(OutOfTabOrder)}
        {...rest}
        aria-label={label}
        className={`btn btn--icon btn--${kind} btn--${size} ${className ?? ''}`}
      >
        <Icon name={icon} size={iconSize} />
      </AriaButton>
    </WithTooltip>
  );
}
