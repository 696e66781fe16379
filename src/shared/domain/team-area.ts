import type { TeamArea } from './team.ts';

/** The area that all else lies in: who curates it curates the list. */
export const isWholeList = ({ prefix, classification }: Omit<TeamArea, 'may'>): boolean =>
  prefix === '' && classification === null;
