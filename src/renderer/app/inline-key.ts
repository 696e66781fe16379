import { languageInForce } from '../../shared/i18n/language.ts';

/** Which way along the line an arrow key leads: left and right change places where one reads from the right. null: neither. */
export function inlineKey(key: string): 'start' | 'end' | null {
  if (key !== 'ArrowLeft' && key !== 'ArrowRight') return null;
  return (key === 'ArrowRight') === isFromLeft() ? 'end' : 'start';
}

/** The edge of a box where its line begins. Pixels of the window. */
export function inlineStart({ left, right }: Pick<DOMRect, 'left' | 'right'>): number {
  return isFromLeft() ? left : right;
}

/** Pixels to the right as pixels along the line. */
export function alongLine(px: number): number {
  return isFromLeft() ? px : -px;
}

/** One reads from the left. */
export function isFromLeft(): boolean {
  return languageInForce().direction === 'ltr';
}
