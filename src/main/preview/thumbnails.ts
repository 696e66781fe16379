import { join } from 'node:path';
import type { Handlers, Output } from '../../shared/contract.ts';
import { pageLimitMax, type ObjectRecord } from '../../shared/domain/object.ts';
import { automaticMaxBytes, mayHaveThumbnail, previewProblem } from '../../shared/domain/preview.ts';
import { provenDigest } from '../../shared/domain/unverified.ts';
import { openInstallId } from '../database/install-id.ts';
import type { Host } from '../host.ts';
import { Alarm } from '../lib/timers.ts';
import type { Catalogue } from '../objects/catalogue.ts';
import { requireObject } from '../objects/require-object.ts';
import type { TransferRecord } from '../transfers/model/record.ts';
import type { PreviewChoices } from './preview-choices.ts';
import {
  createThumbnailKey,
  createThumbnailStore,
  type Shown,
  type ThumbnailStore,
} from './thumbnail-store.ts';

/** More uploads at once lose the thumbnails of the first of them, unless their tiles are shown. */
const maxUploaded = 2_000;
/** Time in ms until the thumbnails of deleted objects go: *Undo* brings some back. */
const trimAfterMs = 60_000;

/** null: only a download would do. @throws AppFailure */
type FindPreview = (
  record: ObjectRecord,
  mayFetch: boolean,
) => Promise<Output<'objects.thumbnail'>['preview']>;

type UploadedFiles = ReturnType<typeof createUploadedFiles>;

/** The files of the last uploads, and which of them the window is to make a thumbnail of: *Clear* may remove their transfers before. */
export function createUploadedFiles() {
  const paths = new Map<number, string>();
  const waiting = new Set<number>();
  return {
    add(id: number, path: string): void {
      paths.delete(id);
      paths.set(id, path);
      waiting.add(id);
      for (const oldest of paths.keys()) {
        if (paths.size <= maxUploaded) break;
        paths.delete(oldest);
        waiting.delete(oldest);
      }
    },
    /** null: none waits. */
    take(): number | null {
      const [next = null] = waiting;
      if (next !== null) waiting.delete(next);
      return next;
    },
    pathsOf(id: number): string[] {
      const path = paths.get(id);
      return path === undefined ? [] : [path];
    },
  };
}

/** What a thumbnail of the object is bound to; null: the object can have none that is kept. */
function shownOf(record: ObjectRecord): Shown | null {
  const { id, kind, state, sha256, identifier } = record;
  if (kind !== 'data' || state !== 'stored' || sha256 === null || !mayHaveThumbnail(identifier)) return null;
  return { id, sha256 };
}

/**
 * Thumbnails for the tiles of the window, which makes them: only it decodes pictures. Those of classifications whose previews are fetched are
 * kept, whether the object was uploaded from here or fetched. Those of all others are made of a file of this computer, and not kept.
 */
export function createThumbnails(deps: {
  store: ThumbnailStore;
  catalogue: Pick<Catalogue, 'getMany'>;
  findPreview: FindPreview;
  choices: Pick<PreviewChoices, 'isAutomatic'>;
  uploaded: UploadedFiles;
}) {
  const { store, catalogue, findPreview, choices, uploaded } = deps;

  const mayKeep = ({ serviceId, classification }: ObjectRecord) =>
    choices.isAutomatic(serviceId, classification);
  const mayFetch = (record: ObjectRecord) =>
    record.lengthBytes !== null && record.lengthBytes <= automaticMaxBytes && mayKeep(record);

  const handlers: Pick<Handlers, 'objects.thumbnail' | 'objects.keepThumbnail' | 'objects.nextThumbnail'> = {
    'objects.thumbnail': async ({ id }) => {
      const record = await requireObject(catalogue, id);
      const shown = shownOf(record);
      // Without its key the thumbnail is made again.
      const kept = shown && mayKeep(record) ? await store.read(shown).catch(() => null) : null;
      if (kept !== null) return { thumbnail: kept, preview: null };
      const local = await findPreview(record, false);
      if (local !== null || shown === null || !mayFetch(record)) return { thumbnail: null, preview: local };
      return { thumbnail: null, preview: await findPreview(record, true) };
    },
    'objects.keepThumbnail': async ({ id, sha256, thumbnail }) => {
      const [record] = await catalogue.getMany([id]);
      const shown = record && mayKeep(record) ? shownOf(record) : null;
      if (shown?.sha256 === sha256) await store.keep(shown, thumbnail);
      return undefined;
    },
    'objects.nextThumbnail': async () => {
      for (let id = uploaded.take(); id !== null; id = uploaded.take()) {
        const [record] = await catalogue.getMany([id]);
        if (record === undefined || previewProblem(record) !== null || provenDigest(record) === null)
          continue;
        const shown = mayKeep(record) ? shownOf(record) : null;
        if (shown !== null && !(await store.has(shown))) return { object: shown };
      }
      return { object: null };
    },
  };

  return {
    handlers,
    uploadEnded: async ({ objectId, state, work }: TransferRecord): Promise<void> => {
      if (objectId === null || state.name !== 'done' || work.kind !== 'upload') return;
      if (work.path !== '') return uploaded.add(objectId, work.path);
      // Renamed: the same bytes have another row.
      const formerId = work.moves?.objectId;
      const [record] = formerId === undefined ? [] : await catalogue.getMany([objectId]);
      const shown = record && mayKeep(record) ? shownOf(record) : null;
      if (shown === null || formerId === undefined) return;
      const kept = await store.read({ ...shown, id: formerId });
      if (kept !== null) await store.keep(shown, kept);
    },
    /** Removes thumbnails whose object is deleted, replaced, no longer listed, or of a classification whose previews are not fetched any more. */
    trim: async (): Promise<void> => {
      await store.retain(async (kept) => {
        const rows = new Map<number, ObjectRecord>();
        for (let at = 0; at < kept.length; at += pageLimitMax) {
          const ids = kept.slice(at, at + pageLimitMax).map(({ id }) => id);
          for (const row of await catalogue.getMany(ids)) rows.set(row.id, row);
        }
        return kept.map(({ id, isOf }) => {
          const row = rows.get(id);
          return row !== undefined && row.state !== 'gone' && isOf(row.sha256) && mayKeep(row);
        });
      });
    },
  };
}

export async function thumbnails(
  host: Host,
  findPreview: FindPreview,
  choices: PreviewChoices,
  uploaded: UploadedFiles,
) {
  const { catalogue, clock, documents, engine, keychain, log, paths, publisher } = host;
  const store = createThumbnailStore({
    folder: join(paths.userData, 'thumbnails'),
    key: createThumbnailKey(keychain, await openInstallId(documents)),
    clock,
  });
  const own = createThumbnails({ store, catalogue, findPreview, choices, uploaded });
  // A command makes none.
  if (!host.isApp) return own.handlers;

  const failed = (cause: unknown) => log.warn('thumbnails were not kept in order', { cause });
  const trim = () => void own.trim().catch(failed);
  const trimming = new Alarm(clock, trim);
  const trimLater = () => trimming.setBy(clock.monotonicMs() + trimAfterMs);
  trimLater();
  host.onClose(() => trimming.cancel());
  host.onObjectsChanged(trimLater);
  host.onServiceRemoved(trimLater);
  engine.onEnded((record) => void own.uploadEnded(record).catch(failed));
  choices.onRefused(() => {
    trim();
    publisher.publish('objects.previewsRefused', undefined);
  });
  return own.handlers;
}
