/** Whether the character at this place may be read. */
type Reads = (characters: readonly string[], at: number) => boolean;

/**
 * A state of a nondeterministic automaton. `one` goes to the next state by reading a character, `many` by reading any number of them,
 * `fork` by reading none, to all of `to`, which come after it.
 */
export type State =
  | { readonly kind: 'one' | 'many'; readonly reads: Reads }
  | { readonly kind: 'fork'; readonly to: readonly number[] };

/**
 * Whether the states, entered at the first, reach their end with the whole text. Follows all ways at once, so no pattern makes it try
 * more than each state once for each character. Characters are code points.
 */
export function accepts(states: readonly State[], text: string): boolean {
  const characters = Array.from(text);
  const end = states.length;
  let active = new Uint8Array(end + 1);
  let next = new Uint8Array(end + 1);
  active[0] = 1;
  for (let at = 0; ; at += 1) {
    for (let index = 0; index < end; index += 1) {
      const state = states[index];
      if (active[index] === 0 || !state) continue;
      active[index] = 0;
      if (state.kind === 'fork') for (const to of state.to) active[to] = 1;
      else {
        if (state.kind === 'many') active[index + 1] = 1;
        if (at < characters.length && state.reads(characters, at))
          next[state.kind === 'many' ? index : index + 1] = 1;
      }
    }
    if (at === characters.length) return active[end] === 1;
    active[end] = 0;
    [active, next] = [next, active];
  }
}

/** Whether an identifier or a path matches. */
export type Matches = (text: string) => boolean;

/**
 * Compiles a pattern that must match the whole text, case-sensitively unless `ignoresCase`, and including names that begin with a dot:
 * `*` and `?` stay within a folder, `**` matches across folders, `[a-z]`, `[!a-z]` and `{jpg,png}` as in a shell, and a backslash takes
 * the next character literally. null: it cannot be compiled, as a range such as `[z-a]`
 */
export function compilePattern(pattern: string, separator: string, ignoresCase = false): Matches | null {
  try {
    const states = toStates(pattern, separator, ignoresCase);
    return (text) => accepts(states, text);
  } catch (cause) {
    if (cause instanceof SyntaxError) return null;
    throw cause;
  }
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

const anything: Reads = () => true;

/** @throws SyntaxError for a range such as `[z-a]` */
export function toStates(pattern: string, separator: string, ignoresCase: boolean): State[] {
  const states: State[] = [];
  /** Open braces: where their alternatives start, and where they all go on. */
  const braces: { readonly starts: number[]; readonly ends: number[] }[] = [];
  const boundary = Array.from(separator, (sign) => literal(sign, ignoresCase));
  const within: Reads = (characters, at) => !boundary.every((reads, ahead) => reads(characters, at + ahead));
  for (let at = 0; at < pattern.length; at += 1) {
    const rest = pattern.slice(at);
    const [sign = '', next = ''] = rest;
    const brace = braces.at(-1);
    const set = /^\[([!^]?)(\]?[^\]]*)\]/.exec(rest);
    const isStart = at === 0 || pattern.slice(0, at).endsWith(separator);
    if (isStart && rest.startsWith(`**${separator}`)) {
      const none = states.length + 2 + boundary.length;
      states.push({ kind: 'fork', to: [states.length + 1, none] }, { kind: 'many', reads: anything });
      for (const reads of boundary) states.push({ kind: 'one', reads });
      at += 1 + separator.length;
    } else if (rest.startsWith('**')) {
      states.push({ kind: 'many', reads: anything });
      at += 1;
    } else if (sign === '*') states.push({ kind: 'many', reads: within });
    else if (sign === '?') states.push({ kind: 'one', reads: within });
    else if (set) {
      const [whole, not, members = ''] = set;
      const isMember = oneOf(
        `[${not && '^'}${members.replaceAll(/[\\\][^]/g, String.raw`\$&`)}]`,
        ignoresCase,
      );
      states.push({ kind: 'one', reads: (...place) => within(...place) && isMember(...place) });
      at += whole.length - 1;
    } else if (sign === '{' && rest.includes('}')) {
      const starts = [states.length + 1];
      states.push({ kind: 'fork', to: starts });
      braces.push({ starts, ends: [] });
    } else if (sign === ',' && brace) {
      states.push({ kind: 'fork', to: brace.ends });
      brace.starts.push(states.length);
    } else if (sign === '}' && brace) {
      brace.ends.push(states.length);
      braces.pop();
    } else {
      const isEscape = sign === '\\' && next !== '';
      states.push({ kind: 'one', reads: literal(isEscape ? next : sign, ignoresCase) });
      at += isEscape ? next.length : sign.length - 1;
    }
  }
  for (const { ends } of braces) ends.push(states.length);
  return states;
}

function literal(sign: string, ignoresCase: boolean): Reads {
  const hasCase = sign.toLowerCase() !== sign.toUpperCase();
  if (!ignoresCase || !hasCase) return (characters, at) => characters[at] === sign;
  return oneOf(sign, ignoresCase);
}

/** @param expression of one character @throws SyntaxError */
function oneOf(expression: string, ignoresCase: boolean): Reads {
  const whole = new RegExp(`^${expression}$`, ignoresCase ? 'iu' : 'u');
  return (characters, at) => whole.test(characters[at] ?? '');
}
