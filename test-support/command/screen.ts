/**
 * The final content of a terminal: lines without what a progress bar or line editing overwrote. Supports only the
 * control sequences that the command and readline use.
 */
export function toScreen(written: string): string {
  const lines = [''];
  let column = 0;
  const setLine = (text: string) => lines.splice(-1, 1, text);
  // oxlint-disable-next-line no-control-regex
  for (const [piece, sequence] of written.matchAll(/\u001b\[([0-9;?]*[A-Za-z])|[^]/g)) {
    const line = lines.at(-1) ?? '';
    if (sequence !== undefined) {
      if (/^0?[JK]$/.test(sequence)) setLine(line.slice(0, column));
      else if (sequence.endsWith('G')) column = Math.max(Number.parseInt(sequence, 10) || 1, 1) - 1;
      // Colours, bracketed paste and the cursor's shape do not change the text.
      else if (!/^\?\d+[hl]$|m$/.test(sequence))
        throw new Error(`an escape sequence that is not known: ${sequence}`);
    } else if (piece === '\n') {
      lines.push('');
      column = 0;
    } else if (piece === '\r') column = 0;
    else {
      setLine(line.slice(0, column).padEnd(column) + piece + line.slice(column + 1));
      column += 1;
    }
  }
  return lines.join('\n');
}
