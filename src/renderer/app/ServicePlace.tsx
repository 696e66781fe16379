import type { ConnectionState } from '../../shared/domain/service.ts';
import { appTexts } from '../i18n/app-texts.ts';
import { useServices } from './stores.ts';
import './service-place.css';

/** The state of a service as a dot. Words say it too, wherever it stands alone. */
export function ServiceDot({ connection }: { connection: ConnectionState }) {
  return <span className={`service-dot service-dot--${connection}`} />;
}

/** The service that a dialog is about, with its state. @param name no two services have the same */
export function ServicePlace({ name }: { name: string | undefined }) {
  const service = useServices().services.find((each) => each.name === name);
  return (
    <>
      {service && <ServiceDot connection={service.connection} />}
      <bdi>{name}</bdi>
      {service && service.connection !== 'ready' && <span>{appTexts.connection[service.connection]}</span>}
    </>
  );
}
