import { useState } from 'react';

/** What is typed into a field; when main says another value, that one counts. */
export function useTyped(value: string): [string, (typed: string) => void] {
  const [state, setState] = useState({ value, typed: value });
  if (state.value !== value) setState({ value, typed: value });
  return [state.typed, (typed) => setState({ value, typed })];
}
