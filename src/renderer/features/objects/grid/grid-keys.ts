import { inlineKey } from '../../../app/key-bindings.ts';
import { isPressed, listKeys, type Press } from '../../../../shared/keys.ts';

/** The meaning of a key in the grid, apart from commands: `to` is a row, `how` is the effect on the selection. */
export type Intent =
  | { kind: 'go'; to: number; how: 'only' | 'extend' | 'keep' }
  | { kind: 'toggle' }
  | { kind: 'all' }
  | { kind: 'clear' }
  | { kind: 'copy' }
  | { kind: 'copyIdentifiers' };

/** Letters typed within this time, in ms, form one word. */
export const typingMs = 1000;

/** The text typed so far to find a name, and when. */
export type Typed = { text: string; atMs: number };

/** The text extended by this key; null: not a character. A space continues a word but begins none. */
export function typeOn(event: Press, { text, atMs }: Typed, nowMs: number): Typed | null {
  if (event.altKey || event.ctrlKey || event.metaKey || !/^.$/su.test(event.key)) return null;
  const before = nowMs - atMs < typingMs ? text : '';
  if (before === '' && !/[\p{L}\p{N}_.-]/u.test(event.key)) return null;
  return { text: (before + event.key).slice(0, 200), atMs: nowMs };
}

/** Repeating one letter moves between rows with that initial; a longer word stays on a row that matches. */
export function soughtName({ text }: Typed, cursor: number): { typed: string; from: number } {
  const [first = ''] = text.match(/./su) ?? [];
  const isSame = text === first.repeat(text.length / Math.max(1, first.length));
  return isSame ? { typed: first, from: cursor + 1 } : { typed: text, from: cursor };
}

type Standing = {
  cursor: number;
  total: number;
  /** Rows are side by side, so Left and Right move as well. */
  isTiled: boolean;
  /** Number of visible lines. */
  pageLines: number;
  /** Index of the row that is `lines` below the cursor. */
  below: (lines: number) => number;
};

export function readKey(event: Press, { cursor, total, isTiled, pageLines, below }: Standing): Intent | null {
  if (event.altKey) return null;
  const ctrl = event.ctrlKey || event.metaKey;
  const steps: Record<string, number> = {
    ArrowDown: below(1),
    ArrowUp: below(-1),
    PageDown: below(Math.max(1, pageLines - 1)),
    PageUp: below(-Math.max(1, pageLines - 1)),
    Home: 0,
    End: total - 1,
  };
  const way = isTiled ? inlineKey(event.key) : null;
  const along = way === null ? undefined : cursor + (way === 'end' ? 1 : -1);
  const step = Object.hasOwn(steps, event.key) ? steps[event.key] : along;
  if (step !== undefined) {
    if (total === 0) return null;
    const how = event.shiftKey ? 'extend' : ctrl ? 'keep' : 'only';
    return { kind: 'go', to: Math.max(0, Math.min(step, total - 1)), how };
  }
  if (isPressed(listKeys.toggle, event)) return { kind: 'toggle' };
  if (isPressed(listKeys.clear, event)) return { kind: 'clear' };
  if (isPressed(listKeys.all, event)) return { kind: 'all' };
  if (isPressed(listKeys.copy, event)) return { kind: 'copy' };
  if (isPressed(listKeys.copyIdentifiers, event)) return { kind: 'copyIdentifiers' };
  return null;
}
