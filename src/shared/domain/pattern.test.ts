import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { accepts, compilePattern, type State, toStates } from './pattern.ts';

const separators = ['/', '/', '::', '->', 'aA', '😀'];
const signs = ['a', 'b', 'A', '/', ':', '.', '-', '😀', 'é', 'ß', '\n', '\ud83d'];
const syntax = [
  '*',
  '*',
  '**',
  '**/',
  '?',
  '[',
  '[!',
  '[^',
  ']',
  '{',
  '}',
  ',',
  '\\',
  '{a,b}',
  '[ab]',
  '::',
  '->',
];

const pattern = fc
  .array(fc.constantFrom(...signs, ...syntax), { maxLength: 7 })
  .map((parts) => parts.join(''));
const text = fc
  .array(fc.constantFrom(...signs, ...syntax, 'ẞ', '\ude00'), { maxLength: 7 })
  .map((parts) => parts.join(''));

test('a pattern matches what the regular expression of the same meaning matches', () => {
  fc.assert(
    fc.property(
      pattern,
      text,
      fc.constantFrom(...separators),
      fc.boolean(),
      (glob, name, separator, ignoresCase) => {
        const expression = compileExpression(glob, separator, ignoresCase);
        const matches = compilePattern(glob, separator, ignoresCase);
        // The pattern itself, too: random text rarely matches.
        const names = [name, glob, glob.replaceAll(/[*?]/g, 'a')];
        const found = names.map((each) => matches?.(each));
        expect({ glob, names, found }).toEqual({
          glob,
          names,
          found: names.map((each) => expression?.test(each)),
        });
      },
    ),
    { numRuns: 1000 },
  );
});

describe('a pattern tries each of its states at most once for each character', () => {
  test.each([
    ['*a'.repeat(6) + '*b', 'a'.repeat(60)],
    ['**/'.repeat(40) + 'b', 'a/'.repeat(60)],
    ['{*,**,?}'.repeat(20) + 'b', 'a'.repeat(200)],
    ['*[ab]'.repeat(30) + '::', 'ab'.repeat(200)],
  ])('%s', (glob, name) => {
    let tries = 0;
    const states = toStates(glob, '/', true).map((state): State => {
      if (state.kind === 'fork') return state;
      return { ...state, reads: (...place) => (tries += 1) > 0 && state.reads(...place) };
    });
    expect(accepts(states, name)).toBe(false);
    expect(tries).toBeLessThanOrEqual(states.length * name.length);
  });
});

/** What patterns mean, in a regular expression. It may take exponential time. */
function compileExpression(glob: string, separator: string, ignoresCase: boolean): RegExp | null {
  try {
    return new RegExp(`^(?:${toExpression(glob, separator)})$`, ignoresCase ? 'sui' : 'su');
  } catch {
    return null;
  }
}

function toExpression(pattern: string, separator: string): string {
  const boundary = escaped(separator);
  const within = `(?:(?!${boundary}).)`;
  let expression = '';
  let depth = 0;
  for (let at = 0; at < pattern.length; at += 1) {
    const rest = pattern.slice(at);
    const sign = rest.charAt(0);
    const isStart = at === 0 || pattern.slice(0, at).endsWith(separator);
    if (isStart && rest.startsWith(`**${separator}`)) {
      expression += `(?:.*${boundary})?`;
      at += 1 + separator.length;
    } else if (rest.startsWith('**')) {
      expression += '.*';
      at += 1;
    } else if (sign === '*') expression += `${within}*`;
    else if (sign === '?') expression += within;
    else if (sign === '[') {
      const set = /^\[(!|\^)?(\]?[^\]]*)\]/.exec(rest);
      if (set) {
        const [whole, not = '', members = ''] = set;
        const inside = members.replaceAll(/[\\\][^]/g, String.raw`\$&`);
        expression += `(?!${boundary})[${not && '^'}${inside}]`;
        at += whole.length - 1;
      } else expression += String.raw`\[`;
    } else if (sign === '{' && rest.includes('}')) {
      depth += 1;
      expression += '(?:';
    } else if (sign === '}' && depth > 0) {
      depth -= 1;
      expression += ')';
    } else if (sign === ',' && depth > 0) expression += '|';
    else if (sign === '\\' && rest.length > 1) {
      const [next = ''] = rest.slice(1);
      expression += escaped(next);
      at += next.length;
    } else expression += escaped(sign);
  }
  return expression + ')'.repeat(depth);
}

function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
}
