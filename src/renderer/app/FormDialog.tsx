import { useLayoutEffect, useRef, type KeyboardEvent, type ReactNode } from 'react';
import { errorText } from '../../shared/i18n/error-text.ts';
import { commonTexts } from '../i18n/common-texts.ts';
import { Button } from '../ui/Button.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { ErrorNote } from '../ui/ErrorNote.tsx';
import { isFocusLost, leaveField } from '../ui/focus.ts';
import './form-dialog.css';
import type { Act } from './use-act.ts';
import { useDoneKey } from './use-done-key.ts';
import { ServicePlace } from './ServicePlace.tsx';

type Props = {
  title: string;
  place: string;
  say?: ReactNode;
  size?: 'medium' | 'wide';
  act: Act;
  /** Submits the form. `key`: of a step, so that pressing Enter twice does not submit the next one too. */
  button: {
    key?: string;
    label: string;
    isReady?: boolean;
    /** What is missing while it is not ready, shown in place of `say`. */
    needs?: string;
    onPress: () => void;
  };
  /** In place of Cancel; null: there is nothing left to cancel. */
  back?: { label: string; onPress: () => void } | null;
  /** The action cannot be cancelled: the dialog stays open until it has finished. */
  isHeld?: boolean;
  onClose: () => void;
  children: ReactNode;
};

/** A form in a dialog: Cancel, and a button that submits, as do Enter in a single-line field and Ctrl+Enter. Shows errors. */
export function FormDialog(props: Props) {
  const { title, place, say, size = 'wide', act, button, isHeld = false, children } = props;
  const isBound = isHeld && act.isRunning;
  const onClose = () => isBound || props.onClose();
  const { back = { label: commonTexts.cancel, onPress: onClose } } = props;
  const press = () => {
    if (button.isReady !== false && !act.isRunning) button.onPress();
  };
  const form = useRef<HTMLDivElement>(null);
  useDoneKey(press, form);
  // The next step has none of the buttons and fields of the last one: keys still reach the dialog.
  const step = useRef(button.key);
  useLayoutEffect(() => {
    if (step.current !== button.key && form.current !== null && isFocusLost()) leaveField(form.current);
    step.current = button.key;
  }, [button.key]);
  return (
    <Dialog
      isOpen
      size={size}
      onClose={onClose}
      title={title}
      place={<ServicePlace name={place} />}
      say={button.isReady === false ? (button.needs ?? say) : say}
      buttons={
        <>
          {back !== null && (
            <Button size="large" isDisabled={isBound} onPress={back.onPress}>
              {back.label}
            </Button>
          )}
          <Button
            key={button.key}
            kind="primary"
            size="large"
            isDisabled={button.isReady === false}
            isPending={act.isRunning}
            onPress={button.onPress}
          >
            {button.label}
          </Button>
        </>
      }
    >
      <div
        ref={form}
        role="presentation"
        className="form-dialog"
        onKeyDown={(event) => isEnterInLine(event) && press()}
      >
        {children}
      </div>
      {act.error !== null && (
        <div ref={showWhole} className="form-dialog__failed">
          <ErrorNote {...errorText(act.error)} />
        </div>
      )}
    </Dialog>
  );
}

/** In a low window the form fills the dialog, and the error is below it. */
const showWhole = (note: HTMLElement | null) => note?.scrollIntoView({ block: 'nearest' });

/** Pickers handle Enter themselves, and so do number fields, which commit their value on it. */
function isEnterInLine({ key, repeat, nativeEvent, target, currentTarget }: KeyboardEvent): boolean {
  if (key !== 'Enter' || repeat || nativeEvent.isComposing || !(target instanceof HTMLInputElement))
    return false;
  // React's events also come from dialogs over this one.
  if (!currentTarget.contains(target) || target.role === 'combobox') return false;
  return target.type === 'text' || target.type === 'password';
}
