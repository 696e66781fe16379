import { safeFileName } from '../../shared/domain/file-name.ts';
import type { Handlers, KeptVersion } from '../../shared/contract.ts';
import { AppFailure } from '../../shared/errors.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import { withSpace } from '../files/free-space.ts';
import type { Dialogs } from '../ports.ts';
import { mainTexts } from '../texts.ts';
import type { Connections } from '../profiles/connections.ts';
import type { Engine } from '../transfers/engine.ts';
import type { Enqueue } from '../transfers/enqueue.ts';
import { createPart, newPartName, targetOfPath, type Target } from '../transfers/files/target.ts';
import type { KeptRow } from './kept-store.ts';
import type { Kept } from './kept.ts';

type KeptName = 'ofObject' | 'undo' | 'saveAs' | 'summary' | 'clear';

/** The window's side of what was replaced and is kept here. */
export function createKeptHandlers(deps: {
  kept: Kept;
  catalogue: Pick<Catalogue, 'getMany'>;
  engine: Pick<Engine, 'keptListOf'> & { readonly enqueue: Pick<Enqueue, 'undo'> };
  connections: Pick<Connections, 'originOf'>;
  dialogs: Pick<Dialogs, 'saveFile'>;
}): Pick<Handlers, `kept.${KeptName}`> {
  const { kept, catalogue, engine, connections, dialogs } = deps;

  async function versionOf(id: string): Promise<KeptRow> {
    const version = await kept.get(id);
    const isOfHere = version?.origin === connections.originOf(version?.profileId ?? '');
    if (version === null || !isOfHere) throw new AppFailure({ code: 'notFound', what: 'kept' });
    return version;
  }

  return {
    'kept.ofObject': async ({ objectId }) => {
      const [row] = await catalogue.getMany([objectId]);
      if (row?.kind !== 'data') return { versions: [] };
      const versions = await kept.ofObject(row.profileId, row.identifier);
      const origin = connections.originOf(row.profileId);
      return { versions: versions.filter((version) => version.origin === origin).map(describe) };
    },
    'kept.undo': async ({ id }) => ({ transferId: await engine.enqueue.undo(await versionOf(id)) }),
    'kept.saveAs': async ({ id }) => {
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
    'kept.summary': () => kept.summary(),
    'kept.clear': async () => {
      await kept.clear();
      return undefined;
    },
  };

  /** Of a file in parts the list of them is kept here. */
  function describe({ file: id, sourceName, keptAtMs, untilMs, ...whole }: KeptRow): KeptVersion {
    const list = engine.keptListOf(id);
    const { lengthBytes, sha256 } = list
      ? { lengthBytes: list.manifest.size, sha256: list.manifest.sha256 }
      : whole;
    return { id, lengthBytes, sha256, sourceName, keptAtMs, untilMs, isInParts: list !== null };
  }

  /** Whole and proven before it has its name. */
  async function save(version: KeptRow, target: Target): Promise<void> {
    const source = await kept.open(version);
    try {
      const part = await createPart(target, newPartName(target.fileName));
      try {
        const { signal } = new AbortController();
        const body = await source.body({ signal, onProgress: () => undefined });
        for await (const piece of body instanceof Uint8Array ? [body] : body) await part.write(piece);
        await part.publish();
      } catch (cause) {
        await part.discard();
        throw cause;
      }
    } finally {
      await source.close();
    }
  }
}
