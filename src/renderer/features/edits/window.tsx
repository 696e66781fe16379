import { formatCount } from '../../../shared/i18n/format.ts';
import { useServices } from '../../app/stores.ts';
import { editLine, needLine } from './edit-line.ts';
import { transferTexts } from '../../i18n/transfer-texts.ts';
import { editTexts, editTexts as texts } from './edit-texts.ts';
import { Button } from '../../ui/Button.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { Identifier } from '../../ui/Identifier.tsx';
import { createEdits, showEdits, useEdits, useOpenEdits } from './open-edits.ts';
import type { ObjectRow } from '../../../shared/contract.ts';
import { needsAnswer } from '../../../shared/domain/edit.ts';
import { useClient } from '../../app/client.ts';
import { sayFailure } from '../../app/say-failure.ts';
import { State } from '../../ui/State.tsx';
import type { WindowFeature } from '../../app/slots.tsx';
import { EditingFields } from './EditingFields.tsx';
import { EditsStatus } from './EditsStatus.tsx';

/** Objects that are edited in programs of this computer. */
export const edits: WindowFeature = {
  stores: [createEdits],
  slots: {
    statusStart: EditsStatus,
    transfersStart: EditNeeds,
    removeEnd: UnsavedEdits,
    serviceSettings: EditingFields,
  },
  facts: { objectState: useEditState, needs: useNeeds },
};

/** Edits that need attention, above the list of transfers. */
export function EditNeeds() {
  const { services } = useServices();
  const needs = useOpenEdits().flatMap((edit) => {
    // The list below already shows its upload.
    const line = edit.transferId === null ? needLine(edit) : null;
    return line === null ? [] : [{ edit, line }];
  });
  if (needs.length === 0) return null;
  return (
    <section className="edit-needs" aria-label={texts.needs}>
      <h3 className="edit-needs__head figures">
        {texts.needs} <span>{formatCount(needs.length)}</span>
      </h3>
      <ul>
        {needs.map(({ edit: { id, serviceId, identifier }, line }) => (
          <li key={id} className="edit-needs__entry">
            <Icon name="warn" />
            <div>
              <Identifier
                identifier={identifier}
                separator={services.find((service) => service.id === serviceId)?.separator ?? '/'}
              />
              <p className="edit-needs__line">
                <span>{line}</span>
                <Button
                  kind="link"
                  aria-label={texts.actOn({ act: transferTexts.answer, identifier })}
                  onPress={() => showEdits(true)}
                >
                  {transferTexts.answer}
                </Button>
              </p>
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** In an object's details, instead of its state: its edit, unless that needs an answer. */
function useEditState(object: ObjectRow) {
  const client = useClient();
  const edit = useEdits().find(({ id }) => id === object.edit?.id);
  const line = edit === undefined || needsAnswer(edit) ? null : editLine(edit);
  if (edit === undefined || line === null) return null;
  return (
    <span className="fields__state">
      <State tone="moving" icon="pencil">
        {line}
      </State>
      {edit.state !== 'opening' && !edit.isFinishing && (
        <Button
          kind="link"
          aria-label={editTexts.actOn({ act: editTexts.act.finish, identifier: edit.identifier })}
          onPress={() => sayFailure(client.call('edits.finish', { id: edit.id }))}
        >
          {editTexts.act.finish}
        </Button>
      )}
    </span>
  );
}

/** Before a service is removed: its edits that have changes. */
function UnsavedEdits({ serviceId }: { serviceId: string }) {
  const unsaved = useEdits().filter((edit) => edit.serviceId === serviceId && edit.mine !== null);
  if (unsaved.length === 0) return null;
  return (
    <div className="remove-unsaved">
      <p>{editTexts.remove.unsaved({ count: unsaved.length })}</p>
      <ul>
        {unsaved.map(({ id, identifier }) => (
          <li key={id}>
            <bdi dir="ltr">{identifier}</bdi>
          </li>
        ))}
      </ul>
    </div>
  );
}

function useNeeds(): number {
  return useEdits().filter(needsAnswer).length;
}
