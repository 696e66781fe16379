import { parseIcu, type IcuNode } from 'pofile-ts';

/** A parsed message. Dates, lists and the like are formatted by `format.ts` and passed in as texts. */
export type Part =
  | { kind: 'text'; text: string }
  | { kind: 'value'; name: string }
  /** The number of a plural or an ordinal. */
  | { kind: 'count' }
  | { kind: 'select'; name: string; cases: Cases }
  | { kind: 'plural'; name: string; type: 'cardinal' | 'ordinal'; cases: Cases };
type Cases = Readonly<Record<string, readonly Part[]>>;

/** Throws if the text is not an ICU message, or uses more than texts, numbers, plurals, ordinals and selects. */
export function parseMessage(text: string): readonly Part[] {
  const result = parseIcu(text, { ignoreTag: true });
  if (!result.success) throw new Error(result.errors[0]?.message ?? 'Not an ICU message');
  return result.ast.map(toPart);
}

function toPart(node: IcuNode): Part {
  switch (node.type) {
    case 'literal':
      return { kind: 'text', text: node.value };
    case 'argument':
    case 'number':
      return { kind: 'value', name: node.value };
    case 'pound':
      return { kind: 'count' };
    case 'select':
      return { kind: 'select', name: node.value, cases: toCases(node.options) };
    case 'plural':
      return { kind: 'plural', name: node.value, type: node.pluralType, cases: toCases(node.options) };
    case 'date':
    case 'time':
    case 'list':
    case 'duration':
    case 'ago':
    case 'name':
    case 'tag':
      throw new Error(`Messages take no ${node.type}`);
  }
}

function toCases(options: Record<string, { value: IcuNode[] }>): Cases {
  return Object.fromEntries(Object.entries(options).map(([key, { value }]) => [key, value.map(toPart)]));
}

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
  switch (part.kind) {
    case 'text':
      return part.text;
    case 'value':
      return rules.show(values[part.name] ?? `{${part.name}}`);
    case 'count':
      return rules.show(count);
    case 'select': {
      const { cases } = part;
      return fillMessage(cases[String(values[part.name])] ?? cases['other'] ?? [], values, rules, count);
    }
    case 'plural': {
      const { cases } = part;
      const number = Number(values[part.name]);
      const chosen = cases[`=${number}`] ?? cases[rules.plural(part.type, number)] ?? cases['other'] ?? [];
      return fillMessage(chosen, values, rules, number);
    }
  }
}
