import type { Host } from '../host.ts';
import { Revision } from '../lib/revision.ts';
import { shortenHome } from '../local-files/shorten-home.ts';
import { createEdits } from './edits.ts';
import { watchFolder } from './follow-file.ts';
import { createTakeOut } from './take-out.ts';

export async function edits(host: Host) {
  const { catalogue, engine, localCopies, notifications, paths, publisher } = host;
  const revision = new Revision((current) => publisher.publish('edits.changed', { revision: current }));
  host.onClose(() => revision.cancel());
  const own = await createEdits({
    ...host,
    userData: paths.userData,
    onRowsChanged: (listener) => catalogue.onChanged(listener),
    readLocal: (object) => localCopies.read(object, (id) => engine.localFilesOf(id)),
    watchFolder,
    onLeft: (folder) => notifications.filesLeft(shortenHome(folder, paths.home)),
    revision: () => revision.current,
    onChanged(serviceIds) {
      revision.increase();
      for (const serviceId of serviceIds) host.touch(serviceId);
    },
  });
  host.onClose(() => own.close());
  host.onServiceRemoved((serviceId) => own.removeService(serviceId));
  host.addUnsaved((serviceId) => own.unsavedOf(serviceId));
  host.everyHour(() => own.copies.removeOld());
  host.ownFolders.push(...own.folders);
  const takeOut = createTakeOut({ ...host, copies: own.copies });
  return { ...own, handlers: { ...own.handlers, ...takeOut.handlers } };
}
