import { parseIcu, type IcuNode } from 'pofile-ts';
import type { Cases, Part } from './icu.ts';

/**
 * Throws if the text is not an ICU message, or uses more than texts, numbers, plurals, ordinals and selects. For code that runs from
 * source: a bundle has all its messages parsed (`packaging/message-plugin.ts`).
 */
export function parseMessage(text: string): readonly Part[] {
  const result = parseIcu(text, { ignoreTag: true });
  if (!result.success) throw new Error(result.errors[0]?.message ?? 'Not an ICU message');
  return result.ast.map(toPart);
}

function toPart(node: IcuNode): Part {
  switch (node.type) {
    case 'literal':
      return node.value;
    case 'argument':
    case 'number':
      return { value: node.value };
    case 'pound':
      return { count: true };
    case 'select':
      return { select: node.value, cases: toCases(node.options) };
    case 'plural': {
      const cases = toCases(node.options);
      return node.pluralType === 'cardinal' ? { plural: node.value, cases } : { ordinal: node.value, cases };
    }
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
