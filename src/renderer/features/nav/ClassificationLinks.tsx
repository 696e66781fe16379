import { Swatch } from '../../ui/Badge.tsx';
import type { Classification } from '../../app/classification/options.ts';
import { PlaceLink } from './PlaceLink.tsx';
import { commonTexts } from '../../i18n/common-texts.ts';

export function ClassificationLinks({ classifications }: { classifications: readonly Classification[] }) {
  return (
    <ul>
      {classifications.map(({ value, count, step }) => (
        <li key={value ?? ''}>
          <PlaceLink
            place={{ kind: 'classification', value }}
            label={value ?? commonTexts.serviceDefault}
            count={count}
            mark={<Swatch step={step} />}
          />
        </li>
      ))}
    </ul>
  );
}

/** The icon of the group in the rail. */
export function ClassificationMark() {
  return (
    <span className="swatches">
      {([1, 3, 5, 7] as const).map((step) => (
        <Swatch key={step} step={step} />
      ))}
    </span>
  );
}
