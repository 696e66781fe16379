import { Swatch } from '../../ui/Badge.tsx';
import { type Classification, useClassificationValues } from '../../app/classification/options.ts';
import { keyOf, PlaceLink } from './PlaceLink.tsx';
import { commonTexts } from '../../i18n/common-texts.ts';
import { folderTrail } from '../../../shared/domain/folder.ts';
import type { Service } from '../../../shared/domain/service.ts';
import { useClient } from '../../app/client.ts';
import { isTop, type PlaceState, setExpanded, showSettings, usePlace } from '../../app/place.ts';
import { Slot } from '../../app/slots.tsx';
import { appTexts } from '../../i18n/app-texts.ts';
import { Icon } from '../../ui/Icon.tsx';
import { Favourites } from './Favourites.tsx';
import { NavItem } from './NavItem.tsx';
import { type ReactNode, useEffect, useState } from 'react';
import { Button, Dialog, DialogTrigger, Popover } from 'react-aria-components';
import { WithTooltip } from '../../ui/Tooltip.tsx';
import { createReach, Opened, ReachContext } from './nav-keys.ts';
import { useDock } from '../../app/dock.ts';
import { createRemoteStore, useOwnRemoteStore } from '../../app/remote-store.ts';
import { usePart } from '../../ui/part.ts';
import { FolderLevel } from './FolderTree.tsx';
import { ServiceSwitcher } from './ServiceSwitcher.tsx';
import './nav.css';
import { objectTexts } from '../../i18n/object-texts.ts';
import { settingsTexts } from '../../i18n/settings-texts.ts';
import { secretTexts } from '../../i18n/secret-texts.ts';

function ClassificationLinks({ classifications }: { classifications: readonly Classification[] }) {
  return (
    <ul>
      {classifications.map(({ value, count, step }) => (
        <li key={value ?? ''}>
          <PlaceLink
            place={{ kind: 'classification', value }}
            label={value ?? commonTexts.serviceDefault}
            count={count}
            mark={<Swatch step={step} />}
          />
        </li>
      ))}
    </ul>
  );
}

/** The icon of the group in the rail. */
function ClassificationMark() {
  return (
    <span className="swatches">
      {([1, 3, 5, 7] as const).map((step) => (
        <Swatch key={step} step={step} />
      ))}
    </span>
  );
}

const freely = createReach(null);

/** A group of links in the rail: an icon that opens them beside it. */
function RailGroup(props: {
  label: string;
  mark: ReactNode;
  /** Whether the current place is one of them. */
  isCurrent: boolean;
  children: ReactNode;
}) {
  const { label, mark, isCurrent, children } = props;
  const [isOpen, setOpen] = useState(false);
  return (
    <DialogTrigger isOpen={isOpen} onOpenChange={setOpen}>
      <WithTooltip text={label} placement="end">
        <Button className="nav-item" aria-label={label} {...(isCurrent && { 'aria-current': 'true' })}>
          <span className="nav-item__mark">{mark}</span>
        </Button>
      </WithTooltip>
      <Popover className="pop rail-group" placement="end top" offset={4}>
        <Dialog aria-label={label} className="rail-group__dialog">
          <Opened value={() => setOpen(false)}>
            <ReachContext value={freely}>
              <nav aria-label={label} className="rail-group__links">
                {children}
              </nav>
            </ReachContext>
          </Opened>
        </Dialog>
      </Popover>
    </DialogTrigger>
  );
}

const texts = appTexts.nav;
const top = { kind: 'folder', path: '' } as const;
const firstKey = keyOf(top, 'data');

/** Paths of the folders that must be open for the shown one to be seen. */
function foldersAbove({ place }: Pick<PlaceState, 'place'>, separator: string): string[] {
  if (place.kind !== 'folder') return [];
  return folderTrail(place.path, separator)
    .slice(0, -1)
    .map(({ path }) => path);
}

/** The sidebar. Use the service's id as key: what it has loaded is of that service. */
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
  const current = usePlace(({ view, place }) => (view === 'objects' && !isTop(place) ? place.kind : null));
  // In a narrow window with an open dock the sidebar shows only icons.
  const isRail = useDock(({ isOpen, isNarrow }) => isOpen && isNarrow);
  const [reach] = useState(() => createReach(firstKey));
  const { separator } = service;
  useEffect(() => {
    const expand = (shown: PlaceState) => setExpanded(foldersAbove(shown, separator), true);
    expand(usePlace.getState());
    return usePlace.subscribe((shown, before) => {
      if (shown.place !== before.place) expand(shown);
    });
  }, [separator]);
  const classifications = useClassificationValues(collections?.classifications ?? []);
  const { all = 0, attention = 0, secrets = 0, gone = 0 } = collections ?? {};

  const main = (
    <>
      <PlaceLink
        place={top}
        icon="folder"
        label={objectTexts.place.files}
        isMarkOnly={isRail}
        dropFolder=""
      />
      <PlaceLink
        place={{ kind: 'all' }}
        icon="all"
        label={objectTexts.place.all}
        count={all}
        isMarkOnly={isRail}
      />
      <PlaceLink
        place={{ kind: 'recent' }}
        icon="clock"
        label={objectTexts.place.recent}
        isMarkOnly={isRail}
      />
      {/* Shown even when empty, so that the links below do not move. */}
      <PlaceLink
        place={{ kind: 'attention' }}
        icon="warn"
        label={objectTexts.place.attention}
        count={attention}
        isMarkOnly={isRail}
      />
      <PlaceLink
        place={{ kind: 'all' }}
        kind="secret"
        icon="key"
        label={secretTexts.label}
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
        <p className="side__hint">{texts.foldersHint}</p>
      )}
    </>
  );
  const part = usePart<HTMLElement>({ role: 'navigation', label: texts.label, begins: '[aria-current]' });
  return (
    <ReachContext value={reach}>
      <nav className={isRail ? 'side side--rail' : 'side'} {...part}>
        <ServiceSwitcher service={service} />
        <div className="side__scroll">
          {main}
          <Favourites service={service} isMarkOnly={isRail} />
          {isRail && <hr className="side__line" />}
          {isRail ? (
            <RailGroup label={texts.folders} mark={<Icon name="folder" />} isCurrent={current === 'folder'}>
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
                label={commonTexts.classifications}
                mark={<ClassificationMark />}
                isCurrent={current === 'classification'}
              >
                <ClassificationLinks classifications={classifications} />
              </RailGroup>
            ) : (
              <>
                <h2 className="side__head">{commonTexts.classifications}</h2>
                <ClassificationLinks classifications={classifications} />
              </>
            ))}
        </div>
        <div className="side__foot">
          <NavItem
            itemKey="settings"
            isCurrent={isSettings}
            label={settingsTexts.title}
            mark={<Icon name="settings" />}
            isMarkOnly={isRail}
            onOpen={() => showSettings()}
          />
        </div>
      </nav>
    </ReachContext>
  );
}
