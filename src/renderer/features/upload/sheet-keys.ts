import { useEffect, useRef, type RefObject } from 'react';
import type { UploadPlan } from '../../../shared/domain/upload-plan.ts';
import type { ClassificationPickerHandle } from '../../app/classification/ClassificationPicker.tsx';
import { isMac } from '../../app/key-bindings.ts';

type FirstFocusOptions = {
  upload: RefObject<HTMLButtonElement | null>;
  picker: RefObject<ClassificationPickerHandle | null>;
  plan: Pick<UploadPlan, 'problems'>;
  /** null: no choice; undefined: the default is not known yet. */
  classification: string | null | undefined;
  mayUpload: boolean;
};

/**
 * Focuses the first thing to do once everything is loaded: the first invalid identifier or another remedy; else the
 * classification if none is chosen; else the upload button. Does nothing if the focus is in the sheet already.
 * @returns call when rows were rendered, which happens later
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
