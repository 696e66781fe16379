import type { CuratedArea, TeamArea } from '../../../shared/domain/team.ts';
import { teamMays } from '../../../shared/domain/team-choices.ts';
import type { May } from './may-options.ts';

type Place = Omit<TeamArea, 'may'>;

/** The least access that each person has to the objects of a new area, so that creating it grants nobody more. */
export function accessOfNew(areas: readonly CuratedArea[], place: Place): ReadonlyMap<number, May> {
  const [first, ...others] = sourcesOf(areas, place);
  return new Map(
    first?.access.map(({ personId, may }) => [
      personId,
      others.map((area) => mayIn(area, personId)).reduce(lesser, may),
    ]),
  );
}

/** The areas that these objects belong to now. By the server's rule, a classification's own area takes precedence, then the longest folder. */
function sourcesOf(areas: readonly CuratedArea[], { prefix, classification }: Place): CuratedArea[] {
  const around = (of: string | null) =>
    areas
      .filter((area) => area.classification === of && prefix.startsWith(area.prefix))
      .toSorted((a, b) => b.prefix.length - a.prefix.length)
      .slice(0, 1);
  if (classification === null) return around(null);
  const ofClass = around(classification);
  if (ofClass.length > 0) return ofClass;
  const within = areas.filter(
    (area) =>
      area.classification === null && area.prefix.length > prefix.length && area.prefix.startsWith(prefix),
  );
  return [...around(null), ...within];
}

const mayIn = ({ access }: CuratedArea, person: number): May =>
  access.find(({ personId }) => personId === person)?.may ?? 'none';

const rankOf = (may: May): number => (may === 'none' ? -1 : teamMays.indexOf(may));

const lesser = (a: May, b: May): May => (rankOf(a) < rankOf(b) ? a : b);
