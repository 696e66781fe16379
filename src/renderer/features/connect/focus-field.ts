import type { ServiceField } from '../../app/service-field.ts';

/** Attributes for the element that contains a field. */
export function fieldMark(field: ServiceField): { 'data-field': ServiceField } {
  return { 'data-field': field };
}

/** The text field, else the selected choice, else the button that chooses another one. */
const controls = [
  'input:not([type="radio"]), textarea',
  'input[type="radio"]:checked',
  'button:last-of-type',
] as const;

/** Focuses a field of the form and scrolls it into view. */
export function focusField(form: HTMLElement | null, field: ServiceField): void {
  const holder = form?.querySelector(`[data-field="${field}"]`);
  for (const control of controls) {
    const found = holder?.querySelector<HTMLElement>(control);
    if (found) return found.focus();
  }
}
