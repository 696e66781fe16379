import { formatCount } from '../../../shared/i18n/format.ts';
import { useServices } from '../../app/stores.ts';
import { needLine } from '../../i18n/edit-line.ts';
import { editTexts as texts } from '../../i18n/edit-texts.ts';
import { Button } from '../../ui/Button.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { Identifier } from '../../ui/Identifier.tsx';
import { showEdits, useOpenEdits } from './open-edits.ts';

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
                  aria-label={texts.actOn({ act: texts.act.answer, identifier })}
                  onPress={() => showEdits(true)}
                >
                  {texts.act.answer}
                </Button>
              </p>
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}
