import type { Collections } from '../../../shared/domain/object.ts';
import type { Classifications } from '../../../shared/contract.ts';
import type { RampStep } from '../../ui/Badge.tsx';
import { classificationTexts as texts } from '../../i18n/classification-texts.ts';
import { commonTexts } from '../../i18n/common-texts.ts';
import { classStep } from './ClassBadge.tsx';
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

export type Option = { id: string; value: string | null; label: string; description: string | null };
export type Section = { id: string; title: string | null; options: Option[] };

function defaultOption(): Option {
  return {
    id: 'default:',
    value: null,
    label: commonTexts.serviceDefault,
    description: texts.chosenByService,
  };
}

/** Empty text and the service default's own words mean: send no classification. Anything else is sent as typed. */
export function valueOf(text: string): string | null {
  return text.trim() === '' || text === commonTexts.serviceDefault ? null : text;
}

export function textOf(value: string | null): string {
  return value ?? commonTexts.serviceDefault;
}

/**
 * Whether the service publishes a list without this value, and it was never used: the person is asked before it is
 * sent.
 */
export function isUnknown(
  { values, recent }: Pick<Classifications, 'values' | 'recent'>,
  value: string | null,
): boolean {
  if (value === null || values.length === 0 || recent.includes(value)) return false;
  return !values.some((entry) => entry.value === value);
}

/**
 * The options for a text: the service default, recent choices, all in the service's order, and finally, if the
 * service publishes no list, the text itself. While typing, only matches.
 */
export function offer(
  { values, recent }: Pick<Classifications, 'values' | 'recent'>,
  text: string,
  isTyping: boolean,
): Section[] {
  const sought = isTyping ? text.trim().toLowerCase() : '';
  const matches = ({ label, description }: Option) =>
    `${label}\n${description ?? ''}`.toLowerCase().includes(sought);
  const described = new Map(values.map(({ value, description }) => [value, description]));
  const toOption = (prefix: string) => (value: string) => ({
    id: `${prefix}:${value}`,
    value,
    label: value,
    description: described.get(value) ?? null,
  });
  const recentValues = recent.filter((value) => value !== null);
  const own = valueOf(text);
  const typed = own === null || values.length > 0 || recentValues.includes(own) ? [] : [own];
  const sections: Section[] = [
    { id: 'default', title: null, options: [defaultOption()] },
    { id: 'recent', title: texts.recent, options: recentValues.map(toOption('recent')) },
    {
      id: 'all',
      title: recentValues.length === 0 ? null : texts.all,
      // A search lists each match once.
      options: values
        .map(({ value }) => value)
        .filter((value) => !isTyping || !recentValues.includes(value))
        .map(toOption('value')),
    },
    { id: 'typed', title: texts.asTyped, options: typed.map(toOption('typed')) },
  ];
  return sections
    .map((section) => ({ ...section, options: section.options.filter(matches) }))
    .filter(({ options }) => options.length > 0);
}
