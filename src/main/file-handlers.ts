import { basename } from 'node:path';
import { mainTexts } from './texts.ts';
import type { Handlers } from '../shared/contract.ts';
import type { Host } from './host.ts';
import type { Dialogs, FileFilter, Publisher } from './ports.ts';
import { shortenHome } from './local-files/shorten-home.ts';
import type { Grants } from './local-files/grants.ts';

function fileDialog(purpose: 'authority' | 'clientCertificate' | 'upload'): {
  title: string;
  filters: FileFilter[];
} {
  const texts = mainTexts.dialog;
  if (purpose === 'upload') return { title: texts.upload, filters: [] };
  const filter =
    purpose === 'authority'
      ? { name: texts.certificates, extensions: ['pem', 'crt', 'cer'] }
      : { name: texts.clientCertificates, extensions: ['pfx', 'p12'] };
  return { title: texts[purpose], filters: [filter] };
}

/** File dialogs. The window gets grants; null: the user cancelled. */
export function createFileHandlers(
  dialogs: Dialogs,
  grants: Grants,
  /** Absolute. */
  home: string,
): Pick<Handlers, `files.${'chooseFiles' | 'chooseFolders' | 'chooseOne'}`> {
  const toReply = (paths: string[]) => (paths.length === 0 ? null : { grants: grants.grant(paths) });
  return {
    'files.chooseFiles': async () => toReply(await dialogs.openFiles()),
    'files.chooseFolders': async () => toReply(await dialogs.openFolders()),
    'files.chooseOne': async ({ purpose }) => {
      const isFolder = purpose === 'downloadFolder' || purpose === 'watchedFolder';
      const path = isFolder ? (await dialogs.openFolders())[0] : await dialogs.openFile(fileDialog(purpose));
      if (path == null) return null;
      const [grant] = grants.grant([path]);
      if (grant === undefined) return null;
      return { grant, label: isFolder ? shortenHome(path, home) : basename(path) };
    },
  };
}

/** Files that were dropped outside the window, such as on the icon in the menu bar. The window takes them when it is ready. */
export function createDroppedFiles(
  grants: Pick<Grants, 'grant'>,
  publisher: Publisher,
): { handlers: Pick<Handlers, 'files.takeDropped'>; drop: (paths: string[]) => void } {
  /** Absolute paths. */
  let dropped: string[] = [];
  return {
    handlers: {
      'files.takeDropped'({ isWanted }) {
        const paths = dropped;
        dropped = [];
        return isWanted ? { grants: grants.grant(paths), refused: 0 } : { grants: [], refused: paths.length };
      },
    },
    drop(paths) {
      dropped = [...dropped, ...paths];
      publisher.publish('files.dropped', undefined);
    },
  };
}

export function files({ dialogs, grants, paths, publisher }: Host) {
  const dropped = createDroppedFiles(grants, publisher);
  return {
    handlers: { ...createFileHandlers(dialogs, grants, paths.home), ...dropped.handlers },
    drop: dropped.drop,
  };
}
