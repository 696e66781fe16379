import type { WebFrameMain } from 'electron';

/**
 * Whether a message comes from the top frame of our own page. `senderFrame` is null if the frame has gone or
 * navigated since; `origin` is the frame's serialized origin, for our standard scheme `app://coffer`. `detached` says nothing: Electron leaves
 * it set on the frame of a page that was loaded again after a crash (`UpdateRenderFrameHost` in electron_api_web_frame_main.cc; seen with
 * Electron 33).
 */
export function isTrustedSender(
  frame: Pick<WebFrameMain, 'parent' | 'origin' | 'isDestroyed'> | null,
  origin: string,
): boolean {
  return frame !== null && !frame.isDestroyed() && frame.parent === null && frame.origin === origin;
}
