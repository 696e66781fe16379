import type { TeamArea } from './team.ts';

/** In bytes of UTF-8, of the folder of an area: an index of the server takes no longer ones. */
export const areaPrefixMaxBytes = 2000;

/** The area that all else lies in: who curates it curates the list. */
export const isWholeList = ({ prefix, classification }: Omit<TeamArea, 'may'>): boolean =>
  prefix === '' && classification === null;
