import { EventEmitter } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type { Page } from './page.ts';
import { refuse } from './refuse.ts';

/** The window's page, used for dialogs, clipboard, notifications and theme. */
export type OpenedPage = { page: Page; shownOrigin: string; isFocused: () => boolean };

let open: (() => Promise<OpenedPage>) | null = null;

export function setThePage(source: (() => Promise<OpenedPage>) | null): void {
  open = source;
}

export async function thePage(what: string): Promise<OpenedPage> {
  return open ? open() : refuse(`${what} needs a window here`);
}

const pageWork = new Set<Promise<unknown>>();

/** Electron does this work synchronously: keeps the window open until it is done, unless its page has crashed. */
export function noteWork(work: Promise<unknown>): void {
  const done = work.catch(() => undefined).finally(() => pageWork.delete(done));
  pageWork.add(done);
}

export async function settlePageWork(): Promise<void> {
  await Promise.race([Promise.all(pageWork), delay(1_000, undefined, { ref: false })]);
}

/** Events: `opened` (Page), `dark` (boolean), `notificationClick` (its number). */
export const fromPage = new EventEmitter();
