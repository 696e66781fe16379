import { basename } from 'node:path';
import type { Handlers } from '../../shared/contract.ts';
import type { Dialogs, Paths } from '../ports.ts';
import { shortenHome } from '../profiles/download-folder.ts';
import type { Grants } from './grants.ts';

export type FileHandlers = Pick<Handlers, 'files.chooseFiles' | 'files.chooseFolders' | 'files.chooseOne'>;

/** What the person chooses in a dialog reaches the page as grants and names for people, never as paths. */
export function createFileHandlers(deps: {
  dialogs: Dialogs;
  grants: Grants;
  paths: Pick<Paths, 'home'>;
}): FileHandlers {
  const { dialogs, grants, paths } = deps;
  const grantAll = (chosen: string[]) => (chosen.length > 0 ? { grants: grants.grant(chosen) } : null);

  async function chooseOne(purpose: 'authority' | 'downloadFolder') {
    if (purpose === 'downloadFolder') {
      const [path] = await dialogs.openFolders();
      return path === undefined ? null : { path, label: shortenHome(path, paths.home) };
    }
    const path = await dialogs.openFile({
      title: 'Authority file',
      filters: [
        { name: 'Certificates', extensions: ['pem', 'crt', 'cer'] },
        { name: 'All files', extensions: ['*'] },
      ],
    });
    return path === null ? null : { path, label: basename(path) };
  }

  return {
    'files.chooseFiles': async () => grantAll(await dialogs.openFiles()),
    'files.chooseFolders': async () => grantAll(await dialogs.openFolders()),
    'files.chooseOne': async ({ purpose }) => {
      const chosen = await chooseOne(purpose);
      const [grant] = chosen ? grants.grant([chosen.path]) : [];
      return chosen && grant !== undefined ? { grant, label: chosen.label } : null;
    },
  };
}
