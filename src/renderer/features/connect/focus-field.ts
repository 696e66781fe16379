import type { ServiceField } from '../../app/service-field.ts';

/** For the element that holds a field. */
export function fieldMark(field: ServiceField): { 'data-field': ServiceField } {
  return { 'data-field': field };
}

/** What is typed into, else the choice that is made, else the button that leads to another one. */
const controls = [
  'input:not([type="radio"]), textarea',
  'input[type="radio"]:checked',
  'button:last-of-type',
] as const;

/** Puts the keyboard on a field of the form, and the field into view. */
export function focusField(form: HTMLElement | null, field: ServiceField): void {
  const holder = form?.querySelector(`[data-field="${field}"]`);
  for (const control of controls) {
    const found = holder?.querySelector<HTMLElement>(control);
    if (found) return found.focus();
  }
}
