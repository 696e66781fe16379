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

/** `Lea Müller` signs in as `lea`. Empty: the name has no letter that a login name may begin with. */
function loginName(shown: string): string {
  const [first = ''] = shown.trim().normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase().split(/\s/);
  return /^[a-z][a-z0-9_]*$/.test(first) ? first : '';
}

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
        onChange={(shown) =>
          change(person.role === loginName(person.shown) ? { shown, role: loginName(shown) } : { shown })
        }
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
