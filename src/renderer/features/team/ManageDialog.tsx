import { useRef, useState } from 'react';
import type { Service } from '../../../shared/domain/service.ts';
import type { TeamStatus } from '../../../shared/domain/team.ts';
import { errorText } from '../../../shared/i18n/error-text.ts';
import { useAct } from '../../app/use-act.ts';
import { commonTexts } from '../../i18n/common-texts.ts';
import { curateTexts as texts } from './curate-texts.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { ErrorNote } from '../../ui/ErrorNote.tsx';
import { focusHere } from '../../ui/focus.ts';
import { Tabs } from '../../ui/Tabs.tsx';
import { AreaList } from './AreaList.tsx';
import { Areas } from './Areas.tsx';
import { ComputerDialog } from './ComputerDialog.tsx';
import { People } from './People.tsx';
import { Sharing } from './Sharing.tsx';
import { useTeam } from './teams.ts';
import { useCuration, type Membership, type PartProps } from './use-curation.ts';
import { ServicePlace } from '../../app/ServicePlace.tsx';

type Props = { service: Service; team: TeamStatus; onClose: () => void };
type View = 'people' | 'areas' | 'sharing';

/** More rows would be out of sight. */
const maxOutlined = 12;

/** Everyone sees their own access and can add a computer; curators manage people, areas and sharing. */
export function ManageDialog({ service, team, onClose }: Props) {
  const { value, error, refresh } = useCuration(service.id);
  const act = useAct();
  const [isAdding, setAdding] = useState(false);
  const last = useRef(Promise.resolve());
  const change = (work: () => Promise<unknown>) => {
    // Serialised: each change uses its own connection, and of two about the same person the later must win.
    last.current = last.current.then(async () => {
      await act.run(async () => void (await work()));
      await refresh();
    });
    return last.current;
  };
  const shown = act.error ?? error;
  return (
    <Dialog
      isOpen
      size="wide"
      className="team-manage"
      onClose={onClose}
      title={texts.title({ list: team.list.name })}
      place={<ServicePlace name={service.name} />}
      say={
        <Button kind="link" onPress={() => setAdding(true)}>
          {texts.computer.open}
        </Button>
      }
      buttons={
        <Button size="large" {...focusHere} onPress={onClose}>
          {texts.close}
        </Button>
      }
    >
      {shown !== null && (
        <div role="alert">
          <ErrorNote
            {...errorText(shown)}
            button={
              act.error === null && (
                <Button kind="line" size="small" onPress={() => void refresh()}>
                  {commonTexts.tryAgain}
                </Button>
              )
            }
          />
        </div>
      )}
      {value === null && error === null && <Loading serviceId={service.id} />}
      {value !== null && <Parts service={service} membership={value} change={change} refresh={refresh} />}
      {isAdding && <ComputerDialog service={service} onClose={() => setAdding(false)} />}
    </Dialog>
  );
}

/** What curators are about to see, in outline, until the team's server has answered: as many rows as this computer knows people. */
function Loading({ serviceId }: { serviceId: string }) {
  const people = useTeam(serviceId)?.people ?? [];
  return (
    <>
      <output className="visually-hidden">{texts.loading}</output>
      <div className="tabs" aria-hidden="true">
        <div className="tabs__bar">
          <div className="tabs__list">
            {[texts.people, texts.areas, texts.sharing].map((label, at) => (
              <span key={label} className="tab" data-selected={at === 0 || undefined}>
                {label}
              </span>
            ))}
          </div>
        </div>
        <div className="tabs__panel">
          <div className="team-manage__do team-manage__do--loading">
            <span className="skeleton" />
          </div>
          <ul className="team-rows">
            {people.slice(0, maxOutlined).map(({ id }) => (
              <li key={id} className="team-row">
                <span className="skeleton" />
              </li>
            ))}
          </ul>
        </div>
      </div>
    </>
  );
}

function Parts(props: Omit<PartProps, 'curation'> & { membership: Membership }) {
  const { membership, ...rest } = props;
  const { mine, curation } = membership;
  const [view, setView] = useState<View>('people');
  if (curation === null) {
    return (
      <section aria-label={texts.yours}>
        <h3 className="team-manage__head">{texts.yours}</h3>
        {mine.length === 0 ? <p>{texts.noAccess}</p> : <AreaList areas={mine} />}
        {mine.length > 0 && <p className="team-manage__say">{texts.yoursText}</p>}
      </section>
    );
  }
  const part = { ...rest, curation };
  const there = curation.people.filter(({ isEnded }) => !isEnded).length;
  return (
    <Tabs<View>
      label={texts.views}
      selected={view}
      onSelect={setView}
      tabs={[
        { id: 'people', label: texts.people, count: String(there), content: <People {...part} /> },
        {
          id: 'areas',
          label: texts.areas,
          count: String(curation.areas.length),
          content: <Areas {...part} />,
        },
        { id: 'sharing', label: texts.sharing, content: <Sharing {...part} /> },
      ]}
    />
  );
}
