import { useState } from 'react';

/** What is typed into a field; when main says another value, that one counts. */
export function useTyped(value: string): [string, (typed: string) => void] {
  const [state, setState] = useState({ value, typed: value });
  return [state.value === value ? state.typed : value, (typed) => setState({ value, typed })];
}
