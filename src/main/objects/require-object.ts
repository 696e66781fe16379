import { AppFailure } from '../../shared/app-failure.ts';
import type { ObjectKind, ObjectRecord } from '../../shared/domain/object.ts';
import type { Catalogue } from './catalogue.ts';

/** The row of an object. @throws AppFailure notFound (object): there is none, or it is not of this kind */
export async function requireObject(
  catalogue: Pick<Catalogue, 'getMany'>,
  id: number,
  kind?: ObjectKind,
): Promise<ObjectRecord> {
  const [row] = await catalogue.getMany([id]);
  if (!row || row.kind !== (kind ?? row.kind)) throw new AppFailure({ code: 'notFound', what: 'object' });
  return row;
}
