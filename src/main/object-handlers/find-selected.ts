import { AppFailure } from '../../shared/app-failure.ts';
import type { ObjectRecord, Selection } from '../../shared/domain/object.ts';
import type { Catalogue } from '../objects/catalogue.ts';

/** The selected rows, all of one service. @throws AppFailure notFound (object), when none of them exists */
export async function findSelected(
  catalogue: Pick<Catalogue, 'idsOf' | 'getMany'>,
  selection: Selection,
): Promise<{ ids: Float64Array; first: ObjectRecord }> {
  const ids = await catalogue.idsOf(selection);
  const [first] = await catalogue.getMany([...ids.subarray(0, 1)]);
  if (!first) throw new AppFailure({ code: 'notFound', what: 'object' });
  return { ids, first };
}
