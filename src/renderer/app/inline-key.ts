import { languageInForce } from '../../shared/i18n/language.ts';

/**
 * The direction of an arrow key along the line; left and right swap in right-to-left languages. null: not along the
 * line.
 */
export function inlineKey(key: string): 'start' | 'end' | null {
  if (key !== 'ArrowLeft' && key !== 'ArrowRight') return null;
  return (key === 'ArrowRight') === isFromLeft() ? 'end' : 'start';
}

/** The edge of a box at which its line begins, in pixels of the window. */
export function inlineStart({ left, right }: Pick<DOMRect, 'left' | 'right'>): number {
  return isFromLeft() ? left : right;
}

/** Converts a distance to the right into one along the line, in pixels. */
export function alongLine(px: number): number {
  return isFromLeft() ? px : -px;
}

/** Whether the language is written from left to right. */
export function isFromLeft(): boolean {
  return languageInForce().direction === 'ltr';
}
