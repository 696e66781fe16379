import { uiTexts } from '../i18n/ui-texts.ts';
import type { ReactNode } from 'react';
import { Button, IconButton } from './Button.tsx';
import { Icon } from './Icon.tsx';
import './toast.css';

/** A message over the window. While hidden, its text remains available to assistive technology. */
export function Toast({
  tone,
  isShown,
  onHold,
  onClose,
  act = null,
  children,
}: {
  tone: 'ok' | 'bad';
  isShown: boolean;
  /** Called when the pointer or focus enters or leaves. */
  onHold?: (isHeld: boolean) => void;
  /** Omitted: it cannot be closed. */
  onClose?: () => void;
  /** A button that also closes the message. */
  act?: { label: string; run: () => void } | null;
  children: ReactNode;
}) {
  return (
    <div
      onMouseEnter={() => onHold?.(true)}
      onMouseLeave={() => onHold?.(false)}
      onFocus={() => onHold?.(true)}
      onBlur={() => onHold?.(false)}
      className={isShown ? `toast toast--${tone}` : 'visually-hidden'}
    >
      <Icon name={tone === 'ok' ? 'check' : 'fail'} />
      {children}
      {isShown && act !== null && (
        <Button
          kind="link"
          onPress={() => {
            act.run();
            onClose?.();
          }}
        >
          {act.label}
        </Button>
      )}
      {isShown && onClose !== undefined && (
        <IconButton label={uiTexts.closeMessage} icon="x" size="small" onPress={onClose} />
      )}
    </div>
  );
}
