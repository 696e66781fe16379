/** Whether the character at this place may be read. */
export type Reads = (characters: readonly string[], at: number) => boolean;

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
