import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { I18nProvider } from 'react-aria-components';
import { useLanguage } from '../app/use-language.ts';
import { ConnectScreen } from '../features/connect/ConnectScreen.tsx';
import { Welcome } from '../features/connect/Welcome.tsx';
import { OpenedLink } from '../features/objects/OpenedLink.tsx';
import { startThumbnails } from '../features/objects/preview/thumbnails.ts';
import { features } from '../features.ts';
import { errorText } from '../../shared/i18n/error-text.ts';
import { LiveRegions } from '../ui/announce.tsx';
import { Button } from '../ui/Button.tsx';
import { ErrorNote } from '../ui/ErrorNote.tsx';
import { keepFocus } from '../ui/focus.ts';
import { AppProvider } from '../app/AppProvider.tsx';
import { useClient, type Client } from '../app/client.ts';
import { useCommandInput } from '../app/key-bindings.ts';
import { useUndoCommand } from '../app/undo.ts';
import { MainWindow } from './MainWindow.tsx';
import { Opening } from '../app/Opening.tsx';
import { endEarlyDrops } from '../app/drops.ts';
import { Pane } from '../app/Pane.tsx';
import { closeConnect, showConnect, usePlace, usePlaceMemory } from '../app/place.ts';
import { RecoveryScreen } from './RecoveryScreen.tsx';
import { Slot } from '../app/slots.tsx';
import { useRemoteStore, useServices, useSettings, useStores } from '../app/stores.ts';
import { commonTexts } from '../i18n/common-texts.ts';

export function App({ client }: { client: Client }) {
  const { language, locale, direction } = useLanguage();
  // Also while the form of a service is open, where previews are refused.
  useEffect(() => startThumbnails(client), [client]);
  useLayoutEffect(() => {
    const { documentElement } = document;
    documentElement.lang = language === 'en-XA' || language === 'ar-XB' ? language : locale;
    documentElement.dir = direction;
  }, [language, locale, direction]);
  return (
    // React Aria derives the direction of the arrow keys from the locale.
    <I18nProvider locale={language === 'ar-XB' ? 'ar' : locale}>
      <AppProvider client={client} features={features}>
        <Pane name="window">
          <Screen />
          <Slot name="appDialogs" />
        </Pane>
        <LiveRegions />
      </AppProvider>
    </I18nProvider>
  );
}

/** The current screen: failures first, then the first-run screen, then the window. */
function Screen() {
  const stores = useStores();
  const info = useRemoteStore(stores.info);
  const settings = useRemoteStore(stores.settings);
  const services = useRemoteStore(stores.services);
  const { services: all, active } = useServices();
  const connecting = usePlace((place) => place.connecting);
  const view = usePlace((place) => (place.view === 'objects' ? place.kind : place.view));
  usePlaceMemory(active?.id ?? null, services.value?.shownLists);
  const isKnown = services.value !== null;
  useEffect(() => {
    if (isKnown) endEarlyDrops();
  }, [isKnown]);
  useAppearance();
  const shown = connecting !== null ? 'connect' : active === null ? 'welcome' : view;
  useFocusOf(services.value && shown);
  useCommandInput();
  useUndoCommand();
  useSomeActive(all.map(({ id }) => id)[0] ?? null, services.value !== null && active === null);

  const catalogue = info.value?.catalogue;
  if (catalogue?.state === 'broken') return <RecoveryScreen catalogue={catalogue} />;
  if (info.value === null || settings.value === null || services.value === null) {
    const error = info.error ?? settings.error ?? services.error;
    return error === null ? <Opening /> : <Failed error={error} />;
  }
  return (
    <>
      <OpenedLink active={active} />
      {connecting !== null ? (
        <ConnectScreen
          key={connecting.serviceId}
          service={all.find(({ id }) => id === connecting.serviceId) ?? null}
          field={connecting.field}
          onClose={closeConnect}
        />
      ) : active === null ? (
        <Welcome onConnect={() => showConnect(null)} />
      ) : (
        <MainWindow service={active} />
      )}
    </>
  );
}

/** Offers to retry, which helps except for a newer catalogue: that needs a newer Coffer. */
function Failed({ error }: { error: Parameters<typeof errorText>[0] }) {
  const { info, settings, services } = useStores();
  const [isAsking, setAsking] = useState(false);
  const again = async () => {
    setAsking(true);
    await Promise.all([info.refresh(), settings.refresh(), services.refresh()]);
    setAsking(false);
  };
  return (
    <main className="failed">
      <div role="alert">
        <ErrorNote
          {...errorText(error)}
          button={
            error.code !== 'catalogueTooNew' && (
              <Button kind="line" isDisabled={isAsking} onPress={() => void again()}>
                {commonTexts.tryAgain}
              </Button>
            )
          }
        />
      </div>
    </main>
  );
}

/** Moves the focus to the new screen if it was lost with the old one. @param screen null: none yet */
function useFocusOf(screen: string | null): void {
  const before = useRef(screen);
  useEffect(() => {
    const isNext = before.current !== null && before.current !== screen;
    before.current = screen;
    if (isNext) keepFocus();
  }, [screen]);
}

/** Sets theme and density on the document, for tokens.css. */
function useAppearance(): void {
  const { theme, density } = useSettings();
  useLayoutEffect(() => {
    const { dataset } = document.documentElement;
    dataset['density'] = density;
    if (theme === 'system') delete dataset['theme'];
    else dataset['theme'] = theme;
  }, [theme, density]);
}

/** Activates the first service when the active one was removed. */
function useSomeActive(firstId: string | null, isNeeded: boolean): void {
  const client = useClient();
  useEffect(() => {
    // If that fails, the first-run screen remains, with its two choices.
    if (isNeeded && firstId !== null)
      client.call('services.activate', { id: firstId }).catch(() => undefined);
  }, [client, firstId, isNeeded]);
}
