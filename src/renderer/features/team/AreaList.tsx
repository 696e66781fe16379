import type { TeamArea } from '../../../shared/domain/team.ts';
import { shownOf } from '../../../shared/domain/shown-of.ts';
import { teamTexts } from './team-texts.ts';
import { areaText } from './area-text.ts';

const texts = teamTexts.lists;

/** The areas that a person can access, with their rights. @param most how many to list; the rest is only counted */
export function AreaList({ areas, most = Infinity }: { areas: readonly TeamArea[]; most?: number }) {
  const shown = shownOf(areas.length, most);
  const more = areas.length - shown;
  return (
    <ul className="team-areas">
      {areas.slice(0, shown).map((area) => (
        <li key={JSON.stringify([area.prefix, area.classification])}>
          {texts.areaOf({ area: areaText(area), may: texts.may[area.may] })}
        </li>
      ))}
      {more > 0 && <li>{texts.more({ count: more })}</li>}
    </ul>
  );
}
