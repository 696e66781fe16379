import { useEffect, useState, type ReactNode } from 'react';
import { commonTexts } from '../i18n/common-texts.ts';
import { Checkbox } from '../ui/Choice.tsx';
import { useClient, type Client } from './client.ts';
import { sayFailure } from './say-failure.ts';

type Classification = string | null;
type Change = (client: Client) => Promise<unknown>;

/** Part of the form of a service that stores its own settings once the form is saved. */
export type ServicePart = {
  serviceId: string;
  /** Keeps what is to be stored, in place of what this part has kept before. */
  keep: (part: string, changes: readonly Change[]) => void;
};

/** What the parts of a form have kept. */
export function useKeptChanges() {
  const client = useClient();
  const [kept, setKept] = useState<ReadonlyMap<string, readonly Change[]>>(new Map());
  const changes = [...kept.values()].flat();
  const keep: ServicePart['keep'] = (part, next) => setKept((before) => new Map(before).set(part, next));
  return {
    keep,
    isEdited: changes.length > 0,
    store: async () => void (await Promise.all(changes.map((change) => change(client)))),
  };
}

/**
 * The settings of a part: null until they are loaded.
 * @param recall must be a stable function
 * @param changesOf what turns the stored settings into those of the form
 */
export function useServicePart<T>(
  { serviceId, keep }: ServicePart,
  part: string,
  recall: (client: Client, serviceId: string) => Promise<T>,
  changesOf: (from: T, to: T) => readonly Change[],
): [T | null, (to: T) => void] {
  const client = useClient();
  const [stored, setStored] = useState<T | null>(null);
  const [shown, setShown] = useState<T | null>(null);
  useEffect(() => {
    let live = true;
    sayFailure(
      recall(client, serviceId).then((found) => {
        if (!live) return;
        setStored(found);
        setShown(found);
      }),
    );
    return () => {
      live = false;
    };
  }, [client, serviceId, recall]);

  function change(to: T): void {
    setShown(to);
    if (stored !== null) keep(part, changesOf(stored, to));
  }
  return [shown, change];
}

/** The classifications that the service lists now, those already chosen, and null for the service's default. */
export async function recallClassifications(
  client: Client,
  serviceId: string,
  chosen: readonly Classification[],
): Promise<readonly Classification[]> {
  const { values } = await client.call('classifications.list', { serviceId, folder: '', refresh: false });
  const known = [...values.map(({ value }) => value), ...chosen.filter((value) => value !== null)];
  return [...new Set(known), null];
}

/** Each classification that is chosen in one of the two only. */
export function differing(
  from: readonly Classification[],
  to: readonly Classification[],
): { classification: Classification; isChosen: boolean }[] {
  return [...new Set([...from, ...to])]
    .map((classification) => ({ classification, isChosen: to.includes(classification) }))
    .filter(({ classification, isChosen }) => from.includes(classification) !== isChosen);
}

export function ClassificationTicks(props: {
  label: string;
  hint: ReactNode;
  classifications: readonly Classification[];
  chosen: readonly Classification[];
  onChange: (chosen: Classification[]) => void;
}) {
  const { label, hint, classifications, chosen, onChange } = props;
  return (
    <div className="field field--beside">
      <span className="field__label" aria-hidden="true">
        {label}
      </span>
      <fieldset className="ticks" aria-label={label}>
        {classifications.map((classification) => (
          <Checkbox
            key={classification ?? ''}
            isSelected={chosen.includes(classification)}
            onChange={(isChosen) => {
              const others = chosen.filter((value) => value !== classification);
              onChange(isChosen ? [...others, classification] : others);
            }}
          >
            {classification ?? commonTexts.serviceDefault}
          </Checkbox>
        ))}
      </fieldset>
      <p className="field__hint">{hint}</p>
    </div>
  );
}
