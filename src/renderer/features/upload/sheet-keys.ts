import { useEffect, useEffectEvent, useRef, type RefObject } from 'react';
import { doneKeys, isPressed } from '../../../shared/keys.ts';
import type { UploadPlan } from '../../../shared/domain/upload-plan.ts';
import type { ClassificationPickerHandle } from '../../app/classification/ClassificationPicker.tsx';
import { isMac } from '../../app/key-bindings.ts';

type FirstFocusOptions = {
  upload: RefObject<HTMLButtonElement | null>;
  picker: RefObject<ClassificationPickerHandle | null>;
  plan: Pick<UploadPlan, 'problems'>;
  /** null: none is chosen; undefined: the default is not known yet. */
  classification: string | null | undefined;
  mayUpload: boolean;
};

/**
 * Puts the keyboard on the first thing to do, once all is there: the first identifier that is wrong, or what else can be done
 * about a problem; else the classification, when none is chosen; else the upload. Not when it stands on something in the sheet
 * already. Answers what is to be called when rows were drawn, which come later than what is known of them.
 */
export function useFirstFocus(options: FirstFocusOptions): () => void {
  const { upload, picker, plan, classification, mayUpload } = options;
  const isDone = useRef(false);
  const look = () => {
    const sheet = upload.current?.closest('[role="dialog"]');
    if (isDone.current || sheet == null || !mayUpload || classification === undefined) return;
    if (document.activeElement !== sheet) {
      isDone.current = sheet.contains(document.activeElement);
      return;
    }
    isDone.current = true;
    if (plan.problems > 0) {
      const toDo = sheet.querySelector<HTMLElement>('.file__field--bad input, .file__remedy');
      toDo?.focus();
      isDone.current = toDo !== null;
    } else if (classification === null) picker.current?.focus();
    else upload.current?.focus();
  };
  useEffect(look);
  return look;
}

export const uploadKeys = isMac
  ? { shown: '⌘+↩', spoken: 'Meta+Enter' }
  : { shown: 'Ctrl+Enter', spoken: 'Control+Enter' };

/** Ctrl+Enter, or Cmd+Enter, wherever the keyboard stands in the sheet; a question over it has its own keys. */
export function useUploadKey(onUpload: () => void): void {
  const run = useEffectEvent(onUpload);
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (!isPressed(doneKeys, event)) return;
      if (document.querySelector('[role="alertdialog"]') !== null) return;
      // Before the field or the button that it is pressed on.
      event.preventDefault();
      event.stopPropagation();
      run();
    };
    document.addEventListener('keydown', listen, true);
    return () => document.removeEventListener('keydown', listen, true);
  }, []);
}
