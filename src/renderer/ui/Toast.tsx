import type { ReactNode } from 'react';
import { uiTexts } from '../i18n/ui-texts.ts';
import { IconButton } from './Button.tsx';
import { Icon } from './Icon.tsx';
import './toast.css';

/** A message over the window. While it is not shown, its words are still there for assistive technology. */
export function Toast({
  tone,
  isShown,
  onClose,
  children,
}: {
  tone: 'ok' | 'bad';
  isShown: boolean;
  /** Left out: it goes by itself. */
  onClose?: () => void;
  children: ReactNode;
}) {
  return (
    <div className={isShown ? `toast toast--${tone}` : 'visually-hidden'}>
      <Icon name={tone === 'ok' ? 'check' : 'fail'} />
      {children}
      {isShown && onClose !== undefined && (
        <IconButton label={uiTexts.closeMessage} icon="x" size="small" onPress={onClose} />
      )}
    </div>
  );
}
