import type { Output } from '../../shared/contract.ts';
import type { ObjectRecord } from '../../shared/domain/object.ts';
import type { Catalogue } from '../objects/catalogue.ts';
import type { Clock } from '../ports.ts';
import type { Engine } from '../transfers/engine.ts';
import { isFinished, isIdle, type TransferRecord } from '../transfers/model/record.ts';
import { areAtRest, waitUntil } from './at-rest.ts';

/** How long a move that has begun may still end before it is cancelled: cancelled late, it leaves its copy. */
const endsMs = 5_000;

/** Whether nothing is known to be stored under the identifier of this row. */
export function isFree(row: Pick<ObjectRecord, 'state'> | undefined): boolean {
  return row === undefined || row.state === 'gone' || row.state === 'failed';
}

type Deps = {
  readonly catalogue: Pick<Catalogue, 'findByIdentifiers' | 'getMany'>;
  readonly engine: Pick<Engine, 'actions' | 'enqueue' | 'recordsOf'>;
  readonly clock: Clock;
};

/** Cancels what waits, and moves back what has moved unless its former identifier is in use again. */
export async function moveBack(deps: Deps, transferIds: number[]): Promise<Output<'objects.undoMove'>> {
  const { catalogue, engine, clock } = deps;
  const records = await end(deps, transferIds);
  let leftOut = await countCopies(catalogue, records);
  const moved = new Map<string, Map<number, string>>();
  for (const { serviceId, state, objectId, work } of records) {
    if (state.name !== 'done' || objectId === null || work.kind !== 'upload' || !work.moves) continue;
    const ofService = moved.get(serviceId) ?? new Map<number, string>();
    moved.set(serviceId, ofService.set(objectId, work.moves.identifier));
  }
  const back: number[] = [];
  for (const [serviceId, names] of moved) {
    const formers = () => catalogue.findByIdentifiers(serviceId, 'data', [...names.values()]);
    await waitUntil(clock, async () =>
      areAtRest([...(await catalogue.getMany([...names.keys()])), ...(await formers()).values()]),
    );
    const known = await formers();
    const free = [...names].filter(([, name]) => isFree(known.get(name)));
    const ids = await engine.enqueue.move(serviceId, new Map(free));
    leftOut += names.size - ids.length;
    back.push(...ids);
  }
  return { leftOut, transferIds: back };
}

/** Cancels moves; those that have begun only if they do not end soon. */
async function end({ engine, clock }: Deps, ids: number[]): Promise<readonly TransferRecord[]> {
  const read = () => engine.recordsOf(ids);
  const waiting = (await read()).filter(isIdle).map(({ id }) => id);
  await engine.actions.cancel({ kind: 'ids', ids: waiting });
  const begun = (await read()).filter((record) => !isFinished(record)).map(({ id }) => id);
  const areOver = async () => (await engine.recordsOf(begun)).every(isFinished);
  await waitUntil(clock, areOver, endsMs);
  await engine.actions.cancel({ kind: 'ids', ids: begun });
  await waitUntil(clock, areOver);
  return read();
}

/** The number of those that were cancelled too late, or are not over: there is or may be a copy, beside the object. */
async function countCopies(
  catalogue: Deps['catalogue'],
  records: readonly TransferRecord[],
): Promise<number> {
  let count = 0;
  for (const { serviceId, identifier, state } of records) {
    if (state.name === 'done' || state.name === 'failed') continue;
    const row = (await catalogue.findByIdentifiers(serviceId, 'data', [identifier])).get(identifier);
    if (!isFree(row)) count += 1;
  }
  return count;
}
