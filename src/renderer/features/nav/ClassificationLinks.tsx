import type { Collections } from '../../../shared/domain/object.ts';
import { appTexts } from '../../i18n/app-texts.ts';
import { Swatch, type RampStep } from '../../ui/Badge.tsx';
import { classStep } from '../../app/classification/class-ramp.ts';
import { useListedClasses } from '../../app/classification/ListedClasses.tsx';
import { PlaceLink } from './PlaceLink.tsx';

const texts = appTexts.nav;

interface Classification {
  /** null: the service default. */
  value: string | null;
  count: number;
  step: RampStep;
}

/** The classifications in the service's order, then those that only the list knows; the service default last. */
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

export function ClassificationLinks({ classifications }: { classifications: readonly Classification[] }) {
  return (
    <ul>
      {classifications.map(({ value, count, step }) => (
        <li key={value ?? ''}>
          <PlaceLink
            place={{ kind: 'classification', value }}
            label={value ?? texts.serviceDefault}
            count={count}
            mark={<Swatch step={step} />}
          />
        </li>
      ))}
    </ul>
  );
}

/** Stands for all of them. */
export function ClassificationMark() {
  return (
    <span className="swatches">
      {([1, 3, 5, 7] as const).map((step) => (
        <Swatch key={step} step={step} />
      ))}
    </span>
  );
}
