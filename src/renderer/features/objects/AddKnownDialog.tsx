import { useMemo, useState } from 'react';
import { commonTexts } from '../../i18n/common-texts.ts';
import { objectChangeTexts } from '../../i18n/object-change-texts.ts';
import type { ObjectKind } from '../../../shared/domain/object.ts';
import type { Task } from '../../../shared/domain/task.ts';
import { useClient } from '../../app/client.ts';
import { useCommand } from '../../app/commands.ts';
import { usePlace } from '../../app/place.ts';
import { useAct } from '../../app/use-act.ts';
import { DialogPane } from '../../app/Pane.tsx';
import { errorLine } from '../../../shared/i18n/error-text.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { TextAreaField } from '../../ui/Field.tsx';
import { focusHere } from '../../ui/focus.ts';
import { useKnownResult } from './KnownResult.tsx';
import { showKnown, useShownKnown } from './shown-known.ts';
import { uploadTexts } from '../../i18n/upload-texts.ts';
import { objectTexts } from '../../i18n/object-texts.ts';
import { fieldTexts } from '../../../shared/i18n/field-texts.ts';

const texts = objectChangeTexts.addKnown;

const identifiersMax = 100_000;

/** Opened by a command; in the list of secrets it adds secrets. */
export function AddKnown({ serviceId }: { serviceId: string }) {
  const kind = usePlace((shown) => (shown.view === 'objects' ? shown.kind : 'data'));
  const [isOpen, setOpen] = useState(false);
  useCommand('addKnown', () => setOpen(true));
  const { task } = useShownKnown();
  const close = () => {
    setOpen(false);
    showKnown(null);
  };
  return (
    (isOpen || task !== null) && (
      <DialogPane onClose={close}>
        <AddKnownDialog serviceId={serviceId} kind={kind} task={task} onClose={close} />
      </DialogPane>
    )
  );
}

type DialogProps = { serviceId: string; kind: ObjectKind; task: Task | null; onClose: () => void };

/**
 * Takes one identifier or a pasted list: checks each at the service, adds those that exist, and shows the result.
 * When closed, it continues as a task. It stays with the list it was opened over, even if the window shows another.
 */
function AddKnownDialog({ task, onClose, ...opened }: DialogProps) {
  const client = useClient();
  const [{ serviceId, kind }] = useState(opened);
  const [text, setText] = useState('');
  const act = useAct();
  const result = useKnownResult(task, onClose);
  const identifiers = useMemo(() => readIdentifiers(text), [text]);
  const tooMany = identifiers.length > identifiersMax;

  function add() {
    void act.run(async () => {
      showKnown(await client.call('objects.addKnown', { serviceId, kind, identifiers }));
    });
  }

  const form = {
    say: identifiers.length > 0 && texts.count({ count: identifiers.length }),
    buttons: (
      <>
        <Button size="large" onPress={onClose}>
          {commonTexts.cancel}
        </Button>
        <Button
          kind="primary"
          size="large"
          isDisabled={identifiers.length === 0 || tooMany}
          isPending={act.isRunning}
          onPress={add}
        >
          {buttonText(kind, identifiers.length)}
        </Button>
      </>
    ),
    children: (
      <TextAreaField
        {...focusHere}
        label={fieldTexts.identifiers}
        isCode
        rows={8}
        value={text}
        onChange={setText}
        hint={kind === 'data' ? texts.dataHint : texts.secretHint}
        problem={
          tooMany ? texts.tooMany({ count: identifiersMax }) : act.error ? errorLine(act.error) : undefined
        }
      />
    ),
  };
  return <Dialog isOpen size="medium" onClose={onClose} title={texts.title} {...(result ?? form)} />;
}

function buttonText(kind: ObjectKind, count: number): string {
  if (kind === 'secret') return count === 0 ? uploadTexts.add : texts.addSecrets({ count });
  return count === 0 ? objectTexts.link.checkAndAdd : texts.checkObjects({ count });
}

/** One per line, unchanged; without empty lines and duplicates. */
export function readIdentifiers(text: string): string[] {
  return [...new Set(text.split(/\r\n|\n|\r/).filter((line) => line.trim() !== ''))];
}
