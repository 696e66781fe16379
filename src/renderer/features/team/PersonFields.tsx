import { curateTexts } from './curate-texts.ts';
import { TextField } from '../../ui/Field.tsx';
import { focusHere } from '../../ui/focus.ts';

const texts = curateTexts.invite;

type Person = { shown: string; role: string };

type Props = {
  /** Label of the name field. */
  label: string;
  labelPlace?: 'beside';
  roleHint: string;
  person: Person;
  change: (part: Partial<Person>) => void;
};

/** Display name and server role of a person to invite. */
export function PersonFields({ label, labelPlace, roleHint, person, change }: Props) {
  const place = labelPlace === undefined ? {} : { labelPlace };
  return (
    <>
      <TextField
        {...focusHere}
        {...place}
        label={label}
        hint={texts.nameHint}
        maxLength={80}
        value={person.shown}
        onChange={(shown) => change({ shown })}
      />
      <TextField
        {...place}
        isCode
        label={texts.role}
        hint={roleHint}
        spellCheck="false"
        maxLength={63}
        value={person.role}
        onChange={(role) => change({ role })}
      />
    </>
  );
}
