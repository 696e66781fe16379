import type { Output } from '../../../../shared/contract.ts';

/** The number of objects, including older versions hidden behind rows; of a level of folders it would leave out most. */
export function countsOf({ total, folded = 0, outOf, folders }: Output<'objects.page'>) {
  return { count: folders === undefined ? total + folded : 0, outOf };
}
