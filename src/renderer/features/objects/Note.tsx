import { useState } from 'react';
import type { AppError } from '../../../shared/errors.ts';
import { useClient } from '../../app/client.ts';
import { asAppError } from '../../app/mirror.ts';
import { errorLine } from '../../i18n/error-text.ts';
import { Button, IconButton } from '../../ui/Button.tsx';
import { TextAreaField } from '../../ui/Field.tsx';

/** A few words of the person's own. Saved with Ctrl+Enter or the button; Escape leaves it as it was. */
export function Note({ id, note, onSaved }: { id: number; note: string; onSaved: () => void }) {
  const client = useClient();
  const [draft, setDraft] = useState<string | null>(null);
  const [error, setError] = useState<AppError | null>(null);

  async function save(text: string) {
    try {
      await client.call('objects.setNote', { id, note: text.trim() });
      setDraft(null);
      onSaved();
    } catch (cause) {
      setError(asAppError(cause));
    }
  }

  return (
    <section className="section" aria-label="Note">
      <h3 className="section__head">
        Note
        {draft === null && (
          <IconButton icon="pencil" label="Edit note" size="small" onPress={() => setDraft(note)} />
        )}
      </h3>
      {draft === null ? (
        <p className={note === '' ? 'section__none' : 'selectable'}>{note === '' ? 'None' : note}</p>
      ) : (
        <div className="note-edit">
          <TextAreaField
            autoFocus
            label="Note"
            labelPlace="hidden"
            rows={3}
            maxLength={10_000}
            value={draft}
            problem={error ? errorLine(error) : undefined}
            onChange={setDraft}
            onKeyDown={(event) => {
              if (event.key === 'Escape') setDraft(null);
              else if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void save(draft);
              else event.continuePropagation();
            }}
          />
          <Button kind="line" size="small" onPress={() => void save(draft)}>
            Save note
          </Button>
          <Button size="small" onPress={() => setDraft(null)}>
            Cancel
          </Button>
        </div>
      )}
    </section>
  );
}
