import { useMemo, useState } from 'react';
import type { Profile } from '../../../shared/domain/profile.ts';
import { useClient } from '../../app/client.ts';
import { createMirror, useOwnMirror } from '../../app/mirror.ts';
import { showSettings, usePlace } from '../../app/place.ts';
import { appTexts } from '../../i18n/app-texts.ts';
import { Icon } from '../../ui/Icon.tsx';
import { ClassificationLinks } from './ClassificationLinks.tsx';
import { FolderLevel } from './FolderTree.tsx';
import { NavItem } from './NavItem.tsx';
import { ReachContext } from './nav-keys.ts';
import { PlaceLink } from './PlaceLink.tsx';
import { ServiceSwitcher } from './ServiceSwitcher.tsx';
import './nav.css';

const texts = appTexts.nav;

/** Left: where. Give it the profile's id as key: another service has other folders. */
export function Nav({ profile }: { profile: Profile }) {
  const client = useClient();
  const { value: collections } = useOwnMirror(() =>
    createMirror({
      subscribe: (changed) =>
        client.on('objects.changed', ({ profileId }) => {
          if (profileId === profile.id) changed();
        }),
      load: () => client.call('objects.collections', { profileId: profile.id }),
    }),
  );
  const isSettings = usePlace(({ view }) => view === 'settings');
  const [key, reach] = useState<string | null>(null);
  const reachable = useMemo(() => ({ key, reach }), [key]);
  return (
    <ReachContext value={reachable}>
      <nav className="side" aria-label={texts.label}>
        <ServiceSwitcher profile={profile} />
        <div className="side__scroll">
          <PlaceLink place={{ kind: 'all' }} icon="all" label={texts.all} count={collections?.all ?? 0} />
          <PlaceLink
            place={{ kind: 'all' }}
            kind="secret"
            icon="key"
            label={texts.secrets}
            count={collections?.secrets ?? 0}
          />
          {collections !== null && collections.gone > 0 && (
            <PlaceLink place={{ kind: 'gone' }} icon="gone" label={texts.gone} count={collections.gone} />
          )}
          <h2 className="side__head">{texts.folders}</h2>
          {collections?.hasFolders === true ? (
            <FolderLevel profileId={profile.id} parent="" level={0} />
          ) : (
            <p className="side__hint">
              {texts.foldersHint({
                example: ['reports', '2026', 'july.pdf'].join(profile.separator),
              })}
            </p>
          )}
          {collections !== null && collections.unfiled > 0 && (
            <PlaceLink
              place={{ kind: 'unfiled' }}
              icon="tray"
              label={texts.unfiled}
              count={collections.unfiled}
            />
          )}
          <ClassificationLinks counts={collections?.classifications ?? []} />
        </div>
        <div className="side__foot">
          <NavItem
            itemKey="settings"
            isCurrent={isSettings}
            label={texts.settings}
            mark={<Icon name="settings" />}
            onOpen={showSettings}
          />
        </div>
      </nav>
    </ReachContext>
  );
}
