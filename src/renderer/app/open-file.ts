import { commonTexts } from '../i18n/common-texts.ts';
import { announce } from '../ui/announce.tsx';
import type { Client } from './client.ts';
import { sayFailure } from './say-failure.ts';

/** Opens the file of a download as the desktop does; says so when it is not what was downloaded any more. */
export function openFile(client: Client, transferId: number): void {
  sayFailure(
    client.call('transfers.openFile', { id: transferId }).then(({ fileName, isChanged }) => {
      if (isChanged) announce(commonTexts.fileChanged({ fileName }));
    }),
  );
}

export function showInFolder(client: Client, transferId: number): void {
  sayFailure(client.call('transfers.showInFolder', { id: transferId }));
}
