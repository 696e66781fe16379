/**
 * Copies a text on a key or button press. The asynchronous clipboard needs a permission that this window does not
 * grant; the copy command only needs the press.
 * @returns whether it worked
 */
export function copyText(text: string): boolean {
  const fill = (event: ClipboardEvent) => {
    event.clipboardData?.setData('text/plain', text);
    event.preventDefault();
  };
  document.addEventListener('copy', fill, { once: true, capture: true });
  const isCopied = document.execCommand('copy');
  document.removeEventListener('copy', fill, { capture: true });
  return isCopied;
}
