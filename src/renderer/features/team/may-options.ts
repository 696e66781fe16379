import { teamMays, type TeamMay } from '../../../shared/domain/team-choices.ts';
import { curateTexts } from './curate-texts.ts';

export type May = TeamMay | 'none';
type MayOption = { value: May; label: string; text: string };

const optionOf = (value: May): MayOption => ({
  value,
  label: curateTexts.may[value],
  text: curateTexts.mayText[value],
});

/** What a person may do in an area. */
export const areaOptions = (): MayOption[] => [optionOf('none'), ...teamMays.map(optionOf)];

/** For the whole list: curating it includes curating the team. */
export const wholeOptions = (): MayOption[] =>
  areaOptions().map((option) =>
    option.value === 'curate' ? { ...option, text: curateTexts.mayCurateAll } : option,
  );
