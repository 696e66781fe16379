import { useState } from 'react';
import { doneKeys, isPressed } from '../../../../shared/keys.ts';
import { commonTexts } from '../../../i18n/common-texts.ts';
import { detailTexts as texts } from '../../../i18n/detail-texts.ts';
import { useClient } from '../../../app/client.ts';
import { useDiscardQuestion } from '../../../app/DiscardQuestion.tsx';
import { useAct } from '../../../app/use-act.ts';
import { errorLine } from '../../../../shared/i18n/error-text.ts';
import { Button, IconButton } from '../../../ui/Button.tsx';
import { TextAreaField } from '../../../ui/Field.tsx';
import { focusHere } from '../../../ui/focus.ts';
import { fieldTexts } from '../../../../shared/i18n/field-texts.ts';

/** The person's own note. Ctrl+Enter or the button saves; Escape cancels, and asks if text would be lost. */
export function Note({ id, note, onSaved }: { id: number; note: string; onSaved: () => void }) {
  const client = useClient();
  const [draft, setDraft] = useState<string | null>(null);
  /** Returns the focus to the button that began editing. */
  const [wasOpen, setWasOpen] = useState(false);
  const act = useAct();
  const discard = useDiscardQuestion(texts.discardNote, draft !== null && draft !== note, () =>
    setDraft(null),
  );

  /** Props of the button that begins editing. */
  const opening = {
    ...(wasOpen ? focusHere : {}),
    onPress: () => {
      setDraft(note);
      setWasOpen(true);
    },
  };

  function save(text: string) {
    void act.run(async () => {
      await client.call('objects.setNote', { id, note: text.trim() });
      setDraft(null);
      onSaved();
    });
  }

  return (
    <section className="section" aria-label={fieldTexts.note}>
      <h3 className="section__head">
        {fieldTexts.note}
        {draft === null && note !== '' && (
          <IconButton icon="pencil" label={texts.editNote} size="small" {...opening} />
        )}
      </h3>
      {draft === null && note === '' && (
        <Button kind="link" {...opening}>
          {texts.addNote}
        </Button>
      )}
      {draft === null && note !== '' && (
        <p className="selectable" dir="auto">
          {note}
        </p>
      )}
      {draft !== null && (
        <div className="note-edit">
          <TextAreaField
            {...focusHere}
            label={fieldTexts.note}
            labelPlace="hidden"
            rows={3}
            maxLength={10_000}
            value={draft}
            problem={act.error ? errorLine(act.error) : undefined}
            onChange={setDraft}
            onKeyDown={(event) => {
              if (event.key === 'Escape') discard.close();
              else if (isPressed(doneKeys, event)) save(draft);
              else event.continuePropagation();
            }}
          />
          <Button kind="line" size="small" onPress={() => save(draft)}>
            {texts.saveNote}
          </Button>
          <Button size="small" onPress={() => setDraft(null)}>
            {commonTexts.cancel}
          </Button>
          {discard.question}
        </div>
      )}
    </section>
  );
}
