/** Whether what had the focus is gone, so that something else may take it. */
export function isFocusLost(): boolean {
  const { activeElement } = document;
  return activeElement === document.body || activeElement?.localName === 'main';
}

/** If what had the focus is gone, the main part of the screen takes it: Tab and a screen reader go on from there. */
export function keepFocus(): void {
  if (document.activeElement === document.body) document.querySelector('main')?.focus();
}
