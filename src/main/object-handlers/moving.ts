import type { Handlers, Input } from '../../shared/contract.ts';
import type { AppError } from '../../shared/errors.ts';
import { AppFailure } from '../../shared/app-failure.ts';
import { canMove, type ObjectRecord, type Selection } from '../../shared/domain/object.ts';
import { commonFolder } from '../../shared/domain/folder.ts';
import { checkObjectId } from '../../shared/domain/object-id.ts';
import type { ListedVersion } from '../../shared/domain/object-changes.ts';
import { versionIdentifier } from '../../shared/domain/versions.ts';
import type { Connections } from '../connections/connections.ts';
import type { Catalogue } from '../objects/catalogue.ts';
import type { Engine } from '../transfers/engine.ts';
import type { Clock } from '../ports.ts';
import { findSelected } from './find-selected.ts';

/** States of rows under whose identifier nothing is known to be stored. */
const isFree = new Set<ObjectRecord['state']>(['gone', 'failed']);
/** How long looked-up rows are reused while the person types, in ms: looking up 10,000 takes seconds. */
const knownMs = 5_000;
/** Number of examples shown before the person agrees. */
const namesShown = 5;

interface Move {
  readonly row: ObjectRecord;
  readonly to: string;
}

/** By base identifier: all its versions, which move together. */
type Families = ReadonlyMap<string, readonly ListedVersion[]>;

interface Plan {
  readonly base: string;
  readonly chosen: number;
  readonly serviceId: string;
  readonly moves: readonly Move[];
  readonly taken: number;
  readonly leftOut: number;
  readonly error: AppError | null;
}

/** Moves the objects of a selection, and plans a move without starting it. */
export function createMoving(deps: {
  catalogue: Pick<Catalogue, 'idsOf' | 'getMany' | 'versions' | 'findByIdentifiers'>;
  connections: Pick<Connections, 'factsOf'>;
  engine: Pick<Engine, 'enqueue'>;
  clock: Pick<Clock, 'monotonicMs'>;
}): { handlers: Pick<Handlers, 'objects.move' | 'objects.planMove'> } {
  const { catalogue, connections, engine, clock } = deps;

  /** The selection planned last: typing a name plans it again for each character. */
  let last: {
    readonly key: string;
    readonly chosen: ReturnType<typeof inspect>;
    readonly atMs: number;
  } | null = null;

  async function inspect(selection: Selection): Promise<{ first: ObjectRecord; families: Families }> {
    const { ids, first } = await findSelected(catalogue, selection);
    const families = new Map<string, readonly ListedVersion[]>();
    const seen = new Set<number>();
    for (const { id, kind, serviceId, identifier } of await catalogue.getMany([...ids])) {
      if (seen.has(id)) continue;
      const { base, versions } = await catalogue.versions(serviceId, kind, identifier);
      const there = versions.filter(({ record }) => record.id === id || !isFree.has(record.state));
      for (const { record } of there) seen.add(record.id);
      families.set(base, there);
    }
    return { first, families };
  }

  async function plan(
    { first, families }: Awaited<ReturnType<typeof inspect>>,
    to: Input<'objects.move'>['to'],
  ): Promise<Plan> {
    const { serviceId, kind } = first;
    const { separator, versionMark } = await connections.factsOf(serviceId);
    const all: readonly Move[] = [...families].flatMap(([base, versions]) => {
      const newBase = newBaseOf(base, to, separator);
      return versions.map(({ number, record }) => ({
        row: record,
        to: versionIdentifier(newBase, separator, versionMark, number),
      }));
    });
    const names = all.map((move) => move.to);
    const known = await catalogue.findByIdentifiers(serviceId, kind, names);
    const bad = names.map((name) => checkObjectId(name)).find((verdict) => !verdict.ok);
    const movable = all.filter((move) => canMove(move.row) && move.to !== move.row.identifier);
    const given = new Set<string>();
    const moves = movable.filter((move) => {
      const isNew = isFree.has(known.get(move.to)?.state ?? 'gone') && !given.has(move.to);
      given.add(move.to);
      return isNew;
    });
    const [base = '', ...more] = families.keys();
    return {
      serviceId,
      base: more.length === 0 ? base : commonFolder([base, ...more], separator),
      chosen: families.size,
      moves,
      taken: movable.length - moves.length,
      leftOut: all.length - movable.length,
      error: bad?.ok === false ? { code: 'badIdentifier', problem: bad.problem } : null,
    };
  }

  return {
    handlers: {
      'objects.planMove': async ({ selection, to }) => {
        const key = JSON.stringify(selection);
        const atMs = clock.monotonicMs();
        if (last?.key !== key || atMs - last.atMs > knownMs) last = { key, chosen: inspect(selection), atMs };
        const { base, chosen, moves, taken, leftOut, error } = await plan(await last.chosen, to);
        return {
          base,
          chosen,
          count: moves.length,
          totalBytes: moves.reduce((sum, { row }) => sum + (row.lengthBytes ?? 0), 0),
          rows: moves.slice(0, namesShown).map(({ row: { id, identifier, lengthBytes }, to }) => ({
            id,
            identifier,
            lengthBytes,
            to,
          })),
          taken,
          leftOut,
          error,
        };
      },

      'objects.move': async ({ selection, to }) => {
        last = null;
        const { serviceId, moves, taken, leftOut, error } = await plan(await inspect(selection), to);
        if (error) throw new AppFailure(error);
        const { length: count } = await engine.enqueue.move(
          serviceId,
          new Map(moves.map(({ row, to }) => [row.id, to])),
        );
        const newest = to.kind === 'name' ? moves.at(-1) : undefined;
        const renamed =
          newest && (await catalogue.findByIdentifiers(serviceId, newest.row.kind, [newest.to]));
        const renamedId = (newest && renamed?.get(newest.to)?.id) ?? null;
        return { count, leftOut: taken + leftOut, renamedId };
      },
    },
  };
}

function newBaseOf(base: string, to: Input<'objects.move'>['to'], separator: string): string {
  switch (to.kind) {
    case 'name':
      return to.identifier;
    case 'folder':
      return inFolder(to.folder, base, separator);
    case 'beginning':
      return base.startsWith(to.from) ? to.to + base.slice(to.from.length) : base;
  }
}

function inFolder(folder: string, base: string, separator: string): string {
  const name = base.split(separator).at(-1) ?? base;
  return folder === '' || folder.endsWith(separator) ? folder + name : folder + separator + name;
}
