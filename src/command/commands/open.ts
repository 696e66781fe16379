import { rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { AppFailure } from '../../shared/app-failure.ts';
import { objectFileName } from '../../shared/domain/file-name.ts';
import { isOpenable } from '../../shared/domain/openable.ts';
import type { Run } from '../context.ts';
import { openCopy } from '../engine/open-copy.ts';
import { exitCodeOfAll, exitCodes } from '../errors/exit-code.ts';
import { makeOpenFolder, removeOldOpened, sealOpened } from '../files/kept-copies.ts';
import { markFile, webMarkOf } from '../../main/local-files/web-mark.ts';
import { findMeant } from '../objects/find-objects.ts';
import { followTransfers } from '../transfers/follow.ts';
import { commandTexts as texts } from '../texts.ts';

/** `coffer open ID`. Without the app the copy outlives the command: the program that shows it may read it only later. */
export function open(identifier: string, { exact = false }: { exact?: boolean } = {}): Run {
  return async (context) => {
    const { io, coffer, output, doneBy } = context;
    const service = await context.service();
    const { named, codes } = await findMeant(context, service, [identifier], exact);
    const row = named.get(identifier);
    if (!row) return exitCodeOfAll(codes);
    const fileName = objectFileName(row, service.separator);
    const { done, doneAs } = texts.copy[isOpenable(fileName) ? 'opened' : 'shown'];
    if (doneBy === 'app') {
      await coffer.call('edits.open', { objectId: row.id });
      output.say(done({ identifier: row.identifier }));
      return exitCodes.done;
    }
    await removeOldOpened(io);
    let folder = await makeOpenFolder(io);
    let isOpened = false;
    try {
      const [grant = ''] = await coffer.grant([join(folder, fileName)]);
      const how = { grant, as: 'file', request: 'direct' } as const;
      const { ids } = await coffer.call('command.get', { objectIds: [row.id], ...how });
      const code = await followTransfers({ ...context, hasList: false }, ids, { ended: () => undefined });
      if (code !== exitCodes.done) {
        // Nothing would show the copy after this command.
        await coffer.call('transfers.cancel', { which: ids });
        return code;
      }
      // A program of the desktop gets it, and a command's downloads are not marked.
      const mark = webMarkOf(io.platform);
      if (mark) await markFile(join(folder, fileName), mark);
      const path = await sealOpened(folder, fileName);
      folder = dirname(path);
      isOpened = await openCopy(path, io);
      if (!isOpened) throw new AppFailure({ code: 'fileNotOpened', problem: 'noApp', isCopy: true });
      output.say(doneAs({ identifier: row.identifier, path }));
      return exitCodes.done;
    } finally {
      if (!isOpened) await rm(folder, { recursive: true, force: true });
    }
  };
}
