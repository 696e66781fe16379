import { EventEmitter } from 'node:events';
import type { Page } from './page.ts';
import { refuse } from './refuse.ts';

/** The window's page, for what happens inside it on behalf of others: dialogs, clipboard, notifications, theme. */
export type OpenedPage = { page: Page; shownOrigin: string };

let open: (() => Promise<OpenedPage>) | null = null;

export function setThePage(source: (() => Promise<OpenedPage>) | null): void {
  open = source;
}

export async function thePage(what: string): Promise<OpenedPage> {
  return open ? open() : refuse(`${what} needs a window here`);
}

/** `opened` (Page), `dark` (boolean), `notificationClick` (its number). */
export const fromPage = new EventEmitter();
