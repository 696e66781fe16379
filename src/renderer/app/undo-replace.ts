import { replaceTexts } from '../i18n/replace-texts.ts';
import { announce } from '../ui/announce.tsx';
import type { Client } from './client.ts';
import { sayFailure } from './say-failure.ts';

/** Undoes a Replace by an upload, which is listed like any other. */
export function undoReplace(client: Client, id: string): void {
  sayFailure(client.call('undo.restore', { id }).then(() => announce(replaceTexts.undoing)));
}
