import type { Collections } from '../../../shared/domain/object.ts';
import { appTexts } from '../../i18n/app-texts.ts';
import { Swatch } from '../../ui/Badge.tsx';
import { classStep } from '../../app/classification/class-ramp.ts';
import { useListedClasses } from '../../app/classification/ListedClasses.tsx';
import { PlaceLink } from './PlaceLink.tsx';

const texts = appTexts.nav;

/** The classifications in the service's order, then those that only the list knows; the service default last. */
export function ClassificationLinks({ counts }: { counts: Collections['classifications'] }) {
  const listed = useListedClasses();
  const countOf = new Map(counts.map(({ value, count }) => [value, count]));
  const known = counts.flatMap(({ value }) => (value === null ? [] : [value]));
  const values = [...new Set([...listed, ...known])];
  const byDefault = countOf.get(null) ?? 0;
  if (values.length === 0) return null;
  return (
    <>
      <h2 className="side__head">{texts.classifications}</h2>
      <ul>
        {values.map((value) => (
          <li key={value}>
            <PlaceLink
              place={{ kind: 'classification', value }}
              label={value}
              count={countOf.get(value) ?? 0}
              mark={<Swatch step={classStep(value, listed)} />}
            />
          </li>
        ))}
        {byDefault > 0 && (
          <li>
            <PlaceLink
              place={{ kind: 'classification', value: null }}
              label={texts.serviceDefault}
              count={byDefault}
              mark={<Swatch step={0} />}
            />
          </li>
        )}
      </ul>
    </>
  );
}
