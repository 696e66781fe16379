import type { ReactNode } from 'react';
import { Dialog as AriaDialog, Heading, Modal, ModalOverlay } from 'react-aria-components';
import './dialog.css';

type DialogProps = {
  isOpen: boolean;
  /** Escape, or `close` of the children. */
  onClose: () => void;
  title: ReactNode;
  /** The accessible name, where the title shows more or less than it. */
  name?: string;
  /** Facts beside the title. */
  facts?: ReactNode;
  /** At the right of the head, the service for instance. */
  place?: ReactNode;
  /** The dot before the place. */
  placeTone?: 'ok' | 'wait' | 'bad';
  children: ReactNode;
  /** What will happen, left of the buttons. */
  say?: ReactNode;
  buttons: ReactNode;
  /** small: a question; medium: a form; wide: a comparison; sheet: work with choices beside it. */
  size?: 'small' | 'medium' | 'wide' | 'sheet';
  role?: 'dialog' | 'alertdialog';
  className?: string;
};

/** Head, body and foot over the dimmed window. Keeps the focus, gives it back, and closes with Escape. */
export function Dialog(props: DialogProps) {
  const {
    isOpen,
    onClose,
    title,
    name,
    facts,
    place,
    placeTone = 'ok',
    children,
    say,
    buttons,
    size = 'small',
    role,
    className = '',
  } = props;
  return (
    <ModalOverlay
      className="scrim"
      isOpen={isOpen}
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
    >
      <Modal className={`sheet sheet--${size} ${className}`}>
        <AriaDialog
          className="sheet__dialog"
          role={role ?? 'dialog'}
          {...(name === undefined ? {} : { 'aria-label': name })}
        >
          <header className="sheet__head">
            <Heading slot="title" level={2} className="sheet__title">
              {title}
            </Heading>
            <span className="sheet__facts figures">{facts}</span>
            {place !== undefined && (
              <span className={`sheet__place sheet__place--${placeTone}`}>
                <bdi>{place}</bdi>
              </span>
            )}
          </header>
          <div className="sheet__body">{children}</div>
          <footer className="sheet__foot">
            <span className="sheet__say figures">{say}</span>
            {buttons}
          </footer>
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  );
}

/** A sheet of work: title and facts left, place right; work left, choices right. */
export function Sheet(props: Omit<DialogProps, 'size' | 'role'>) {
  return <Dialog {...props} size="sheet" />;
}

/** A question that must be answered before anything else. */
export function AlertDialog(props: Omit<DialogProps, 'size' | 'role'>) {
  return <Dialog {...props} size="small" role="alertdialog" />;
}
