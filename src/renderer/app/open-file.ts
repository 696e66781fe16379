import { pageLimitMax } from '../../shared/domain/object.ts';
import { commonTexts } from '../i18n/common-texts.ts';
import { announce } from '../ui/announce.tsx';
import type { Client } from './client.ts';
import { sayFailure } from './say-failure.ts';

/** Opens a downloaded file with its program; reports an error if it is no longer what was downloaded. */
export function openFile(client: Client, transferId: number): void {
  sayFailure(
    client.call('transfers.openFile', { id: transferId }).then(({ fileName, isChanged }) => {
      if (isChanged) announce(commonTexts.fileChanged({ fileName }));
    }),
  );
}

/** Shows the file of a download in its folder, or the folder of several. */
export function showInFolder(client: Client, transferIds: readonly number[]): void {
  sayFailure(client.call('transfers.showInFolder', { ids: transferIds.slice(0, pageLimitMax) }));
}
