import type { Classifications } from '../../../shared/contract.ts';

export const serviceDefault = 'Service default';

export type Option = { id: string; value: string | null; label: string; description: string | null };
export type Section = { id: string; title: string | null; options: Option[] };

const defaultOption: Option = {
  id: 'default:',
  value: null,
  label: serviceDefault,
  description: 'The service chooses the policy',
};

/** Nothing or the words themselves mean: send no classification. Anything else travels as it was typed. */
export function valueOf(text: string): string | null {
  return text.trim() === '' || text === serviceDefault ? null : text;
}

export function textOf(value: string | null): string {
  return value ?? serviceDefault;
}

/**
 * What the picker offers for what was typed: the service default first, recent choices, then all in the service's
 * order. What was typed and is not listed is offered as it stands.
 */
export function offer(
  { values, recent }: Pick<Classifications, 'values' | 'recent'>,
  typed: string | null,
): Section[] {
  const matches = ({ label, description }: Option) =>
    typed === null || `${label}\n${description ?? ''}`.toLowerCase().includes(typed.trim().toLowerCase());
  const described = new Map(values.map(({ value, description }) => [value, description]));
  const toOption = (prefix: string) => (value: string) => ({
    id: `${prefix}:${value}`,
    value,
    label: value,
    description: described.get(value) ?? null,
  });
  const recentValues = recent.filter((value) => value !== null);
  const isListed = (value: string) => described.has(value) || recentValues.includes(value);
  const typedValue = typed === null ? null : valueOf(typed);
  const sections: Section[] = [
    { id: 'default', title: null, options: [defaultOption] },
    {
      id: 'typed',
      title: 'As typed',
      options: typedValue === null || isListed(typedValue) ? [] : [toOption('typed')(typedValue)],
    },
    { id: 'recent', title: 'Recent', options: recentValues.map(toOption('recent')) },
    {
      id: 'all',
      title: recentValues.length === 0 ? null : 'All',
      options: values.map(({ value }) => toOption('value')(value)),
    },
  ];
  return sections
    .map((section) => ({
      ...section,
      options: section.id === 'typed' ? section.options : section.options.filter(matches),
    }))
    .filter(({ options }) => options.length > 0);
}
