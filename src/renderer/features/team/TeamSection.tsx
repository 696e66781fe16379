import type { Service } from '../../../shared/domain/service.ts';
import { teamStateLine, teamTrouble } from '../../../shared/i18n/team-text.ts';
import { type Client, useClient } from '../../app/client.ts';
import { sayFailure } from '../../app/say-failure.ts';
import { useServices } from '../../app/stores.ts';
import { openTeamDialog, useTeams, type TeamKnown } from './teams.ts';
import { curateTexts } from './curate-texts.ts';
import { teamTexts as texts } from './team-texts.ts';
import { Button } from '../../ui/Button.tsx';
import { Section } from '../settings/Section.tsx';
import type { Setting } from '../../app/setting.ts';

/** For each service the joined team's list, or a way to join one. The service on this computer cannot be shared. */
export function TeamSection({ search }: { search: string }) {
  const client = useClient();
  const { services } = useServices();
  const teams = useTeams();
  return (
    <Section
      title={texts.title}
      search={search}
      settings={services
        .filter(({ isLocal }) => teams !== null && !isLocal)
        .map((service) => {
          const team = teams?.get(service.id);
          return team === undefined ? alone(service) : joined(client, service, team);
        })}
    />
  );
}

function alone({ id, name }: Service): Setting {
  return {
    name: texts.listOf({ service: name }),
    words: texts.words,
    hint: texts.alone,
    control: (
      <>
        <Button
          kind="line"
          aria-label={curateTexts.create.openOf({ service: name })}
          onPress={() => openTeamDialog('create', id)}
        >
          {curateTexts.create.open}
        </Button>
        <Button
          kind="line"
          aria-label={texts.joinOf({ service: name })}
          onPress={() => openTeamDialog('join', id)}
        >
          {texts.join}
        </Button>
      </>
    ),
  };
}

function joined(client: Client, { id: serviceId, name: service }: Service, { status }: TeamKnown): Setting {
  const { syncState, list, server } = status;
  const isAway = syncState.kind === 'asOf' && syncState.why !== 'connecting';
  const mayRetry = isAway || syncState.kind === 'refused';
  return {
    name: texts.listOf({ service }),
    words: texts.words,
    hint: texts.stateAt({
      state: teamStateLine(status),
      at: texts.at({ list: list.name, host: server.host, role: server.role }),
    }),
    control: (
      <>
        {syncState.kind === 'refused' && (
          <Button
            kind="line"
            aria-label={texts.signInOf({ service })}
            onPress={() => openTeamDialog('signIn', serviceId)}
          >
            {texts.signIn}
          </Button>
        )}
        {mayRetry && (
          <Button
            kind="line"
            aria-label={texts.retryOf({ service })}
            onPress={() => sayFailure(client.call(isAway ? 'team.sync' : 'team.retry', { serviceId }))}
          >
            {texts.retry}
          </Button>
        )}
        {syncState.kind !== 'refused' && (
          <Button
            kind="line"
            aria-label={curateTexts.openOf({ service })}
            onPress={() => openTeamDialog('manage', serviceId)}
          >
            {curateTexts.open}
          </Button>
        )}
        <Button
          kind="line"
          aria-label={texts.leaveOf({ service })}
          onPress={() => openTeamDialog('leave', serviceId)}
        >
          {texts.leave}
        </Button>
      </>
    ),
    below: <Notes status={status} />,
  };
}

/** Problems, each with its remedy. */
function Notes({ status }: Pick<TeamKnown, 'status'>) {
  const { syncState, setAside, noteConflicts, passwordStoredIn } = status;
  const trouble = teamTrouble(syncState);
  const notes = [
    trouble && `${trouble.what} ${trouble.next}`,
    setAside > 0 && texts.setAside({ count: setAside }),
    noteConflicts > 0 && texts.apart.count({ count: noteConflicts }),
    syncState.kind === 'live' && syncState.leftOut > 0 && texts.leftOut({ count: syncState.leftOut }),
    passwordStoredIn === 'session' && texts.session,
  ].filter((note) => note !== null && note !== false);
  if (notes.length === 0) return null;
  return (
    <ul className="set__notes">
      {notes.map((note) => (
        <li key={note}>{note}</li>
      ))}
    </ul>
  );
}
