import type { Handlers, Input, Output } from '../../shared/contract.ts';
import type { AppError } from '../../shared/errors.ts';
import { AppFailure } from '../../shared/app-failure.ts';
import { canMove, type ObjectRecord, type Selection } from '../../shared/domain/object.ts';
import { commonFolder, folderAbove, type FolderChange } from '../../shared/domain/folder.ts';
import { checkObjectId } from '../../shared/domain/object-id.ts';
import type { ListedVersion } from '../../shared/domain/object-changes.ts';
import { versionIdentifier } from '../../shared/domain/versions.ts';
import { pickedMax } from '../../shared/domain/transfer.ts';
import { shownOf } from '../../shared/domain/shown-of.ts';
import type { Connections } from '../connections/connections.ts';
import type { Catalogue } from '../objects/catalogue.ts';
import type { Engine } from '../transfers/engine.ts';
import type { Clock } from '../ports.ts';
import { createRetryingRequest, type RetryingRequest } from '../transfers/queue/retrying-request.ts';
import { findSelected } from './find-selected.ts';
import { findFolders, foldersFilled, type FollowFolders, planFolders, planPlaces } from './made-folders.ts';
import { newBaseOf } from './new-base.ts';
import { isFree, moveBack } from './move-back.ts';

/** How long looked-up rows are reused while the person types, in ms: looking up 10,000 takes seconds. */
const knownMs = 5_000;
/** How long a service has to say whether a name is taken, in ms. */
const answerMs = 3_000;
/** Up to this many names, the service is asked before anything moves. */
const askedMax = 20;
/** Number of examples shown before the person agrees. */
const namesShown = 5;

interface Move {
  readonly row: ObjectRecord;
  readonly to: string;
}

interface Inspected {
  readonly first: Pick<ObjectRecord, 'serviceId' | 'kind'>;
  /** By base identifier: all its versions, which move together. */
  readonly families: ReadonlyMap<string, readonly ListedVersion[]>;
}

interface Plan {
  readonly base: string;
  readonly chosen: number;
  readonly serviceId: string;
  readonly moves: readonly Move[];
  /** Of folders without objects. */
  readonly folderChanges: readonly FolderChange[];
  /** Of folders in which something is stored for the first time. */
  readonly filled: readonly FolderChange[];
  readonly taken: number;
  readonly leftOut: number;
  readonly error: AppError | null;
}

type MovingList = Pick<
  Catalogue,
  'idsOf' | 'getMany' | 'versions' | 'findByIdentifiers' | 'madeFolders' | 'changeFolders'
>;

/** Moves the objects of a selection, and plans a move without starting it. */
export function createMoving(deps: {
  catalogue: MovingList;
  connections: Pick<Connections, 'factsOf' | 'openFor'>;
  engine: Pick<Engine, 'enqueue' | 'breakers' | 'actions' | 'recordsOf'>;
  followFolders: FollowFolders;
  clock: Clock;
}): { handlers: Pick<Handlers, 'objects.move' | 'objects.planMove' | 'objects.undoMove'> } {
  const { catalogue, connections, engine, clock, followFolders } = deps;
  const { breakers } = engine;
  const request = createRetryingRequest({ connections, breakers, clock, priority: 'person' });

  /** The selection planned last: typing a name plans it again for each character. */
  let last: {
    readonly key: string;
    readonly chosen: Promise<Inspected>;
    readonly atMs: number;
  } | null = null;
  /** What the service was last found to have, that the list need not know. */
  let found = { serviceId: '', names: new Set<string>() };

  const inspect = (selection: Selection) => inspectSelected(deps, selection);

  async function plan(
    { first, families }: Inspected,
    to: Input<'objects.move'>['to'],
    selection: Selection,
  ): Promise<Plan> {
    const { serviceId, kind } = first;
    const { separator, versionMark } = await connections.factsOf(serviceId);
    const topOf = topsIn(selection, separator);
    const all: readonly Move[] = [...families].flatMap(([base, versions]) => {
      const newBase = newBaseOf(base, topOf(base), to, separator);
      return versions.map(({ number, record }) => ({
        row: record,
        to: versionIdentifier(newBase, separator, versionMark, number),
      }));
    });
    const names = all.map((move) => move.to);
    const known = await catalogue.findByIdentifiers(serviceId, kind, names);
    const made = await catalogue.madeFolders(serviceId);
    const movable = all.filter((move) => canMove(move.row) && move.to !== move.row.identifier);
    const given = new Set<string>();
    const moves = movable.filter((move) => {
      const isThere = found.serviceId === serviceId && found.names.has(move.to);
      const isNew = isFree(known.get(move.to)) && !isThere && !given.has(move.to);
      given.add(move.to);
      return isNew;
    });
    const folderChanges = planFolders(made, selection, to, separator);
    return {
      serviceId,
      base: commonBase([...families.keys()], topOf, separator),
      chosen: families.size,
      moves,
      folderChanges,
      filled: foldersFilled(
        made,
        moves.map((move) => move.to),
        separator,
      ),
      taken: movable.length - moves.length,
      leftOut: all.length - movable.length,
      error: firstProblem([...names, ...folderChanges.flatMap((change) => change.to ?? [])]),
    };
  }

  async function takenAmong({ serviceId, moves }: Plan): Promise<number> {
    if (moves.length > askedMax) return 0;
    const names = moves.map(({ to }) => to);
    const answers = await Promise.all(names.map((name) => isTaken(request, serviceId, name)));
    found = { serviceId, names: new Set(names.filter((_, at) => answers[at] === true)) };
    return found.names.size;
  }

  return {
    handlers: {
      'objects.planMove': async ({ selection, to }) => {
        const key = JSON.stringify(selection);
        const atMs = clock.monotonicMs();
        if (last?.key !== key || atMs - last.atMs > knownMs) last = { key, chosen: inspect(selection), atMs };
        const planned = await plan(await last.chosen, to, selection);
        const [only] = planned.moves;
        const isThere =
          only && planned.error === null && to.kind === 'name'
            ? await isTaken(request, planned.serviceId, to.identifier)
            : false;
        return {
          ...(isThere === null && { isUnchecked: true as const }),
          ...describePlan(planned, isThere === true ? [] : planned.moves),
        };
      },

      'objects.move': async ({ selection, to, ifFree = false }) => {
        last = null;
        const planned = await plan(await inspect(selection), to, selection);
        const { serviceId, moves, folderChanges, filled, leftOut, error } = planned;
        if (error) throw new AppFailure(error);
        const taken = planned.taken + (ifFree && planned.taken === 0 ? await takenAmong(planned) : 0);
        if (ifFree && taken > 0) return { count: 0, leftOut, taken, renamedId: null, transferIds: [] };
        const places = taken + leftOut > 0 ? [] : await planPlaces(deps, serviceId, selection, to);
        const ids = await engine.enqueue.move(serviceId, new Map(moves.map(({ row, to }) => [row.id, to])));
        const folders = [...(await catalogue.changeFolders(serviceId, folderChanges)), ...filled];
        await followFolders(serviceId, places);
        return {
          count: ids.length,
          leftOut: taken + leftOut,
          taken,
          renamedId: to.kind === 'name' ? await idAfter(catalogue, moves.at(-1)) : null,
          transferIds: ids.length > pickedMax ? [] : ids,
          ...(folders.length > 0 && { folders }),
          ...(places.length > 0 && { places }),
        };
      },

      'objects.undoMove': ({ transferIds }) => moveBack(deps, transferIds),
    },
  };
}

