import type { WebFrameMain } from 'electron';

/**
 * Whether a message comes from the top frame of our own page. `senderFrame` is null if the frame has gone or
 * navigated since; `origin` is the frame's serialized origin, for our standard scheme `app://coffer`.
 */
export function isTrustedSender(
  frame: Pick<WebFrameMain, 'parent' | 'origin' | 'detached'> | null,
  origin: string,
): boolean {
  return frame !== null && !frame.detached && frame.parent === null && frame.origin === origin;
}
