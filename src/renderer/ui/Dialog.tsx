import { useEffect, useState, type ReactElement, type ReactNode } from 'react';
import { Dialog as AriaDialog, Heading, Modal, ModalOverlay } from 'react-aria-components';
import { useMessagesHeld } from './announce.tsx';
import { keepFocus } from './focus.ts';
import { useCountedDialog } from './open-dialogs.ts';
import { PopoverBounds } from './popover-bounds.ts';
import { useRootClass } from './root-class.ts';
import './dialog.css';

type DialogProps = {
  isOpen: boolean;
  /** Called on Escape, and by the `close` that children get. */
  onClose: () => void;
  title: ReactNode;
  /** The accessible name, if it differs from the title. */
  name?: string;
  facts?: ReactNode;
  /** At the end of the header, for example the service. */
  place?: ReactElement;
  children: ReactNode;
  /** States what will happen, beside the buttons. */
  say?: ReactNode;
  /** Omitted: there is no footer. */
  buttons?: ReactNode;
  /** small: a question; medium: a form; wide: a comparison; sheet: a task with its options; look: the whole window. */
  size?: 'small' | 'medium' | 'wide' | 'sheet' | 'look';
  role?: 'dialog' | 'alertdialog';
  className?: string;
};

/** Modal dialog with header, body and footer. Traps focus, restores it on close, and closes on Escape. */
export function Dialog(props: DialogProps) {
  const {
    isOpen,
    onClose,
    title,
    name,
    facts,
    place,
    children,
    say,
    buttons,
    size = 'small',
    role,
    className = '',
  } = props;
  const [sheet, setSheet] = useState<HTMLElement | null>(null);
  return (
    <ModalOverlay
      className="scrim"
      isOpen={isOpen}
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
    >
      <Modal ref={setSheet} className={`sheet sheet--${size} ${className}`}>
        <PopoverBounds value={size === 'sheet' ? sheet : null}>
          <AriaDialog
            className="sheet__dialog"
            role={role ?? 'dialog'}
            {...(name === undefined ? {} : { 'aria-label': name })}
          >
            <Holding />
            <KeptFocus />

            <header className="sheet__head">
              <Heading slot="title" level={2} className="sheet__title">
                {title}
              </Heading>
              <span className="sheet__facts figures">{facts}</span>
              {place !== undefined && <span className="sheet__place">{place}</span>}
            </header>
            <div className="sheet__body">{children}</div>
            {buttons !== undefined && (
              <footer className="sheet__foot">
                <span className="sheet__say figures">{say}</span>
                {buttons}
              </footer>
            )}
          </AriaDialog>
        </PopoverBounds>
      </Modal>
    </ModalOverlay>
  );
}

/** Nothing that can wait covers a dialog: other questions, and messages, for which a small window leaves no room. */
function Holding() {
  useCountedDialog();
  useMessagesHeld('polite');
  useRootClass('has-dialog');
  return null;
}

/** The dialog restores the focus in the first frame after closing; the element may be gone by then. */
function KeptFocus() {
  useEffect(() => () => void requestAnimationFrame(() => requestAnimationFrame(keepFocus)), []);
  return null;
}

/** Large dialog for a task: content above, options below. */
export function Sheet(props: Omit<DialogProps, 'size' | 'role'>) {
  return <Dialog {...props} size="sheet" />;
}

export function AlertDialog(props: Omit<DialogProps, 'size' | 'role'>) {
  return <Dialog {...props} size="small" role="alertdialog" />;
}
