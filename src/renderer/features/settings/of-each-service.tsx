import { useEffect, useState } from 'react';
import type { Service } from '../../../shared/domain/service.ts';
import { useClient, type Client } from '../../app/client.ts';
import { sayFailure } from '../../app/say-failure.ts';
import { useServices } from '../../app/stores.ts';
import { commonTexts } from '../../i18n/common-texts.ts';
import { Checkbox } from '../../ui/Choice.tsx';
import { Section } from './Section.tsx';
import type { Setting } from '../../app/setting.ts';

/**
 * A section with the same settings for each service. A service appears once its values are loaded.
 * @param props.recall must be a stable function
 * @param props.settingsOf its `change` shows the new value at once, and reports if it could not be stored
 */
export function SectionOfServices<T>(props: {
  title: string;
  search: string;
  recall: (client: Client, serviceId: string) => Promise<T>;
  settingsOf: (
    service: Service,
    known: T,
    change: (value: T, storing: Promise<unknown>) => void,
  ) => readonly Setting[];
}) {
  const { title, search, recall, settingsOf } = props;
  const { services } = useServices();
  const [known, setKnown] = useOfEachService(recall);
  return (
    <Section
      title={title}
      search={search}
      settings={services.flatMap((service) => {
        const found = known.get(service.id);
        if (found === undefined) return [];
        return settingsOf(service, found, (value, storing) => {
          setKnown(service.id, value);
          sayFailure(storing);
        });
      })}
    />
  );
}

/** Values by service id; a service is missing until its values are loaded. */
function useOfEachService<T>(
  recall: (client: Client, serviceId: string) => Promise<T>,
): [known: ReadonlyMap<string, T>, change: (serviceId: string, value: T) => void] {
  const client = useClient();
  const { services } = useServices();
  const [known, setKnown] = useState<ReadonlyMap<string, T>>(new Map());
  const change = (serviceId: string, value: T) => setKnown((before) => new Map(before).set(serviceId, value));
  const ids = services.map(({ id }) => id).join();
  useEffect(() => {
    let live = true;
    for (const serviceId of ids === '' ? [] : ids.split(','))
      recall(client, serviceId).then(
        (found) => live && setKnown((before) => new Map(before).set(serviceId, found)),
        () => undefined,
      );
    return () => {
      live = false;
    };
  }, [client, ids, recall]);
  return [known, change];
}

/** The classifications that the service lists now, those already chosen, and null for the service's default. */
export async function recallClassifications(
  client: Client,
  serviceId: string,
  chosen: readonly (string | null)[],
): Promise<readonly (string | null)[]> {
  const { values } = await client.call('classifications.list', { serviceId, folder: '', refresh: false });
  const known = [...values.map(({ value }) => value), ...chosen.filter((value) => value !== null)];
  return [...new Set(known), null];
}

export function ClassificationTicks(props: {
  label: string;
  classifications: readonly (string | null)[];
  chosen: readonly (string | null)[];
  onChange: (classification: string | null, isChosen: boolean, chosen: (string | null)[]) => void;
}) {
  const { label, classifications, chosen, onChange } = props;
  return (
    <fieldset className="set__ticks" aria-label={label}>
      {classifications.map((classification) => (
        <Checkbox
          key={classification ?? ''}
          isSelected={chosen.includes(classification)}
          onChange={(isChosen) => {
            const others = chosen.filter((value) => value !== classification);
            onChange(classification, isChosen, isChosen ? [...others, classification] : others);
          }}
        >
          {classification ?? commonTexts.serviceDefault}
        </Checkbox>
      ))}
    </fieldset>
  );
}
