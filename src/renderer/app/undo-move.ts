import { objectTexts } from '../i18n/object-texts.ts';
import { announce } from '../ui/announce.tsx';
import type { Client } from './client.ts';

/** Moves that an undo has asked for: when they are done, that is no further step to undo. */
export const movesBack = new Set<number>();

/** The key of the undo of these moves. */
export function moveKey([first]: readonly number[]): string {
  return `move ${String(first)}`;
}

/** Cancels what has not been moved yet, and moves back what has. Says how many can't be. */
export async function undoMove(client: Client, transferIds: readonly number[]): Promise<void> {
  const { leftOut, transferIds: back } = await client.call('objects.undoMove', {
    transferIds: [...transferIds],
  });
  for (const id of back) movesBack.add(id);
  if (leftOut > 0) announce(objectTexts.said.notMovedBack({ count: leftOut }), 'assertive');
}
