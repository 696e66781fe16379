import { useEffect, useState } from 'react';
import { useClient, type Client } from '../../app/client.ts';
import { useServices } from '../../app/stores.ts';
import { commonTexts } from '../../i18n/common-texts.ts';
import { Checkbox } from '../../ui/Choice.tsx';

/**
 * What is known of each service, by its id; services whose facts are not here yet are missing.
 * @param recall stays the same function
 */
export function useOfEachService<T>(
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

/** The classifications that the service lists now, and those already chosen; null: the service's default. */
export async function recallClassifications(
  client: Client,
  serviceId: string,
  chosen: readonly (string | null)[],
): Promise<readonly (string | null)[]> {
  const { values } = await client.call('classifications.list', { serviceId, folder: '', refresh: false });
  const known = [...values.map(({ value }) => value), ...chosen.filter((value) => value !== null)];
  return [...new Set(known), null];
}

/** A check box for each classification. */
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
