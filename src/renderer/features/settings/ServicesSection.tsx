import { formatList } from '../../../shared/i18n/format.ts';
import { isolate } from '../../../shared/i18n/messages.ts';
import { showConnect, showRemove } from '../../app/place.ts';
import { useClient } from '../../app/client.ts';
import { createRemoteStore, useOwnRemoteStore } from '../../app/remote-store.ts';
import { sayFailure } from '../../app/say-failure.ts';
import { useServices } from '../../app/stores.ts';
import { appTexts } from '../../i18n/app-texts.ts';
import { connectTexts } from '../../i18n/connect-texts.ts';
import { settingsTexts as texts } from '../../i18n/settings-texts.ts';
import { proxyName } from '../../../shared/i18n/way-text.ts';
import { Button } from '../../ui/Button.tsx';
import { Section } from './Section.tsx';
import { commonTexts } from '../../i18n/common-texts.ts';

/** All services, the proxies with stored passwords, and a button to add a service. */
export function ServicesSection({ search }: { search: string }) {
  const { services } = useServices();
  const client = useClient();
  const { value, refresh } = useOwnRemoteStore(() =>
    createRemoteStore({
      // Signing in to a proxy changes the services behind it.
      subscribe: (changed) => client.on('services.changed', () => changed()),
      load: () => client.call('proxies.list'),
    }),
  );
  const forget = (origin: string) => sayFailure(client.call('proxies.forget', { origin }).then(refresh));
  return (
    <>
      <Section
        title={texts.services}
        search={search}
        settings={[
          ...services.map((service) => ({
            name: service.name,
            words: `${connectTexts.previewsAndEditing.title} ${texts.serviceWords}`,
            hint: formatList([appTexts.connection[service.connection], isolate(service.baseAddress)]),
            control: (
              <>
                <Button
                  kind="line"
                  onPress={() => showConnect(service.id)}
                  aria-label={commonTexts.editName({ name: service.name })}
                >
                  {texts.edit}
                </Button>
                <Button
                  kind="bad"
                  onPress={() => showRemove(service.id)}
                  aria-label={texts.removeName({ name: service.name })}
                >
                  {texts.remove}
                </Button>
              </>
            ),
          })),
          ...(value?.proxies ?? []).map(({ origin, user, storedIn }) => ({
            name: texts.proxy({ name: proxyName(origin) }),
            hint: texts.proxyUser[storedIn]({ user }),
            control: (
              <Button
                kind="line"
                onPress={() => forget(origin)}
                aria-label={texts.forgetName({ name: proxyName(origin) })}
              >
                {texts.forget}
              </Button>
            ),
          })),
          {
            name: '',
            words: `${texts.addService} ${appTexts.welcome.tryLocal}`,
            control: (
              <>
                {!services.some(({ isLocal }) => isLocal) && (
                  <Button kind="line" onPress={() => sayFailure(client.call('services.tryLocal'))}>
                    {appTexts.welcome.tryLocal}
                  </Button>
                )}
                <Button kind="line" onPress={() => showConnect(null)}>
                  {texts.addService}
                </Button>
              </>
            ),
          },
        ]}
      />
    </>
  );
}
