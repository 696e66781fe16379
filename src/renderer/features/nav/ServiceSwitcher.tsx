import { Button } from 'react-aria-components';
import type { Service } from '../../../shared/domain/service.ts';
import { useClient } from '../../app/client.ts';
import { showConnect, showRemove } from '../../app/place.ts';
import { ServiceDot } from '../../app/ServicePlace.tsx';
import { useServices, useTransferSummary } from '../../app/stores.ts';
import { sayFailure } from '../../app/say-failure.ts';
import { appTexts } from '../../i18n/app-texts.ts';
import { dockTexts } from '../../i18n/dock-texts.ts';
import { Icon } from '../../ui/Icon.tsx';
import { MenuButton, type MenuEntry } from '../../ui/Menu.tsx';
import { settingsTexts } from '../../i18n/settings-texts.ts';

const texts = appTexts.service;

/** The active service with its status, as a dot and a word. */
export function ServiceSwitcher({ service }: { service: Service }) {
  const client = useClient();
  const { services } = useServices();
  const state = appTexts.connection[service.connection];

  const isPaused = useTransferSummary()?.paused.serviceIds.includes(service.id) ?? false;

  const entries: MenuEntry[] = [
    ...services.map((each): MenuEntry => ({
      id: each.id,
      label: each.name,
      text:
        each.id === service.id
          ? texts.current({ state: appTexts.connection[each.connection] })
          : appTexts.connection[each.connection],
      mark: <ServiceDot connection={each.connection} />,
      onAction: () => sayFailure(client.call('services.activate', { id: each.id })),
    })),
    'line',
    { id: 'add', label: settingsTexts.addService, icon: 'plus', onAction: () => showConnect(null) },
    ...(services.some(({ isLocal }) => isLocal)
      ? []
      : [
          {
            id: 'tryLocal',
            label: appTexts.welcome.tryLocal,
            icon: 'laptop',
            onAction: () => sayFailure(client.call('services.tryLocal')),
          } satisfies MenuEntry,
        ]),
    {
      id: 'edit',
      label: texts.edit({ name: service.name }),
      icon: 'pencil',
      onAction: () => showConnect(service.id),
    },
    {
      id: 'check',
      label: texts.check,
      icon: 'refresh',
      onAction: () => sayFailure(client.call('services.check', { id: service.id })),
    },
    {
      id: 'pause',
      label: isPaused ? dockTexts.service.resume : dockTexts.service.pause,
      icon: isPaused ? 'play' : 'pause',
      onAction: () =>
        sayFailure(
          client.call(isPaused ? 'transfers.resume' : 'transfers.pause', {
            which: { serviceId: service.id },
          }),
        ),
    },
    'line',
    {
      id: 'remove',
      label: texts.remove({ name: service.name }),
      icon: 'trash',
      kind: 'bad',
      onAction: () => showRemove(service.id),
    },
  ];

  return (
    <>
      <MenuButton
        label={settingsTexts.services}
        entries={entries}
        trigger={
          <Button className="service" aria-label={texts.button({ name: service.name, state })}>
            <ServiceDot connection={service.connection} />
            <span className="service__text" title={service.name}>
              <bdi className="service__name">{service.name} </bdi>
              <span className="service__state">{state}</span>
            </span>
            <Icon name="updown" />
          </Button>
        }
      />
    </>
  );
}
