import type * as Electron from 'electron';
import { provideOnly, refuse } from './refuse.ts';

export type Frame = Pick<Electron.WebFrameMain, 'url' | 'origin' | 'isDestroyed'> & { parent: Frame | null };
type Handler = (event: { senderFrame: Frame | null; sender: unknown }, ...args: unknown[]) => unknown;

const handlers = new Map<string, Handler>();
const listeners = new Map<string, Handler[]>();
let isInEvent = false;

/** Whether a listener or handler runs, up to its first `await`: what Electron calls from a native event, not from a callback of Node. */
export const isInNativeEvent = (): boolean => isInEvent;

function inNativeEvent<T>(work: () => T): T {
  isInEvent = true;
  try {
    return work();
  } finally {
    isInEvent = false;
  }
}

export const ipcMain = provideOnly('ipcMain', {
  handle: (channel: string, handler: Handler): void => {
    if (handlers.has(channel)) refuse(`Attempted to register a second handler for '${channel}'`);
    handlers.set(channel, handler);
  },
  on: (channel: string, listener: Handler): void =>
    void listeners.set(channel, [...(listeners.get(channel) ?? []), listener]),
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
    return await inNativeEvent(() => handler({ senderFrame, sender }, ...args));
  } catch (cause) {
    throw new Error(`Error invoking remote method '${channel}': ${String(cause)}`, { cause });
  }
}

/** Delivers a `send` of the window, which gets no answer. */
export function deliverSend(
  channel: string,
  args: unknown[],
  senderFrame: Frame | null,
  sender: unknown,
): void {
  for (const listener of listeners.get(channel) ?? [])
    inNativeEvent(() => listener({ senderFrame, sender }, ...args));
}
