import { useState } from 'react';
import { type CuratedArea, isWholeList } from '../../../shared/domain/team.ts';
import { teamMays, type TeamMay } from '../../../shared/domain/team-choices.ts';
import { formatList } from '../../../shared/i18n/format.ts';
import { useClient } from '../../app/client.ts';
import { ConfirmDialog } from '../../app/ConfirmDialog.tsx';
import { curateTexts } from './curate-texts.ts';
import { Button } from '../../ui/Button.tsx';
import { State } from '../../ui/State.tsx';
import { AreaDialog } from './AreaDialog.tsx';
import { areaText } from './area-text.ts';
import type { Curation, PartProps } from './use-curation.ts';

const texts = curateTexts.area;

/** The open dialog; null: none. */
type Question = { kind: 'add' } | { kind: 'change' | 'remove'; area: CuratedArea } | null;

/** The areas, preceded by the rest of the list. */
export function Areas(props: PartProps) {
  const { service, curation, refresh } = props;
  const client = useClient();
  const [question, setQuestion] = useState<Question>(null);
  const close = () => setQuestion(null);
  return (
    <>
      <div className="team-manage__do">
        <p>{texts.explain}</p>
        <Button kind="line" icon="plus" onPress={() => setQuestion({ kind: 'add' })}>
          {texts.add}
        </Button>
      </div>
      {curation.unsettled !== null && (
        <output className="team-manage__note">
          <State icon="clock" tone="wait">
            {texts.settling({ count: curation.unsettled })}
          </State>
        </output>
      )}
      <ul className="team-rows" aria-label={curateTexts.areas}>
        {curation.areas.map((area) => (
          <Area key={area.id} area={area} curation={curation} onAsk={(kind) => setQuestion({ kind, area })} />
        ))}
      </ul>
      {question?.kind === 'add' && <AreaDialog {...props} onClose={close} />}
      {question?.kind === 'change' && <AreaDialog {...props} area={question.area} onClose={close} />}
      {question?.kind === 'remove' && (
        <ConfirmDialog
          title={texts.removeTitle({ area: areaText(question.area) })}
          button={texts.removeButton}
          run={async () => {
            try {
              await client.call('team.removeArea', { serviceId: service.id, areaId: question.area.id });
            } finally {
              await refresh();
            }
          }}
          onClose={close}
        >
          <p>{texts.removeText({ count: question.area.objects })}</p>
        </ConfirmDialog>
      )}
    </>
  );
}

function Area(props: { area: CuratedArea; curation: Curation; onAsk: (kind: 'change' | 'remove') => void }) {
  const { area, curation, onAsk } = props;
  const isWhole = isWholeList(area);
  const isAlone = curation.areas.length === 1;
  const everything = isAlone ? texts.everythingAlone : texts.everything;
  const name = isWhole ? everything : areaText(area);
  return (
    <li className="team-row">
      <div className="team-row__words">
        <p className="team-row__name">{name}</p>
        <p className="team-row__facts">{factsText(area, curation)}</p>
      </div>
      {!isWhole && (
        <>
          <Button kind="line" aria-label={texts.changeOf({ area: name })} onPress={() => onAsk('change')}>
            {texts.change}
          </Button>
          <Button kind="bad" aria-label={texts.removeOf({ area: name })} onPress={() => onAsk('remove')}>
            {texts.remove}
          </Button>
        </>
      )}
    </li>
  );
}

const countTexts: Readonly<Record<TeamMay, (of: { count: number }) => string>> = {
  read: (of) => texts.reads(of),
  contribute: (of) => texts.contributes(of),
  curate: (of) => texts.curates(of),
};

/** `402 objects, 1 curates, 3 read and add`. Does not count ended people. */
function factsText({ objects, access }: CuratedArea, { people }: Curation): string {
  const there = new Set(people.filter(({ isEnded }) => !isEnded).map(({ id }) => id));
  const counts = teamMays.toReversed().map((may) => ({
    may,
    count: access.filter((each) => each.may === may && there.has(each.personId)).length,
  }));
  const some = counts.filter(({ count }) => count > 0);
  const who = some.map(({ may, count }) => countTexts[may]({ count }));
  return formatList([texts.objects({ count: objects }), ...(who.length === 0 ? [texts.nobody] : who)]);
}
