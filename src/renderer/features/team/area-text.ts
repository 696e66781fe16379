import { inOneLine } from '../../../shared/domain/legible.ts';
import type { TeamArea } from '../../../shared/domain/team.ts';
import { isolate } from '../../../shared/i18n/messages.ts';
import { teamTexts } from './team-texts.ts';

const texts = teamTexts.lists;

/** `Everything`, `reports/`, `Classification Secret`, `Secret in reports/`. */
export function areaText({ prefix, classification }: Omit<TeamArea, 'may'>): string {
  if (classification === null) return prefix === '' ? texts.everything : isolate(inOneLine(prefix));
  return prefix === ''
    ? texts.classOnly({ classification })
    : texts.classIn({ classification, folder: prefix });
}
