import { randomUUID } from 'node:crypto';
import type { Handlers } from '../../shared/contract.ts';
import type { ObjectRecord, Selection } from '../../shared/domain/object.ts';
import {
  canTakeOut,
  copyFetchMaxBytes,
  dragFetchMaxBytes,
  takenOutMax,
} from '../../shared/domain/take-out.ts';
import type { AppErrorOf } from '../../shared/errors.ts';
import { AppFailure } from '../../shared/app-failure.ts';
import type { Grants } from '../local-files/grants.ts';
import type { Catalogue } from '../objects/catalogue.ts';
import type { Desktop } from '../ports.ts';
import type { OpenedCopies } from './opened-copies.ts';
import { statOf } from './file-bytes.ts';

/** Objects as files for other programs: private copies that the system drags, or that are put on the clipboard. */
export function createTakeOut(deps: {
  catalogue: Pick<Catalogue, 'idsOf' | 'getMany'>;
  take: OpenedCopies['take'];
  desktop: Pick<Desktop, 'startDrag' | 'writeFilesToClipboard'>;
  grants: Pick<Grants, 'resolve' | 'forget'>;
}): { handlers: Pick<Handlers, `takeOut.${'prepare' | 'start' | 'owns' | 'copy'}`> } {
  const { catalogue, take, desktop, grants } = deps;
  /** Of the latest drag that was prepared, and of the latest that was started. */
  let prepared: { id: string; paths: string[] } | null = null;
  let dragged: ReadonlySet<string> = new Set();

  async function rowsOf(selection: Selection): Promise<ObjectRecord[]> {
    const ids = await catalogue.idsOf(selection);
    if (ids.length > takenOutMax) refuse('many');
    const rows = await catalogue.getMany([...ids]);
    if (rows.length === 0) throw new AppFailure({ code: 'notFound', what: 'object' });
    if (rows.some(({ kind }) => kind === 'secret')) refuse('secret');
    if (!rows.every(canTakeOut)) refuse('state');
    return rows;
  }

  /** Nothing is fetched unless all that has to be fits into the limit. */
  async function takeAll(
    selection: Selection,
    limit: { bytes: number; problem: Problem },
  ): Promise<string[]> {
    const rows = await rowsOf(selection);
    const here: (string | null)[] = [];
    for (const { id } of rows) here.push(await take(id, false));
    let fetchBytes = 0;
    for (const [at, { lengthBytes }] of rows.entries()) {
      if (here[at] !== null) continue;
      if (lengthBytes === null) refuse('unknownSize');
      fetchBytes += lengthBytes;
    }
    if (fetchBytes > limit.bytes) refuse(limit.problem);
    const all = await Promise.all(rows.map(async ({ id }, at) => here[at] ?? (await take(id, true))));
    return all.filter((path) => path !== null);
  }

  return {
    handlers: {
      'takeOut.prepare': async ({ selection }) => {
        const paths = await takeAll(selection, { bytes: dragFetchMaxBytes, problem: 'large' });
        prepared = { id: randomUUID(), paths };
        return { id: prepared.id };
      },
      'takeOut.start': async ({ id }) => {
        const paths = prepared?.id === id ? prepared.paths : [];
        // Removed meanwhile, with their rows.
        const found = await Promise.all(paths.map(statOf));
        if (paths.length === 0 || found.includes(null))
          throw new AppFailure({ code: 'notFound', what: 'object' });
        dragged = new Set(paths);
        desktop.startDrag(paths);
        return undefined;
      },
      'takeOut.owns': (asked) => {
        const paths = asked.grants.map(grants.resolve);
        const isOwn = paths.length === dragged.size && paths.every((path) => dragged.has(path));
        // Files of somebody else's are granted again, to be uploaded.
        grants.forget(asked.grants);
        return { isOwn };
      },
      'takeOut.copy': async ({ selection }) => {
        const paths = await takeAll(selection, { bytes: copyFetchMaxBytes, problem: 'largeToCopy' });
        await desktop.writeFilesToClipboard(paths);
        return { count: paths.length };
      },
    },
  };
}

type Problem = AppErrorOf<'notTakenOut'>['problem'];

function refuse(problem: Problem): never {
  throw new AppFailure({ code: 'notTakenOut', problem });
}
