import type { Collections } from '../../../shared/domain/object.ts';
import type { RampStep } from '../../ui/Badge.tsx';
import { classStep } from './class-ramp.ts';
import { useListedClasses } from './ListedClasses.tsx';

export interface Classification {
  /** null: the service default. */
  value: string | null;
  count: number;
  step: RampStep;
}

/** The classifications in the service's order, then those that occur only in the list; the service default last. */
export function useClassificationValues(counts: Collections['classifications']): Classification[] {
  const listed = useListedClasses();
  const countOf = new Map(counts.map(({ value, count }) => [value, count]));
  const known = counts.flatMap(({ value }) => (value === null ? [] : [value]));
  const values: Classification[] = [...new Set([...listed, ...known])].map((value) => ({
    value,
    count: countOf.get(value) ?? 0,
    step: classStep(value, listed),
  }));
  const byDefault = countOf.get(null) ?? 0;
  if (values.length > 0 && byDefault > 0) values.push({ value: null, count: byDefault, step: 0 });
  return values;
}
