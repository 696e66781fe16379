import { useState } from 'react';
import { type CuratedPerson, isWholeList } from '../../../shared/domain/team.ts';
import { formatTime } from '../../../shared/i18n/format.ts';
import { useClient } from '../../app/client.ts';
import { ConfirmDialog } from '../../app/ConfirmDialog.tsx';
import { FormDialog } from '../../app/FormDialog.tsx';
import { useAct } from '../../app/use-act.ts';
import { curateTexts } from './curate-texts.ts';
import { Button, IconButton } from '../../ui/Button.tsx';
import { TextField } from '../../ui/Field.tsx';
import { focusHere } from '../../ui/focus.ts';
import { Select } from '../../ui/Select.tsx';
import { InviteDialog } from './InviteDialog.tsx';
import { wholeOptions, type May } from './may-options.ts';
import type { PartProps } from './use-curation.ts';

const texts = curateTexts.person;

/** The open dialog; null: none. */
type Question = { person: CuratedPerson; kind: 'rename' | 'end' | 'again' } | { kind: 'invite' } | null;

/** The people of the team, with role, date and access to the whole list. Ended people come last. */
export function People(props: PartProps) {
  const { curation } = props;
  const [question, setQuestion] = useState<Question>(null);
  /** What this curator could not remove of an ended person's login. */
  const [left, setLeft] = useState<readonly string[]>([]);
  const close = () => setQuestion(null);
  const people = curation.people.toSorted((a, b) => Number(a.isEnded) - Number(b.isEnded) || a.id - b.id);
  return (
    <>
      <div className="team-manage__do">
        <p>{texts.explain}</p>
        <Button kind="line" icon="plus" onPress={() => setQuestion({ kind: 'invite' })}>
          {curateTexts.invite.open}
        </Button>
      </div>
      {left.map((note) => (
        <output key={note} className="team-manage__note">
          {note}
        </output>
      ))}
      <ul className="team-rows" aria-label={curateTexts.people}>
        {people.map((person) => (
          <Person
            key={person.id}
            {...props}
            person={person}
            onAsk={(kind) => setQuestion({ person, kind })}
          />
        ))}
      </ul>
      {question?.kind === 'invite' && <InviteDialog {...props} onClose={close} />}
      {question?.kind === 'rename' && <Rename {...props} person={question.person} onClose={close} />}
      {(question?.kind === 'end' || question?.kind === 'again') && (
        <EndOrTakeBack {...props} person={question.person} onLeft={setLeft} onClose={close} />
      )}
    </>
  );
}

type PersonProps = PartProps & { person: CuratedPerson };

function Person(props: PersonProps & { onAsk: (kind: 'rename' | 'end' | 'again') => void }) {
  const { service, curation, change, person, onAsk } = props;
  const client = useClient();
  const [isLessening, setLessening] = useState<May | null>(null);
  const { id: personId, shown: name, role, isEnded, sinceMs, endedMs } = person;
  const isMe = personId === curation.me;
  const whole = curation.areas.find(isWholeList);
  const mayIn = (area: typeof whole) =>
    area?.access.find((each) => each.personId === personId)?.may ?? 'none';
  const also = curation.areas.filter((area) => area !== whole && mayIn(area) !== 'none').length;
  const setMay = async (may: May) => {
    if (whole === undefined) return;
    await client.call('team.setAccess', { serviceId: service.id, areaId: whole.id, personId, may });
  };
  const day = formatTime(endedMs ?? sinceMs);
  return (
    <li className="team-row">
      <div className="team-row__words">
        <p className="team-row__name">{isMe ? curateTexts.you({ name }) : <bdi>{name}</bdi>}</p>
        <p className="team-row__facts">
          {isEnded ? texts.roleEnded({ role, day }) : texts.role({ role, day })}
        </p>
      </div>
      {isEnded ? (
        <Button kind="line" aria-label={texts.againOf({ name })} onPress={() => onAsk('again')}>
          {texts.again}
        </Button>
      ) : (
        <>
          <div className="team-row__may">
            <Select
              label={texts.accessOf({ name })}
              labelPlace="hidden"
              size="regular"
              value={mayIn(whole)}
              options={wholeOptions()}
              onChange={(may) => {
                if (isMe) setLessening(may === 'curate' ? null : may);
                else void change(() => setMay(may));
              }}
            />
            {also > 0 && <span className="team-row__facts">{texts.alsoIn({ count: also })}</span>}
          </div>
          <IconButton icon="pencil" label={texts.rename({ name })} onPress={() => onAsk('rename')} />
          <Button
            kind="bad"
            aria-label={texts.endOf({ name })}
            isDisabled={isMe}
            onPress={() => onAsk('end')}
          >
            {texts.end}
          </Button>
        </>
      )}
      {isLessening !== null && (
        <ConfirmDialog
          title={texts.lessen}
          button={texts.lessenButton}
          run={async () => {
            try {
              await setMay(isLessening);
            } finally {
              await props.refresh();
            }
          }}
          onClose={() => setLessening(null)}
        >
          <p>{texts.lessenText}</p>
        </ConfirmDialog>
      )}
    </li>
  );
}

function Rename({ service, person, refresh, onClose }: PersonProps & { onClose: () => void }) {
  const client = useClient();
  const act = useAct();
  const [shown, setShown] = useState(person.shown);
  const rename = () =>
    void act.run(async () => {
      await client.call('team.setPerson', {
        serviceId: service.id,
        personId: person.id,
        shown: shown.trim(),
      });
      await refresh();
      onClose();
    });
  return (
    <FormDialog
      title={texts.renameTitle({ name: person.shown })}
      place={service.name}
      size="medium"
      act={act}
      button={{ label: texts.save, isReady: shown.trim() !== '', needs: texts.needsName, onPress: rename }}
      onClose={onClose}
    >
      <TextField {...focusHere} label={texts.name} maxLength={80} value={shown} onChange={setShown} />
    </FormDialog>
  );
}

function EndOrTakeBack(
  props: PersonProps & { onLeft: (notes: readonly string[]) => void; onClose: () => void },
) {
  const { service, person, refresh, onLeft, onClose } = props;
  const client = useClient();
  const { shown: name, role, isEnded } = person;
  async function run() {
    try {
      const { left } = await client.call('team.setPerson', {
        serviceId: service.id,
        personId: person.id,
        isEnded: !isEnded,
      });
      onLeft(left.map((what) => texts.left[what]({ role })));
    } finally {
      await refresh();
    }
  }
  return (
    <ConfirmDialog
      title={isEnded ? texts.againTitle({ name }) : texts.endTitle({ name })}
      button={isEnded ? texts.againButton : texts.endButton}
      kind={isEnded ? 'primary' : 'fatal'}
      run={run}
      onClose={onClose}
    >
      <p>{isEnded ? texts.againText({ name }) : texts.endText({ name })}</p>
    </ConfirmDialog>
  );
}
