import { useClient, type Client } from '../../app/client.ts';
import { settingsTexts } from '../../i18n/settings-texts.ts';
import { ClassificationTicks, recallClassifications, SectionOfServices } from './of-each-service.tsx';

const texts = settingsTexts.previews;

type Known = { automatic: readonly (string | null)[]; classifications: readonly (string | null)[] };

/** For each service, the classifications whose previews are fetched automatically. */
export function PreviewsSection({ search }: { search: string }) {
  const client = useClient();
  return (
    <SectionOfServices
      title={texts.title}
      search={search}
      recall={recall}
      settingsOf={({ id: serviceId, name }, { automatic, classifications }, change) => [
        {
          name: texts.automatic({ name }),
          hint: texts.automaticHint,
          words: texts.words,
          control: null,
          below: (
            <ClassificationTicks
              label={texts.automatic({ name })}
              classifications={classifications}
              chosen={automatic}
              onChange={(classification, isAutomatic, next) =>
                change(
                  { automatic: next, classifications },
                  client.call('objects.choosePreview', { serviceId, classification, isAutomatic }),
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
  const { automatic } = await client.call('objects.previewChoices', { serviceId });
  return { automatic, classifications: await recallClassifications(client, serviceId, automatic) };
}
