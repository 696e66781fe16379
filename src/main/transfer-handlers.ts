import type { Host } from './host.ts';
import { gather } from './lib/timers.ts';
import { createTransferHandlers } from './transfers/handlers.ts';
import { createUndoHandlers } from './transfers/undo-handlers.ts';
import { createUnknownFiles } from './transfers/undo/unknown-files.ts';

/** Transfers and undo copies: what is asked of them, and what the window and the desktop hear of them. */
export function transfers(host: Host) {
  const { background, catalogue, desktop, engine, grants, log, notifications, paths, publisher } = host;
  const { ownFolders, touch, undoCopies, work } = host;
  host.everyHour(() => undoCopies.trim());
  catalogue.onChanged(touch);
  engine.onChanged(({ summary, serviceIds }) => {
    publisher.publish('transfers.changed', summary);
    notifications.transfersChanged(summary, host.settings());
    background.summaryChanged(summary);
    // A token was refused or replaced.
    work.changed();
    // Rows of the window show the state of their transfers.
    for (const serviceId of serviceIds) touch(serviceId);
  });
  const undoChanged = () => publisher.publish('undo.changed', undefined);
  undoCopies.onChanged(undoChanged);
  const publishEnded = gather<number>((ids) => publisher.publish('transfers.ended', { ids }));
  engine.onEnded(({ id }) => publishEnded(id));
  engine.onProgress((progress) => {
    publisher.publish('transfers.progress', progress);
    background.progressed(progress);
  });
  engine.onClosing((warning) => {
    publisher.publish('transfers.closing', warning);
    notifications.windowCloses(warning);
  });
  // Do not wait for the first change: everything may be paused, or wait for an answer.
  if (host.isApp)
    engine.summary().then(
      (summary) => background.summaryChanged(summary),
      (cause: unknown) => log.warn('the transfers were not counted', { cause }),
    );
  return {
    ...createTransferHandlers(engine, desktop, grants, paths.home),
    ...createUndoHandlers({
      ...host,
      unknown: createUnknownFiles(ownFolders, log),
      onUnknownRemoved: undoChanged,
    }),
  };
}
