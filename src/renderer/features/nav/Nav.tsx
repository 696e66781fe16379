import { useCallback, useMemo, useState } from 'react';
import type { Service } from '../../../shared/domain/service.ts';
import { useClassificationValues } from '../../app/classification/options.ts';
import { useClient } from '../../app/client.ts';
import { useDock } from '../../app/dock.ts';
import { createRemoteStore, useOwnRemoteStore } from '../../app/remote-store.ts';
import { showSettings, usePlace } from '../../app/place.ts';
import { Slot } from '../../app/slots.tsx';
import { appTexts } from '../../i18n/app-texts.ts';
import { Icon } from '../../ui/Icon.tsx';
import { usePart } from '../../ui/part.ts';
import { ClassificationLinks, ClassificationMark } from './ClassificationLinks.tsx';
import { Favourites } from './Favourites.tsx';
import { ExpandedFolders, FolderLevel } from './FolderTree.tsx';
import { NavItem } from './NavItem.tsx';
import { ReachContext } from './nav-keys.ts';
import { keyOf, PlaceLink } from './PlaceLink.tsx';
import { RailGroup } from './RailGroup.tsx';
import { ServiceSwitcher } from './ServiceSwitcher.tsx';
import './nav.css';

const texts = appTexts.nav;
const firstKey = keyOf({ kind: 'all' }, 'data');

/** The sidebar. Use the service's id as key, so that expanded folders are reset with the service. */
export function Nav({ service }: { service: Service }) {
  const client = useClient();
  const { value: collections } = useOwnRemoteStore(() =>
    createRemoteStore({
      subscribe: (changed) =>
        client.on('objects.changed', ({ serviceId }) => {
          if (serviceId === service.id) changed();
        }),
      load: () => client.call('objects.collections', { serviceId: service.id }),
    }),
  );
  const isSettings = usePlace(({ view }) => view === 'settings');
  const current = usePlace(({ view, place }) => (view === 'objects' ? place.kind : null));
  // In a narrow window with an open dock the sidebar shows only icons.
  const isRail = useDock(({ isOpen, isNarrow }) => isOpen && isNarrow);
  const [key, reach] = useState(firstKey);
  const expanded = useState<ReadonlySet<string>>(new Set());
  const leave = useCallback((gone: string) => reach((now) => (now === gone ? firstKey : now)), []);
  const reachable = useMemo(() => ({ key, reach, leave }), [key, leave]);
  const classifications = useClassificationValues(collections?.classifications ?? []);
  const { all = 0, attention = 0, secrets = 0, gone = 0, unfiled = 0 } = collections ?? {};

  const main = (
    <>
      <PlaceLink place={{ kind: 'all' }} icon="all" label={texts.all} count={all} isMarkOnly={isRail} />
      <PlaceLink place={{ kind: 'recent' }} icon="clock" label={texts.recent} isMarkOnly={isRail} />
      {/* Shown even when empty, so that the links below do not move. */}
      <PlaceLink
        place={{ kind: 'attention' }}
        icon="warn"
        label={texts.attention}
        count={attention}
        isMarkOnly={isRail}
      />
      <PlaceLink
        place={{ kind: 'all' }}
        kind="secret"
        icon="key"
        label={texts.secrets}
        count={secrets}
        isMarkOnly={isRail}
      />
      <Slot name="navItem" serviceId={service.id} isMarkOnly={isRail} />
      <PlaceLink place={{ kind: 'gone' }} icon="gone" label={texts.gone} count={gone} isMarkOnly={isRail} />
    </>
  );
  const folders = (
    <>
      {collections?.hasFolders === true ? (
        <FolderLevel serviceId={service.id} parent="" level={0} />
      ) : (
        <p className="side__hint">
          {texts.foldersHint({ example: ['reports', '2026', 'july.pdf'].join(service.separator) })}
        </p>
      )}
      {unfiled > 0 && (
        <PlaceLink
          place={{ kind: 'unfiled' }}
          icon="tray"
          label={texts.unfiled}
          count={unfiled}
          dropFolder=""
        />
      )}
    </>
  );
  const part = usePart<HTMLElement>({ role: 'navigation', label: texts.label, begins: '[aria-current]' });
  return (
    <ExpandedFolders value={expanded}>
      <ReachContext value={reachable}>
        <nav className={isRail ? 'side side--rail' : 'side'} {...part}>
          <ServiceSwitcher service={service} />
          <div className="side__scroll">
            {main}
            <Favourites service={service} isMarkOnly={isRail} />
            {isRail && <hr className="side__line" />}
            {isRail ? (
              <RailGroup
                label={texts.folders}
                mark={<Icon name="folder" />}
                isCurrent={current === 'folder' || current === 'unfiled'}
              >
                {folders}
              </RailGroup>
            ) : (
              <>
                <h2 className="side__head">{texts.folders}</h2>
                {folders}
              </>
            )}
            {classifications.length > 0 &&
              (isRail ? (
                <RailGroup
                  label={texts.classifications}
                  mark={<ClassificationMark />}
                  isCurrent={current === 'classification'}
                >
                  <ClassificationLinks classifications={classifications} />
                </RailGroup>
              ) : (
                <>
                  <h2 className="side__head">{texts.classifications}</h2>
                  <ClassificationLinks classifications={classifications} />
                </>
              ))}
          </div>
          <div className="side__foot">
            <NavItem
              itemKey="settings"
              isCurrent={isSettings}
              label={texts.settings}
              mark={<Icon name="settings" />}
              isMarkOnly={isRail}
              onOpen={() => showSettings()}
            />
          </div>
        </nav>
      </ReachContext>
    </ExpandedFolders>
  );
}
