import type * as Electron from 'electron';
import { provideOnly, refuse } from './refuse.ts';

export type Frame = Pick<Electron.WebFrameMain, 'url' | 'origin' | 'detached'> & { parent: Frame | null };
type Handler = (event: { senderFrame: Frame | null; sender: unknown }, ...args: unknown[]) => unknown;

const handlers = new Map<string, Handler>();

export const ipcMain = provideOnly('ipcMain', {
  handle: (channel: string, handler: Handler): void => {
    if (handlers.has(channel)) refuse(`Attempted to register a second handler for '${channel}'`);
    handlers.set(channel, handler);
  },
  removeHandler: (channel: string): void => void handlers.delete(channel),
});

/** Handles an `invoke` of the window. Rejects with the text that Electron gives to the page. */
export async function answerInvoke(
  channel: string,
  args: unknown[],
  senderFrame: Frame | null,
  sender: unknown,
): Promise<unknown> {
  const handler = handlers.get(channel);
  try {
    if (!handler) throw new Error(`No handler registered for '${channel}'`);
    return await handler({ senderFrame, sender }, ...args);
  } catch (cause) {
    throw new Error(`Error invoking remote method '${channel}': ${String(cause)}`, { cause });
  }
}
