import { createContext, use, useId } from 'react';

/**
 * Id of the element that names the subject of the buttons inside, such as their row. null: the buttons' own labels
 * suffice.
 */
export const About = createContext<string | null>(null);

/** Props that name a button by its own label followed by its subject. */
export function useAbout(): { id?: string; 'aria-labelledby'?: string } {
  const about = use(About);
  const id = useId();
  return about === null ? {} : { id, 'aria-labelledby': `${id} ${about}` };
}
