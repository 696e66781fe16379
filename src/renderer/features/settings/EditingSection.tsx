import type { EditChoices } from '../../../shared/domain/edit.ts';
import type { Service } from '../../../shared/domain/service.ts';
import { useClient, type Client } from '../../app/client.ts';
import { sayFailure } from '../../app/say-failure.ts';
import { useServices } from '../../app/stores.ts';
import { editTexts } from '../../i18n/edit-texts.ts';
import { Segmented } from '../../ui/Choice.tsx';
import { ClassificationTicks, recallClassifications, useOfEachService } from './of-each-service.tsx';
import { Section } from './Section.tsx';

const texts = editTexts.settings;

type Known = { choices: EditChoices; classifications: readonly (string | null)[] };

/** For each service, what a save becomes, and which classifications cannot be edited. */
export function EditingSection({ search }: { search: string }) {
  const client = useClient();
  const { services } = useServices();
  const [known, change] = useOfEachService(recall);

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
    const choose = (next: EditChoices, call: Promise<unknown>) => {
      change(serviceId, { choices: next, classifications });
      sayFailure(call);
    };
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
              choose(
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
          <ClassificationTicks
            label={texts.forbidden({ name })}
            classifications={classifications}
            chosen={forbidden}
            onChange={(classification, isForbidden, next) =>
              choose(
                { saveAs, forbidden: next },
                client.call('edits.forbid', { serviceId, classification, isForbidden }),
              )
            }
          />
        ),
      },
    ];
  }
}

async function recall(client: Client, serviceId: string): Promise<Known> {
  const choices = await client.call('edits.choices', { serviceId });
  return { choices, classifications: await recallClassifications(client, serviceId, choices.forbidden) };
}
