import type { Handlers, Input } from '../../shared/contract.ts';
import type { AppError } from '../../shared/errors.ts';
import { AppFailure } from '../../shared/app-failure.ts';
import { isStoredWhole, type ObjectRecord } from '../../shared/domain/object.ts';
import { checkObjectId } from '../../shared/domain/object-id.ts';
import { versionIdentifier } from '../../shared/domain/versions.ts';
import type { Connections } from '../connections/connections.ts';
import type { Catalogue } from '../objects/catalogue.ts';
import type { Engine } from '../transfers/engine.ts';
import { findSelected } from './find-selected.ts';

/** Names that a person sees before agreeing. */
const namesShown = 5;

interface Move {
  readonly row: ObjectRecord;
  readonly to: string;
}

interface Plan {
  readonly base: string;
  readonly chosen: number;
  readonly serviceId: string;
  readonly moves: readonly Move[];
  readonly taken: number;
  readonly leftOut: number;
  readonly error: AppError | null;
}

/** Enqueues other identifiers for the objects of a selection, and says before what would happen. */
export function createMoving(deps: {
  catalogue: Pick<Catalogue, 'idsOf' | 'getMany' | 'versions' | 'findByIdentifiers'>;
  connections: Pick<Connections, 'factsOf'>;
  engine: Pick<Engine, 'enqueue'>;
}): { handlers: Pick<Handlers, 'objects.move' | 'objects.planMove'> } {
  const { catalogue, connections, engine } = deps;

  async function plan({ selection, to }: Input<'objects.move'>): Promise<Plan> {
    const { ids, first } = await findSelected(catalogue, selection);
    const { serviceId, kind } = first;
    const { separator, versionMark } = await connections.factsOf(serviceId);
    const wanted = new Map<number, Move>();
    const bases = new Set<string>();
    for (const { id, identifier } of await catalogue.getMany([...ids])) {
      if (wanted.has(id)) continue;
      const { base, versions } = await catalogue.versions(serviceId, kind, identifier);
      bases.add(base);
      const newBase = to.kind === 'name' ? to.identifier : inFolder(to.folder, base, separator);
      for (const { number, record } of versions)
        wanted.set(record.id, {
          row: record,
          to: versionIdentifier(newBase, separator, versionMark, number),
        });
    }
    const all = [...wanted.values()];
    const names = all.map((move) => move.to);
    const known = await catalogue.findByIdentifiers(serviceId, kind, names);
    const bad = names.map((name) => checkObjectId(name)).find((verdict) => !verdict.ok);
    const movable = all.filter((move) => isStoredWhole(move.row) && move.to !== move.row.identifier);
    const given = new Set<string>();
    const moves = movable.filter((move) => {
      const state = known.get(move.to)?.state ?? 'gone';
      const isFree = (state === 'gone' || state === 'failed') && !given.has(move.to);
      given.add(move.to);
      return isFree;
    });
    const [base = ''] = bases;
    return {
      serviceId,
      base,
      chosen: bases.size,
      moves,
      taken: movable.length - moves.length,
      leftOut: all.length - movable.length,
      error: bad?.ok === false ? { code: 'badIdentifier', problem: bad.problem } : null,
    };
  }

  return {
    handlers: {
      'objects.planMove': async (input) => {
        const { base, chosen, moves, taken, leftOut, error } = await plan(input);
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

      'objects.move': async (input) => {
        const { serviceId, moves, taken, leftOut, error } = await plan(input);
        if (error) throw new AppFailure(error);
        const { length: count } = await engine.enqueue.move(
          serviceId,
          new Map(moves.map(({ row, to }) => [row.id, to])),
        );
        return { count, leftOut: taken + leftOut };
      },
    },
  };
}

function inFolder(folder: string, base: string, separator: string): string {
  const name = base.split(separator).at(-1) ?? base;
  return folder === '' || folder.endsWith(separator) ? folder + name : folder + separator + name;
}
