import { useState } from 'react';
import type { UndoQuestion as Question } from '../../../shared/contract.ts';
import { ClassBadge } from '../../app/classification/ClassBadge.tsx';
import { useClient } from '../../app/client.ts';
import { ConfirmDialog } from '../../app/ConfirmDialog.tsx';
import { undoAs, useUndoQuestion } from '../../app/undo-replace.ts';
import { commonTexts } from '../../i18n/common-texts.ts';
import { replaceTexts } from '../../i18n/replace-texts.ts';
import { ChoiceList } from '../../ui/Choice.tsx';

const texts = replaceTexts.undoAs;

/** Rendered once in the window; an Undo that would change the classification of its object opens it. */
export function UndoQuestion() {
  const { asked } = useUndoQuestion();
  return asked && <UndoDialog key={asked.id} question={asked} />;
}

/** Asks with which classification a replaced version is restored: nothing is lowered unasked. */
function UndoDialog({ question }: { question: Question & { id: string } }) {
  const { id, identifier, kept, present, isInParts } = question;
  const client = useClient();
  const [chosen, setChosen] = useState<'present' | 'kept'>('present');
  const words = { identifier, kept: nameOf(kept), present: nameOf(present) };
  return (
    <ConfirmDialog
      title={texts.title}
      button={isInParts ? texts.buttonParts(words) : texts.button}
      kind="primary"
      run={() => undoAs(client, id, isInParts ? 'kept' : chosen)}
      onClose={() => useUndoQuestion.setState({ asked: null })}
    >
      <p>{(isInParts ? texts.parts : texts.text)(words)}</p>
      {!isInParts && (
        <ChoiceList
          label={texts.question}
          value={chosen}
          onChange={setChosen}
          choices={[
            { value: 'present', label: texts.present, text: <Classification value={present} /> },
            { value: 'kept', label: texts.kept, text: <Classification value={kept} /> },
          ]}
        />
      )}
    </ConfirmDialog>
  );
}

function Classification({ value }: { value: string | null }) {
  return value === null ? commonTexts.serviceDefault : <ClassBadge value={value} />;
}

function nameOf(value: string | null): string {
  return value ?? commonTexts.serviceDefault;
}
