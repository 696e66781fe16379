import { basename } from 'node:path';
import { AppFailure } from '../../shared/errors.ts';
import { maxSecretBytes } from '../../shared/domain/limits.ts';
import type { ObjectRecord } from '../../shared/domain/object.ts';
import { readBytes } from '../service/bodies.ts';
import { save, type Downloaded } from '../transfers/download.ts';
import { finishPart } from '../transfers/finish-part.ts';
import { changesOfDownload, knownOf, targetOf } from '../transfers/outcome.ts';
import type { Context, StepWay } from './context.ts';
import type { Endings } from './endings.ts';
import type { Entry, Work } from './entry.ts';

type DownloadWork = Extract<Work, { kind: 'download' }>;

/** What deferred downloads come to (sections 4.2 and 4.3, Fetch). */
export interface DownloadSteps {
  /** @param onUsed the service took the token */
  readonly fetchFile: (entry: Entry, work: DownloadWork, way: StepWay, onUsed: () => void) => Promise<void>;
  readonly fetchSecret: (entry: Entry, way: StepWay, onUsed: () => void) => Promise<void>;
}

export function createDownloadSteps(context: Context, endings: Endings): DownloadSteps {
  const { catalogue, connections, clock, list } = context;

  async function rowOf(entry: Entry): Promise<ObjectRecord | undefined> {
    const { objectId } = entry.record;
    return objectId === null ? undefined : (await catalogue.getMany([objectId]))[0];
  }

  async function saved(
    entry: Entry,
    row: ObjectRecord | undefined,
    downloaded: Omit<Downloaded, 'outcome'>,
    verifiedBy: 'digest' | 'length' | 'end',
  ): Promise<void> {
    const { path, lengthBytes } = downloaded;
    const outcome = { kind: 'saved', fileName: basename(path), verifiedBy } as const;
    entry.doneBytes = lengthBytes;
    await endings.done(entry, row ? changesOfDownload(row, { ...downloaded, outcome }, clock.nowMs()) : [], {
      outcome,
      totalBytes: lengthBytes,
      work: { kind: 'download', partPath: null, whole: null, savedPath: path },
    });
  }

  return {
    async fetchFile(entry, work, way, onUsed) {
      const { identifier, profileId, deferredToken } = entry.record;
      const row = await rowOf(entry);
      const known = row ? knownOf(row) : { lengthBytes: null, sha256: null };
      // It was here already when everything ended: it is not asked for again.
      const path = work.whole && (await finishPart(work.whole));
      if (work.whole && path !== null) {
        const verifiedBy = known.sha256 === null ? 'length' : 'digest';
        return saved(entry, row, { path, ...work.whole }, verifiedBy);
      }
      if (deferredToken === null) throw new Error('a fetch without a token');
      const target = targetOf(
        row ?? { identifier, sourceName: null },
        { saveAsPath: null },
        await connections.factsOf(profileId),
      );
      await way.turn();
      const download = await way.client.fetchDataDeferred(deferredToken, { signal: way.signal });
      onUsed();
      const downloaded = await save(identifier, download, target, known, way, {
        onPart: (partPath) => list.note(entry, { work: { ...work, partPath, whole: null } }),
        onWhole: (whole) => list.note(entry, { work: { ...work, partPath: null, whole } }),
        // What HEAD sees may have been replaced since the request was processed.
        looks: download.lengthBytes === null,
      }).catch((cause: unknown) => {
        // The part went with the attempt.
        entry.record = { ...entry.record, work: { ...work, partPath: null, whole: null } };
        entry.isUnwritten = true;
        throw cause;
      });
      const { outcome } = downloaded;
      return saved(entry, row, downloaded, outcome.kind === 'saved' ? outcome.verifiedBy : 'end');
    },

    async fetchSecret(entry, way, onUsed) {
      const { deferredToken, objectId, profileId } = entry.record;
      if (deferredToken === null) throw new Error('a fetch without a token');
      await way.turn();
      const { body } = await way.client.fetchSecretDeferred(deferredToken, { signal: way.signal });
      onUsed();
      const { maxSecretBytes: exactBytes } = await connections.factsOf(profileId);
      const limitBytes = Math.max(maxSecretBytes.possible, exactBytes ?? 0);
      const value = await readBytes(body, limitBytes);
      if (!value) throw new AppFailure({ code: 'tooLarge', status: 200, limitBytes });
      // Who asked notes what the value was read for.
      const patch = { state: 'stored', lengthBytes: value.length, checkedAtMs: clock.nowMs() } as const;
      await endings.done(entry, objectId === null ? [] : [{ id: objectId, patch }], {
        totalBytes: value.length,
      });
      entry.reader?.resolve(value);
    },
  };
}
