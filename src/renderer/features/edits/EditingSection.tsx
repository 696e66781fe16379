import type { EditChoices } from '../../../shared/domain/edit.ts';
import { type Client, useClient } from '../../app/client.ts';
import { editTexts } from './edit-texts.ts';
import { Segmented } from '../../ui/Choice.tsx';
import {
  ClassificationTicks,
  recallClassifications,
  SectionOfServices,
} from '../settings/of-each-service.tsx';

const texts = editTexts.settings;

type Known = { choices: EditChoices; classifications: readonly (string | null)[] };

/** For each service: whether a save replaces or makes a new version, and which classifications cannot be edited. */
export function EditingSection({ search }: { search: string }) {
  const client = useClient();
  const { words, saveAsChoices } = texts;
  return (
    <SectionOfServices
      title={texts.title}
      search={search}
      recall={recall}
      settingsOf={({ id: serviceId, name }, { choices, classifications }, change) => [
        {
          name: texts.saveAs({ name }),
          hint: texts.saveAsHint,
          words,
          control: (
            <Segmented
              label={texts.saveAs({ name })}
              value={choices.saveAs}
              choices={(['newVersion', 'replace'] as const).map((value) => ({
                value,
                label: saveAsChoices[value],
              }))}
              onChange={(saveAs) =>
                change(
                  { choices: { ...choices, saveAs }, classifications },
                  client.call('edits.setSaveAs', { serviceId, saveAs }),
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
              chosen={choices.forbidden}
              onChange={(classification, isForbidden, forbidden) =>
                change(
                  { choices: { ...choices, forbidden }, classifications },
                  client.call('edits.forbid', { serviceId, classification, isForbidden }),
                )
              }
            />
          ),
        },
      ]}
    />
  );
}

async function recall(client: Client, serviceId: string): Promise<Known> {
  const choices = await client.call('edits.choices', { serviceId });
  return { choices, classifications: await recallClassifications(client, serviceId, choices.forbidden) };
}
