import { Switch } from '../../ui/Choice.tsx';
import type { Setting } from '../../app/setting.ts';

export function switchSetting(
  words: Pick<Setting, 'name' | 'hint'>,
  isSelected: boolean,
  onChange: (isOn: boolean) => void,
): Setting {
  return { ...words, control: <Switch label={words.name} isSelected={isSelected} onChange={onChange} /> };
}
