import type { EditChoices } from '../../../shared/domain/edit.ts';
import type { Client } from '../../app/client.ts';
import {
  ClassificationTicks,
  differing,
  recallClassifications,
  useServicePart,
  type ServicePart,
} from '../../app/service-part.tsx';
import { SegmentedField } from '../../ui/Choice.tsx';
import { editTexts } from './edit-texts.ts';

const texts = editTexts.settings;

type Known = EditChoices & { classifications: readonly (string | null)[] };

/** In the form of a service: whether a save replaces or makes a new version, and which classifications cannot be edited. */
export function EditingFields(part: ServicePart) {
  const { serviceId } = part;
  const [known, change] = useServicePart(part, 'editing', recall, (from, to) => [
    ...(from.saveAs === to.saveAs
      ? []
      : [(client: Client) => client.call('edits.setSaveAs', { serviceId, saveAs: to.saveAs })]),
    ...differing(from.forbidden, to.forbidden).map(
      ({ classification, isChosen: isForbidden }) =>
        (client: Client) =>
          client.call('edits.forbid', { serviceId, classification, isForbidden }),
    ),
  ]);
  if (known === null) return null;
  return (
    <>
      <SegmentedField
        label={texts.saveAs}
        labelPlace="beside"
        hint={texts.saveAsHint}
        value={known.saveAs}
        choices={(['newVersion', 'replace'] as const).map((value) => ({
          value,
          label: texts.saveAsChoices[value],
        }))}
        onChange={(saveAs) => change({ ...known, saveAs })}
      />
      <ClassificationTicks
        label={texts.forbidden}
        hint={texts.forbiddenHint}
        classifications={known.classifications}
        chosen={known.forbidden}
        onChange={(forbidden) => change({ ...known, forbidden })}
      />
    </>
  );
}

async function recall(client: Client, serviceId: string): Promise<Known> {
  const choices = await client.call('edits.choices', { serviceId });
  return { ...choices, classifications: await recallClassifications(client, serviceId, choices.forbidden) };
}
