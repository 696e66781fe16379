import { useEffect, useRef, useState, type ReactNode } from 'react';
import { commonTexts } from '../i18n/common-texts.ts';
import { Button } from '../ui/Button.tsx';
import { AlertDialog } from '../ui/Dialog.tsx';
import { focusHere } from '../ui/focus.ts';

const texts = commonTexts.discard;

/**
 * If anything was edited, `close` asks first, because a key press may have been accidental. Render `question` inside
 * the element being closed; the focus is on the answer that loses nothing.
 */
export function useDiscardQuestion(
  title: string,
  isEdited: boolean,
  onDiscard: () => void,
): { close: () => void; question: ReactNode } {
  const [isAsking, setAsking] = useState(false);
  /** A popover under a field takes the focus before the question can record it. */
  const hadFocus = useRef<Element | null>(null);
  useEffect(() => {
    if (!isAsking && hadFocus.current instanceof HTMLElement) hadFocus.current.focus();
  }, [isAsking]);
  const ask = () => {
    hadFocus.current = document.activeElement;
    setAsking(true);
  };
  const keep = () => setAsking(false);
  const discard = () => {
    setAsking(false);
    onDiscard();
  };
  return {
    close: () => (isEdited ? ask() : onDiscard()),
    question: isAsking && (
      <AlertDialog
        isOpen
        onClose={keep}
        title={title}
        buttons={
          <>
            <Button size="large" {...focusHere} onPress={keep}>
              {texts.keep}
            </Button>
            <Button kind="fatal" size="large" onPress={discard}>
              {texts.discard}
            </Button>
          </>
        }
      >
        <p>{texts.text}</p>
      </AlertDialog>
    ),
  };
}
