/** Whether an identifier or a path matches. */
export type Matches = (text: string) => boolean;

/**
 * Compiles a pattern that must match the whole text, case-sensitively unless `ignoresCase`, and including names that begin with a dot:
 * `*` and `?` stay within a folder, `**` matches across folders, `[a-z]`, `[!a-z]` and `{jpg,png}` as in a shell, and a backslash takes
 * the next character literally. null: it cannot be compiled, as a range such as `[z-a]`
 */
export function compilePattern(pattern: string, separator: string, ignoresCase = false): Matches | null {
  let whole: RegExp;
  try {
    whole = new RegExp(`^(?:${toExpression(pattern, separator)})$`, ignoresCase ? 'sui' : 'su');
  } catch {
    return null;
  }
  return (text) => whole.test(text);
}

/**
 * Compiles a pattern that selects files. Without a separator it matches names in every folder; with one at its end, everything below
 * such a folder; otherwise the path below the folder that the user named. null: it cannot be compiled
 */
export function compileFilter(pattern: string, separator: string, ignoresCase = false): Matches | null {
  const isFolder = pattern.endsWith(separator);
  const isAnywhere = !pattern.slice(0, isFolder ? -separator.length : undefined).includes(separator);
  const whole = `${isAnywhere ? `**${separator}` : ''}${pattern}${isFolder ? '**' : ''}`;
  return compilePattern(whole, separator, ignoresCase);
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
