import { useEffect, useState } from 'react';
import type { EditChoices } from '../../../shared/domain/edit.ts';
import type { Service } from '../../../shared/domain/service.ts';
import { useClient, type Client } from '../../app/client.ts';
import { sayFailure } from '../../app/say-failure.ts';
import { useServices } from '../../app/stores.ts';
import { commonTexts } from '../../i18n/common-texts.ts';
import { editTexts } from '../../i18n/edit-texts.ts';
import { Checkbox, Segmented } from '../../ui/Choice.tsx';
import { Section } from './Section.tsx';

const texts = editTexts.settings;

type Known = { choices: EditChoices; classifications: readonly (string | null)[] };

/** For each service, what a save becomes, and which classifications cannot be edited. */
export function EditingSection({ search }: { search: string }) {
  const client = useClient();
  const { services } = useServices();
  const [known, setKnown] = useState<ReadonlyMap<string, Known>>(new Map());
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
  }, [client, ids]);

  function change(serviceId: string, choices: EditChoices, call: Promise<unknown>) {
    const before = known.get(serviceId);
    if (before) setKnown(new Map(known).set(serviceId, { ...before, choices }));
    sayFailure(call);
  }

  return (
    <Section
      title={texts.title}
      search={search}
      settings={services.flatMap((service) => {
        const found = known.get(service.id);
        return found === undefined ? [] : settingsOf(service, found);
      })}
    />
  );

  function settingsOf({ id: serviceId, name }: Service, { choices, classifications }: Known) {
    const { saveAs, forbidden } = choices;
    const { words, saveAsChoices } = texts;
    return [
      {
        name: texts.saveAs({ name }),
        hint: texts.saveAsHint,
        words,
        control: (
          <Segmented
            label={texts.saveAs({ name })}
            value={saveAs}
            choices={(['newVersion', 'replace'] as const).map((value) => ({
              value,
              label: saveAsChoices[value],
            }))}
            onChange={(chosen) =>
              change(
                serviceId,
                { ...choices, saveAs: chosen },
                client.call('edits.setSaveAs', { serviceId, saveAs: chosen }),
              )
            }
          />
        ),
      },
      {
        name: texts.forbidden({ name }),
        hint: texts.forbiddenHint,
        words,
        control: null,
        below: (
          <fieldset className="set__ticks" aria-label={texts.forbidden({ name })}>
            {classifications.map((classification) => (
              <Checkbox
                key={classification ?? ''}
                isSelected={forbidden.includes(classification)}
                onChange={(isForbidden) => {
                  const others = forbidden.filter((value) => value !== classification);
                  change(
                    serviceId,
                    { saveAs, forbidden: isForbidden ? [...others, classification] : others },
                    client.call('edits.forbid', { serviceId, classification, isForbidden }),
                  );
                }}
              >
                {classification ?? commonTexts.serviceDefault}
              </Checkbox>
            ))}
          </fieldset>
        ),
      },
    ];
  }
}

/** The classifications that the service lists now, and those already forbidden. */
async function recall(client: Client, serviceId: string): Promise<Known> {
  const [choices, listed] = await Promise.all([
    client.call('edits.choices', { serviceId }),
    client.call('classifications.list', { serviceId, folder: '', refresh: false }),
  ]);
  const values = [
    ...listed.values.map(({ value }) => value),
    ...choices.forbidden.filter((value) => value !== null),
  ];
  return { choices, classifications: [...new Set(values), null] };
}
