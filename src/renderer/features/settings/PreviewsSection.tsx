import { useClient, type Client } from '../../app/client.ts';
import { sayFailure } from '../../app/say-failure.ts';
import { useServices } from '../../app/stores.ts';
import { settingsTexts } from '../../i18n/settings-texts.ts';
import { ClassificationTicks, recallClassifications, useOfEachService } from './of-each-service.tsx';
import { Section } from './Section.tsx';

const texts = settingsTexts.previews;

type Known = { automatic: readonly (string | null)[]; classifications: readonly (string | null)[] };

/** For each service, the classifications whose previews are fetched without being asked for. */
export function PreviewsSection({ search }: { search: string }) {
  const client = useClient();
  const { services } = useServices();
  const [known, change] = useOfEachService(recall);
  return (
    <Section
      title={texts.title}
      search={search}
      settings={services.flatMap(({ id: serviceId, name }) => {
        const found = known.get(serviceId);
        if (found === undefined) return [];
        const { automatic, classifications } = found;
        return {
          name: texts.automatic({ name }),
          hint: texts.automaticHint,
          words: texts.words,
          control: null,
          below: (
            <ClassificationTicks
              label={texts.automatic({ name })}
              classifications={classifications}
              chosen={automatic}
              onChange={(classification, isAutomatic, next) => {
                change(serviceId, { automatic: next, classifications });
                sayFailure(client.call('objects.choosePreview', { serviceId, classification, isAutomatic }));
              }}
            />
          ),
        };
      })}
    />
  );
}

async function recall(client: Client, serviceId: string): Promise<Known> {
  const { automatic } = await client.call('objects.previewChoices', { serviceId });
  return { automatic, classifications: await recallClassifications(client, serviceId, automatic) };
}
