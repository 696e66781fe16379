/** A parsed message. Dates, lists and the like are formatted by `format.ts` and passed in as texts. */
export type Part =
  | string
  | { value: string }
  /** The number of a plural or an ordinal. */
  | { count: true }
  | { select: string; cases: Cases }
  | { plural: string; cases: Cases }
  | { ordinal: string; cases: Cases };
export type Cases = Readonly<Record<string, readonly Part[]>>;

export type MessageValues = Readonly<Record<string, string | number>>;

type Rules = {
  plural: (type: 'cardinal' | 'ordinal', count: number) => string;
  /** The formatted value. */
  show: (value: string | number) => string;
};

/** A missing value is shown as its name, so that the mistake is visible and nothing throws. */
export function fillMessage(parts: readonly Part[], values: MessageValues, rules: Rules, count = 0): string {
  return parts.map((part) => fillPart(part, values, rules, count)).join('');
}

function fillPart(part: Part, values: MessageValues, rules: Rules, count: number): string {
  if (typeof part === 'string') return part;
  if ('value' in part) return rules.show(values[part.value] ?? `{${part.value}}`);
  if ('count' in part) return rules.show(count);
  const { cases } = part;
  if ('select' in part)
    return fillMessage(cases[String(values[part.select])] ?? cases['other'] ?? [], values, rules, count);
  const [type, name] =
    'plural' in part ? (['cardinal', part.plural] as const) : (['ordinal', part.ordinal] as const);
  const number = Number(values[name]);
  const chosen = cases[`=${number}`] ?? cases[rules.plural(type, number)] ?? cases['other'] ?? [];
  return fillMessage(chosen, values, rules, number);
}
