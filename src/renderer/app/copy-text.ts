/**
 * Puts a text on the clipboard, in answer to a press. The asynchronous clipboard needs a permission, and this window
 * grants none; the copy command needs the press alone. Answers whether it worked.
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
