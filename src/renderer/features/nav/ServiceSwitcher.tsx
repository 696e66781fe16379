import { Button } from 'react-aria-components';
import type { Profile } from '../../../shared/domain/service.ts';
import { useClient } from '../../app/client.ts';
import { showConnect, showRemove } from '../../app/place.ts';
import { useProfiles, useTransferSummary } from '../../app/stores.ts';
import { sayFailure } from '../../app/say-failure.ts';
import { appTexts } from '../../i18n/app-texts.ts';
import { dockTexts } from '../../i18n/dock-texts.ts';
import { Icon } from '../../ui/Icon.tsx';
import { MenuButton, type MenuEntry } from '../../ui/Menu.tsx';

const texts = appTexts.service;

/** Which service, and how it is: a dot and a word. */
export function ServiceSwitcher({ profile }: { profile: Profile }) {
  const client = useClient();
  const { profiles } = useProfiles();
  const state = appTexts.connection[profile.connection];

  const isPaused = useTransferSummary()?.paused.profileIds.includes(profile.id) ?? false;

  const entries: MenuEntry[] = [
    ...profiles.map((each): MenuEntry => ({
      id: each.id,
      label: each.name,
      text: appTexts.connection[each.connection],
      mark: <StateDot profile={each} />,
      onAction: () => sayFailure(client.call('profiles.activate', { id: each.id })),
    })),
    'line',
    { id: 'add', label: texts.add, icon: 'plus', onAction: () => showConnect(null) },
    {
      id: 'edit',
      label: texts.edit({ name: profile.name }),
      icon: 'pencil',
      onAction: () => showConnect(profile.id),
    },
    {
      id: 'check',
      label: texts.check,
      icon: 'refresh',
      onAction: () => sayFailure(client.call('profiles.check', { id: profile.id })),
    },
    {
      id: 'pause',
      label: isPaused ? dockTexts.service.resume : dockTexts.service.pause,
      icon: isPaused ? 'play' : 'pause',
      onAction: () =>
        sayFailure(
          client.call(isPaused ? 'transfers.resume' : 'transfers.pause', {
            which: { profileId: profile.id },
          }),
        ),
    },
    'line',
    {
      id: 'remove',
      label: texts.remove({ name: profile.name }),
      icon: 'trash',
      kind: 'bad',
      onAction: () => showRemove(profile.id),
    },
  ];

  return (
    <>
      <MenuButton
        label={texts.menu}
        entries={entries}
        trigger={
          <Button className="service" aria-label={texts.button({ name: profile.name, state })}>
            <StateDot profile={profile} />
            <span className="service__text" title={profile.name}>
              <bdi className="service__name">{profile.name} </bdi>
              <span className="service__state">{state}</span>
            </span>
            <Icon name="updown" />
          </Button>
        }
      />
    </>
  );
}

function StateDot({ profile }: { profile: Profile }) {
  return <span className={`service__dot service__dot--${profile.connection}`} />;
}