/** The selected objects, with all their versions. */
async function inspectSelected(
  deps: Parameters<typeof createMoving>[0],
  selection: Selection,
): Promise<Inspected> {
  const { catalogue } = deps;
  const { ids, first } = (await findFolders(deps, selection)) ?? (await findSelected(catalogue, selection));
  const families = new Map<string, readonly ListedVersion[]>();
  const seen = new Set<number>();
  for (const { id, kind, serviceId, identifier } of await catalogue.getMany([...ids])) {
    if (seen.has(id)) continue;
    const { base, versions } = await catalogue.versions(serviceId, kind, identifier);
    const there = versions.filter(({ record }) => record.id === id || !isFree(record));
    for (const { record } of there) seen.add(record.id);
    families.set(base, there);
  }
  return { first, families };
}

function firstProblem(names: readonly string[]): AppError | null {
  const bad = names.map((name) => checkObjectId(name)).find((verdict) => !verdict.ok);
  return bad?.ok === false ? { code: 'badIdentifier', problem: bad.problem } : null;
}

/** The row of an object under its new identifier; null: there is none. */
async function idAfter(
  catalogue: Pick<Catalogue, 'findByIdentifiers'>,
  move: Move | undefined,
): Promise<number | null> {
  if (move === undefined) return null;
  const { serviceId, kind } = move.row;
  return (await catalogue.findByIdentifiers(serviceId, kind, [move.to])).get(move.to)?.id ?? null;
}

/** What moves as a whole: the selected folder that an identifier is in, or else the object itself. */
function topsIn(selection: Selection, separator: string): (identifier: string) => string {
  const paths = new Set(selection.kind === 'folders' ? selection.paths : []);
  return function topOf(identifier) {
    let top = identifier;
    for (let at = identifier; at !== ''; at = folderAbove(at, separator)) if (paths.has(at)) top = at;
    return top;
  };
}

/** The only identifier that moves; otherwise the folder that everything is in. @param topOf see `topsIn` */
function commonBase(bases: readonly string[], topOf: (base: string) => string, separator: string): string {
  const [only = ''] = bases;
  const isOne = bases.length <= 1 && topOf(only) === only;
  return isOne ? only : commonFolder(bases.map(topOf), separator);
}

/** Whether the service has something under the new name of an object, which the list need not know; null: it doesn't answer. */
function isTaken(request: RetryingRequest, serviceId: string, identifier: string): Promise<boolean | null> {
  return request(serviceId, AbortSignal.timeout(answerMs), (service) => service.head(identifier)).then(
    ({ present }) => present,
    () => null,
  );
}

/** @param moves those whose new names the service has not said to be taken */
function describePlan(planned: Plan, moves: readonly Move[]): Output<'objects.planMove'> {
  const { base, chosen, folderChanges, leftOut, error } = planned;
  return {
    base,
    chosen,
    count: moves.length,
    ...(folderChanges.length > 0 && { folders: folderChanges.length }),
    totalBytes: moves.reduce((sum, { row }) => sum + (row.lengthBytes ?? 0), 0),
    rows: examplesOf(moves),
    taken: planned.taken + planned.moves.length - moves.length,
    leftOut,
    error,
  };
}

function examplesOf(moves: readonly Move[]) {
  return moves
    .slice(0, shownOf(moves.length, namesShown))
    .map(({ row: { id, identifier, lengthBytes }, to }) => ({ id, identifier, lengthBytes, to }));
}
