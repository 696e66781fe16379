import { randomUUID } from 'node:crypto';
import type { Handlers } from '../../shared/contract.ts';
import type { ObjectRecord, Selection } from '../../shared/domain/object.ts';
import {
  canTakeOut,
  copyFetchMaxBytes,
  dragFetchMaxBytes,
  takenOutMax,
} from '../../shared/domain/take-out.ts';
import { distinctFileNames } from '../../shared/domain/file-name.ts';
import type { AppErrorOf } from '../../shared/errors.ts';
import { AppFailure } from '../../shared/app-failure.ts';
import type { Grants } from '../local-files/grants.ts';
import type { Catalogue } from '../objects/catalogue.ts';
import type { Clock, Desktop } from '../ports.ts';
import type { OpenedCopies } from './opened-copies.ts';
import { statOf } from '../local-files/file-bytes.ts';

/** Maximum number of prepared drags: the oldest ones that never started are dropped. */
const maxPrepared = 8;

/** In ms. After a longer fetch the person may have copied something else. */
const longFetchMs = 5_000;

/** Objects as files for other programs: private copies that the system drags, or that are put on the clipboard. */
export function createTakeOut(deps: {
  catalogue: Pick<Catalogue, 'idsOf' | 'getMany'>;
  copies: Pick<OpenedCopies, 'fileNameOf' | 'find' | 'hasFile' | 'take'>;
  desktop: Pick<Desktop, 'setDragFiles' | 'checkFileClipboard' | 'writeFilesToClipboard'>;
  grants: Pick<Grants, 'resolve' | 'forget'>;
  clock: Pick<Clock, 'monotonicMs'>;
}): { handlers: Pick<Handlers, `takeOut.${'prepare' | 'start' | 'owns' | 'copy'}`> } {
  const { catalogue, copies, desktop, grants, clock } = deps;
  /** Paths of drags that were not started yet, by their ids. */
  const prepared = new Map<string, string[]>();
  /** Paths of the latest drag that was started. */
  let dragged: ReadonlySet<string> = new Set();

  async function rowsOf(selection: Selection): Promise<ObjectRecord[]> {
    const ids = await catalogue.idsOf(selection);
    if (ids.length > takenOutMax) refuse('many');
    const rows = await catalogue.getMany([...ids]);
    if (rows.length === 0) throw new AppFailure({ code: 'notFound', what: 'object' });
    if (rows.some(({ kind }) => kind === 'secret')) refuse('secret');
    const others = rows.filter((row) => !canTakeOut(row));
    if (others.length > 0) refuse(others.every(({ state }) => state === 'uploading') ? 'storing' : 'state');
    return rows;
  }

  /** Writes and fetches nothing unless everything to be fetched is within the limit. */
  async function takeAll(
    rows: readonly ObjectRecord[],
    limit: Limit,
  ): Promise<{ paths: string[]; fetchMs: number }> {
    const names = distinctFileNames(await Promise.all(rows.map(copies.fileNameOf)));
    const wanted = rows.map((row, at) => ({ row, name: names[at] ?? '', path: null as string | null }));
    let count = countFetches(limit);
    for (const each of wanted) {
      each.path = await copies.find(each.row, each.name);
      if (each.path === null && !(await copies.hasFile(each.row))) count(each.row);
    }
    // Count again: a local file may have changed since.
    count = countFetches(limit);
    for (const each of wanted) {
      each.path ??= await copies.take(each.row, each.name, false);
      if (each.path === null) count(each.row);
    }
    const startedMs = clock.monotonicMs();
    const paths = await Promise.all(
      wanted.map(async ({ row, name, path }) => path ?? (await copies.take(row, name, true))),
    );
    const found = paths.filter((path) => path !== null);
    // Copies are removed with their rows.
    if ((await Promise.all(found.map(statOf))).includes(null))
      throw new AppFailure({ code: 'notFound', what: 'object' });
    return { paths: found, fetchMs: clock.monotonicMs() - startedMs };
  }

  return {
    handlers: {
      'takeOut.prepare': async ({ selection, count }) => {
        const rows = await rowsOf(selection);
        if (rows.length < count) throw new AppFailure({ code: 'notFound', what: 'object' });
        const { paths } = await takeAll(rows, { bytes: dragFetchMaxBytes, problem: 'largeToDrag' });
        const id = randomUUID();
        prepared.set(id, paths);
        for (const oldest of prepared.keys()) if (prepared.size > maxPrepared) prepared.delete(oldest);
        return { id };
      },
      'takeOut.start': ({ id }) => {
        const paths = prepared.get(id);
        if (!paths) throw new AppFailure({ code: 'notFound', what: 'object' });
        prepared.delete(id);
        dragged = new Set(paths);
        desktop.setDragFiles(paths);
        return undefined;
      },
      'takeOut.owns': (asked) => {
        const paths = asked.grants.map(grants.resolve);
        const isOwn = paths.length === dragged.size && paths.every((path) => dragged.has(path));
        // To upload other files, the page asks for new grants.
        grants.forget(asked.grants);
        return { isOwn };
      },
      'takeOut.copy': async ({ selection }) => {
        desktop.checkFileClipboard();
        const limit = { bytes: copyFetchMaxBytes, problem: 'largeToCopy' } as const;
        const { paths, fetchMs } = await takeAll(await rowsOf(selection), limit);
        const isCopied = fetchMs <= longFetchMs;
        if (isCopied) await desktop.writeFilesToClipboard(paths);
        return { count: paths.length, isCopied };
      },
    },
  };
}

type Problem = AppErrorOf<'notTakenOut'>['problem'];

function refuse(problem: Problem): never {
  throw new AppFailure({ code: 'notTakenOut', problem });
}

type Limit = { bytes: number; problem: Problem };

/** @returns a function to call for each row to be fetched, which throws once the limit is exceeded */
function countFetches(limit: Limit): (row: Pick<ObjectRecord, 'lengthBytes'>) => void {
  let bytes = 0;
  return ({ lengthBytes }) => {
    if (lengthBytes === null) refuse('unknownSize');
    bytes += lengthBytes;
    if (bytes > limit.bytes) refuse(limit.problem);
  };
}
