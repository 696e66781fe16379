import type { Service } from '../../../shared/domain/service.ts';
import { Pane } from '../../app/Pane.tsx';
import { usePlace } from '../../app/place.ts';
import { appTexts } from '../../i18n/app-texts.ts';
import { Icon } from '../../ui/Icon.tsx';
import { NavItem } from '../nav/NavItem.tsx';
import { useWatchedFolders } from './use-watched-folders.ts';
import { showWatched } from './watch-store.ts';
import { WatchView } from './WatchView.tsx';
import type { WindowFeature } from '../../app/slots.tsx';
import { runCommand } from '../../app/commands.ts';
import { paletteCommand } from '../../app/palette-entry.ts';
import { paletteTexts } from '../../i18n/keyboard-texts.ts';
import { WatchDialogs } from './WatchDialogs.tsx';
import { watchTexts } from './watch-texts.ts';

/** Folders whose new and changed files are uploaded. */
export const watch: WindowFeature = {
  slots: {
    navItem: WatchedLink,
    view: WatchedFolders,
    windowDialogs: ({ service }) => <WatchDialogs key={service.id} service={service} />,
  },
  facts: {
    uploadMenu: () => ({
      id: 'watch',
      label: watchTexts.add,
      icon: 'watch',
      onAction: () => runCommand('watchFolder'),
    }),
    palette: () => {
      const { watch: words } = paletteTexts.words;
      return {
        actions: [paletteCommand('watchFolder', watchTexts.add, 'watch', words)],
        goTo: [{ id: 'watch', label: appTexts.nav.watched, icon: 'watch', words, run: showWatched }],
      };
    },
  },
};

const useIsShown = () => usePlace(({ view }) => view === 'watch');

/** Leads to the watched folders of a service, once it has some. Use the service's id as key. */
function WatchedLink({ serviceId, isMarkOnly }: { serviceId: string; isMarkOnly: boolean }) {
  const count = useWatchedFolders(serviceId).value?.folders.length ?? 0;
  const isShown = useIsShown();
  if (count === 0 && !isShown) return null;
  return (
    <NavItem
      itemKey="watch"
      isCurrent={isShown}
      label={appTexts.nav.watched}
      count={count}
      mark={<Icon name="watch" />}
      isMarkOnly={isMarkOnly}
      onOpen={showWatched}
    />
  );
}

function WatchedFolders({ service }: { service: Service }) {
  if (!useIsShown()) return null;
  return (
    <Pane name="watch">
      <WatchView key={service.id} service={service} />
    </Pane>
  );
}
