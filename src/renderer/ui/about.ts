import { createContext, use, useId } from 'react';

/** The id of the element that names what the buttons inside are about, as in the rows of a list; null: they stand for themselves. */
export const About = createContext<string | null>(null);

/** What makes a button's name its own words and the name of what it is about. */
export function useAbout(): { id?: string; 'aria-labelledby'?: string } {
  const about = use(About);
  const id = useId();
  return about === null ? {} : { id, 'aria-labelledby': `${id} ${about}` };
}
