import { join } from 'node:path';
import type { Handlers } from '../../shared/contract.ts';
import type { ObjectRecord } from '../../shared/domain/object.ts';
import { previewMaxBytes, previewProblem } from '../../shared/domain/preview.ts';
import { versionIdentifier } from '../../shared/domain/versions.ts';
import { AppFailure } from '../../shared/errors.ts';
import { headObject } from '../bulk-operations/head-object.ts';
import { createPatientRequest } from '../transfers/patient-request.ts';
import type { Catalogue, NewObject } from '../catalogue/catalogue.ts';
import { stat } from '../files/fs.ts';
import type { Clock, Log } from '../ports.ts';
import { isText } from '../preview/content.ts';
import type { Connections } from '../profiles/connections.ts';
import { readBytes } from '../service/bodies.ts';
import type { Engine } from '../transfers/engine.ts';
import { findNewest } from '../transfers/newest-version.ts';
import { isFinishedState } from '../transfers/record.ts';
import type { TransferStore } from '../transfers/store-types.ts';
import { compareLines } from './compare.ts';
import { createKeptCopies } from './kept-copies.ts';

type Name = 'findVersions' | 'makeCurrent' | 'compareVersions';

export interface Versions {
  readonly handlers: Pick<Handlers, `objects.${Name}`>;
  /** Ends what is being fetched. */
  close(): Promise<void>;
}

/** More strangers' versions than this are not asked for one by one: the newest of them. */
const mostFound = 200;
/** An upload of a kept copy is looked after this often, until it has ended. */
const firstLookMs = 1000;
const longestLookMs = 60_000;

/** What is done with the versions of an object. */
export function createVersions(deps: {
  catalogue: Pick<Catalogue, 'getMany' | 'versions' | 'add'>;
  connections: Pick<Connections, 'openFor' | 'factsOf'>;
  engine: Pick<Engine, 'gates' | 'enqueue'>;
  store: Pick<TransferStore, 'getMany' | 'sends'>;
  userDataFolder: string;
  clock: Clock;
  log: Log;
}): Versions {
  const { catalogue, connections, engine, store, clock, log } = deps;
  const request = createPatientRequest({ connections, gates: engine.gates, clock });
  const copies = createKeptCopies(join(deps.userDataFolder, 'versions'));
  const closed = new AbortController();
  const { signal } = closed;
  const watches = new Set<Promise<void>>();

  function watch(work: Promise<void>): void {
    const done = work
      .catch((cause: unknown) => {
        if (!signal.aborted) log.warn('a copy of a version could not be removed', { cause });
      })
      .finally(() => watches.delete(done));
    watches.add(done);
  }
  watch(copies.sweep((path) => store.sends(path)));

  async function getData(id: number): Promise<ObjectRecord> {
    const [record] = await catalogue.getMany([id]);
    if (record?.kind !== 'data') throw new AppFailure({ code: 'notFound', what: 'object' });
    return record;
  }

  /** Until its upload has ended with nothing left to send. */
  async function removeWhenSent(path: string, transferId: number): Promise<void> {
    for (let waitMs = firstLookMs; ; waitMs = Math.min(waitMs * 2, longestLookMs)) {
      await clock.delay(waitMs, signal);
      const [record] = await store.getMany([transferId]);
      // What failed may be tried again.
      const isOver = !record || (isFinishedState(record.state.name) && record.state.name !== 'failed');
      if (isOver) return copies.remove(path);
    }
  }

  async function textOf({ profileId, identifier }: ObjectRecord): Promise<string | null> {
    const { body } = await request(profileId, signal, (client) =>
      client.downloadData(identifier, { signal }),
    );
    const bytes = await readBytes(body, previewMaxBytes);
    return bytes && isText(bytes) ? new TextDecoder().decode(bytes) : null;
  }

  return {
    handlers: {
      'objects.findVersions': async ({ id }) => {
        const { profileId, identifier } = await getData(id);
        const { separator, versionMark } = await connections.factsOf(profileId);
        const { base, versions } = await catalogue.versions(profileId, 'data', identifier);
        const nameOf = (number: number) => versionIdentifier(base, separator, versionMark, number);
        const look = (number: number) =>
          headObject(request, { profileId, identifier: nameOf(number) }, signal);
        const known = new Set(versions.map(({ number }) => number));
        const newest = await findNewest([...known], look);
        const found: NewObject[] = [];
        for (let number = newest?.number ?? 0; number > 0 && found.length < mostFound; number -= 1) {
          if (known.has(number)) continue;
          const seen = number === newest?.number ? newest.seen : await look(number);
          if (!seen.present) continue;
          const patch = {
            state: 'stored',
            lengthBytes: seen.lengthBytes,
            checkedAtMs: clock.nowMs(),
          } as const;
          found.push({ kind: 'data', identifier: nameOf(number), patch, history: { action: 'added' } });
        }
        const added = found.length === 0 ? [] : await catalogue.add(profileId, found);
        return { added: added.filter((each) => each.added).length };
      },

      'objects.makeCurrent': async ({ id }) => {
        const record = await getData(id);
        const { profileId, identifier, classification, sourceName } = record;
        const { base } = await catalogue.versions(profileId, 'data', identifier);
        const { body } = await request(profileId, signal, (client) =>
          client.downloadData(identifier, { signal }),
        );
        const path = await copies.keep(record, body);
        const { size: sizeBytes, mtimeMs } = await stat(path);
        const transferId = await engine.enqueue.upload(profileId, {
          path,
          fileName: sourceName ?? base.split((await connections.factsOf(profileId)).separator).at(-1) ?? base,
          identifier: base,
          sizeBytes,
          mtimeMs,
          classification,
          ifExists: 'newVersion',
        });
        watch(removeWhenSent(path, transferId));
        return { base };
      },

      'objects.compareVersions': async ({ ids }) => {
        const [before, after] = [await getData(ids[0]), await getData(ids[1])];
        const isKnown = before.sha256 !== null && after.sha256 !== null;
        const digest = !isKnown ? 'unknown' : before.sha256 === after.sha256 ? 'same' : 'different';
        const problem = previewProblem(before) ?? previewProblem(after);
        if (problem !== null || digest === 'same') return { digest, lines: null, problem };
        const [old, current] = [await textOf(before), await textOf(after)];
        if (old === null || current === null) return { digest, lines: null, problem: 'type' };
        return {
          digest: old === current ? 'same' : 'different',
          lines: compareLines(old, current),
          problem: null,
        };
      },
    },
    async close() {
      closed.abort();
      await Promise.all(watches);
    },
  };
}
