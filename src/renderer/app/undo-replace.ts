import { replaceTexts } from '../i18n/replace-texts.ts';
import { announce } from '../ui/announce.tsx';
import type { Client } from './client.ts';
import { sayFailure } from './say-failure.ts';

/** Begins as any upload does, and stands among them. */
export function undoReplace(client: Client, id: string): void {
  sayFailure(client.call('undo.restore', { id }).then(() => announce(replaceTexts.undoing)));
}
