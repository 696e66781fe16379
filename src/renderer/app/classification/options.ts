import { classificationTexts as texts } from '../../i18n/classification-texts.ts';
import { commonTexts } from '../../i18n/common-texts.ts';
import type { Classifications } from '../../../shared/contract.ts';

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

/** Nothing or the words themselves mean: send no classification. Anything else travels as it was typed. */
export function valueOf(text: string): string | null {
  return text.trim() === '' || text === commonTexts.serviceDefault ? null : text;
}

export function textOf(value: string | null): string {
  return value ?? commonTexts.serviceDefault;
}

/** Whether nobody published it, though there is a list, and nobody has used it: a person is asked before it is sent. */
export function isUnknown(
  { values, recent }: Pick<Classifications, 'values' | 'recent'>,
  value: string | null,
): boolean {
  if (value === null || values.length === 0 || recent.includes(value)) return false;
  return !values.some((entry) => entry.value === value);
}

/**
 * What the picker offers for its text: the service default first, recent choices, then all in the service's order,
 * and last, where the service publishes no list, the text as it stands. While a person types, only what matches.
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
      // Who looks for one finds it once.
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
