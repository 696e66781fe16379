import { basename } from 'node:path';
import { safeFileName } from '../../shared/domain/file-name.ts';
import type { Handlers, ReplacedVersion } from '../../shared/contract.ts';
import { toAppError, AppFailure } from '../../shared/app-failure.ts';
import type { Catalogue } from '../objects/catalogue.ts';
import { withSpace } from '../local-files/free-space.ts';
import type { Desktop, Dialogs } from '../ports.ts';
import { mainTexts } from '../texts.ts';
import type { Connections } from '../connections/connections.ts';
import type { Engine } from './engine.ts';
import type { Enqueue } from './queue/enqueue.ts';
import { createTemporaryFile, newTemporaryName, targetOfPath } from '../local-files/target.ts';
import { webMarkOf } from '../local-files/web-mark.ts';
import { isClassificationListed } from './steps/inherited-classification.ts';
import type { Target } from '../local-files/temporary-file.ts';
import type { UndoCopy } from './undo/undo-store.ts';
import type { UndoCopies, VaultEntry } from './undo/undo-copies.ts';
import type { LocalUnknownFile, UnknownFiles } from './undo/unknown-files.ts';

type UndoName =
  | 'ofObject'
  | 'restore'
  | 'saveAs'
  | 'summary'
  | 'clear'
  | 'unknown'
  | 'showUnknown'
  | 'saveUnknown'
  | 'removeUnknown';

export function createUndoHandlers(deps: {
  undoCopies: UndoCopies;
  catalogue: Pick<Catalogue, 'getMany' | 'findByIdentifiers'>;
  engine: Pick<Engine, 'undoManifestOf'> & { readonly enqueue: Pick<Enqueue, 'undo'> };
  connections: Pick<Connections, 'originOf'>;
  dialogs: Pick<Dialogs, 'saveFile' | 'openFolders'>;
  desktop: Pick<Desktop, 'showInFolder'>;
  unknown: UnknownFiles;
  onUnknownRemoved: () => void;
}): Pick<Handlers, `undo.${UndoName}`> {
  const { undoCopies, catalogue, engine, connections, dialogs, desktop, unknown } = deps;

  async function versionOf(id: string): Promise<UndoCopy> {
    const version = await undoCopies.get(id);
    const isOfHere = version?.origin === connections.originOf(version?.serviceId ?? '');
    if (version === null || !isOfHere) throw new AppFailure({ code: 'notFound', what: 'kept' });
    return version;
  }

  /** What the list knows of the object now; undefined: nothing. */
  async function presentClassification({
    serviceId,
    identifier,
  }: UndoCopy): Promise<string | null | undefined> {
    const row = (await catalogue.findByIdentifiers(serviceId, 'data', [identifier])).get(identifier);
    return isClassificationListed(row) ? row?.classification : undefined;
  }

  return {
    'undo.ofObject': async ({ objectId }) => {
      const [row] = await catalogue.getMany([objectId]);
      if (row?.kind !== 'data') return { versions: [] };
      const versions = await undoCopies.ofObject(row.serviceId, row.identifier);
      const origin = connections.originOf(row.serviceId);
      return { versions: versions.filter((version) => version.origin === origin).map(describe) };
    },
    'undo.restore': async ({ id, classification: wanted }) => {
      const version = await versionOf(id);
      const present = await presentClassification(version);
      if (present === undefined || present === version.classification || wanted === 'kept')
        return { transferId: await engine.enqueue.undo(version) };
      const { identifier, classification: kept } = version;
      const isInParts = engine.undoManifestOf(id) !== null;
      if (wanted === 'ask') return { identifier, kept, present, isInParts };
      if (isInParts) throw new AppFailure({ code: 'partsShared' });
      return { transferId: await engine.enqueue.undo({ ...version, classification: present }) };
    },
    'undo.saveAs': async ({ id }) => {
      const version = await versionOf(id);
      const path = await dialogs.saveFile({
        title: mainTexts.dialog.saveKept,
        defaultName: safeFileName(version.sourceName ?? version.identifier),
        filters: [],
      });
      if (path === null) return null;
      const target = targetOfPath(path);
      await save(version, target).catch(async (cause: unknown) => {
        throw await withSpace(cause, target.folder, version.lengthBytes);
      });
      return { fileName: target.fileName };
    },
    'undo.summary': () => undoCopies.summary(),
    'undo.clear': async () => {
      await undoCopies.clear();
      return undefined;
    },
    'undo.unknown': async () => ({ files: (await unknown.list()).map(({ path: _path, ...file }) => file) }),
    'undo.showUnknown': async ({ name }) => {
      const [file] = await unknown.find([name]);
      if (!file) throw new AppFailure({ code: 'notFound', what: 'kept' });
      desktop.showInFolder(file.path);
      return undefined;
    },
    'undo.saveUnknown': async ({ names }) => {
      const files = (await unknown.find(names)).filter(({ isSealed }) => isSealed);
      const [folder] = await dialogs.openFolders();
      if (folder === undefined) return null;
      let savedCount = 0;
      for (const file of files) if (await saveUnknown(file, folder)) savedCount += 1;
      return { folderName: basename(folder), savedCount, unreadableCount: files.length - savedCount };
    },
    'undo.removeUnknown': async ({ names }) => {
      await unknown.remove(names).finally(deps.onUnknownRemoved);
      return undefined;
    },
  };

  /** Saves it under a name with the date of its last change; false: it cannot be read. */
  async function saveUnknown(
    { path, bytes, changedAtMs }: LocalUnknownFile,
    folder: string,
  ): Promise<boolean> {
    const file = basename(path);
    const measured = await undoCopies.measure(file).catch((cause: unknown) => {
      if (toAppError(cause)?.code === 'keychain') throw cause;
      return null;
    });
    if (measured === null) return false;
    const date = new Date(changedAtMs).toISOString().slice(0, 10);
    const fileName = safeFileName(mainTexts.dialog.recovered({ date }));
    const target = { folder, makesFolder: false, fileName, replaces: false };
    await save({ file, ...measured }, target).catch(async (cause: unknown) => {
      throw await withSpace(cause, folder, bytes);
    });
    return true;
  }

  /** The undo copy of a file in parts is its manifest. */
  function describe({ file: id, sourceName, keptAtMs, untilMs, ...whole }: UndoCopy): ReplacedVersion {
    const list = engine.undoManifestOf(id);
    const { lengthBytes, sha256 } = list
      ? { lengthBytes: list.manifest.size, sha256: list.manifest.sha256 }
      : whole;
    return { id, lengthBytes, sha256, sourceName, keptAtMs, untilMs, isInParts: list !== null };
  }

  /** Writes and verifies all bytes before the file gets its name. */
  async function save(version: VaultEntry, target: Target): Promise<void> {
    const source = await undoCopies.open(version);
    try {
      const file = await createTemporaryFile(
        { ...target, mark: webMarkOf() },
        newTemporaryName(target.fileName),
      );
      try {
        const { signal } = new AbortController();
        const body = await source.body({ signal, onProgress: () => undefined });
        for await (const piece of body instanceof Uint8Array ? [body] : body) await file.write(piece);
        await file.publish();
      } catch (cause) {
        await file.discard();
        throw cause;
      }
    } finally {
      await source.close();
    }
  }
}
