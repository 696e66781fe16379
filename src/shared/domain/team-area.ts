import type { TeamArea } from './team.ts';

/** Maximum UTF-8 bytes of an area's folder: the limit of an index on the server. */
export const areaPrefixMaxBytes = 2000;

/** The area that contains all others: its curators curate the list. */
export const isWholeList = ({ prefix, classification }: Omit<TeamArea, 'may'>): boolean =>
  prefix === '' && classification === null;
