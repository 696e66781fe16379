import type { Handlers } from '../../shared/contract.ts';
import type { Catalogue } from '../objects/catalogue.ts';
import type { Engine } from '../transfers/engine.ts';
import { findSelected } from './find-selected.ts';

/** Enqueues another classification for the objects of a selection. */
export function createReclassification(deps: {
  catalogue: Pick<Catalogue, 'idsOf' | 'getMany'>;
  engine: Pick<Engine, 'enqueue'>;
  /** Makes it the first suggestion next time. */
  rememberUsed: (serviceId: string, classification: string | null) => Promise<unknown>;
}): { handlers: Pick<Handlers, 'objects.reclassify'> } {
  const { catalogue, engine, rememberUsed } = deps;
  return {
    handlers: {
      'objects.reclassify': async ({ selection, classification }) => {
        const { ids, first } = await findSelected(catalogue, selection);
        const { length: count } = await engine.enqueue.reclassify(first.serviceId, ids, classification);
        if (count > 0) await rememberUsed(first.serviceId, classification);
        return { count, leftOut: ids.length - count };
      },
    },
  };
}
