import { useMemo, useState } from 'react';
import { commonTexts } from '../../i18n/common-texts.ts';
import { objectTexts } from '../../i18n/object-texts.ts';
import type { ObjectKind } from '../../../shared/domain/object.ts';
import { useClient } from '../../app/client.ts';
import { useCommand } from '../../app/commands.ts';
import { usePlace } from '../../app/place.ts';
import { useAct } from '../../app/use-act.ts';
import { DialogPane } from '../../app/Pane.tsx';
import { errorLine } from '../../i18n/error-text.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { TextAreaField } from '../../ui/Field.tsx';
import { focusHere } from '../../ui/focus-here.ts';

const texts = objectTexts.addKnown;

const identifiersMax = 100_000;

/** Opened by a command, wherever the window is; among the secrets it adds secrets. */
export function AddKnown({ profileId }: { profileId: string }) {
  const kind = usePlace((shown) => (shown.view === 'objects' ? shown.kind : 'data'));
  const [isOpen, setOpen] = useState(false);
  useCommand('addKnown', () => setOpen(true));
  const close = () => setOpen(false);
  return (
    isOpen && (
      <DialogPane onClose={close}>
        <AddKnownDialog profileId={profileId} kind={kind} onClose={close} />
      </DialogPane>
    )
  );
}

type DialogProps = { profileId: string; kind: ObjectKind; onClose: () => void };

/** One or a pasted list: asks the service for each, and adds what exists. The rest goes on as a task. */
function AddKnownDialog({ profileId, kind, onClose }: DialogProps) {
  const client = useClient();
  const [text, setText] = useState('');
  const act = useAct();
  const identifiers = useMemo(() => readIdentifiers(text), [text]);
  const tooMany = identifiers.length > identifiersMax;

  function add() {
    void act.run(async () => {
      await client.call('objects.addKnown', { profileId, kind, identifiers });
      onClose();
    });
  }

  return (
    <Dialog
      isOpen
      size="medium"
      onClose={onClose}
      title={texts.title}
      say={identifiers.length > 0 && texts.count({ count: identifiers.length })}
      buttons={
        <>
          <Button size="large" onPress={onClose}>
            {commonTexts.cancel}
          </Button>
          <Button
            kind="primary"
            size="large"
            isDisabled={identifiers.length === 0 || tooMany || act.isRunning}
            onPress={add}
          >
            {buttonText(kind, identifiers.length)}
          </Button>
        </>
      }
    >
      <TextAreaField
        {...focusHere}
        label={texts.label}
        isCode
        rows={8}
        value={text}
        onChange={setText}
        hint={kind === 'data' ? texts.dataHint : texts.secretHint}
        problem={
          tooMany ? texts.tooMany({ count: identifiersMax }) : act.error ? errorLine(act.error) : undefined
        }
      />
    </Dialog>
  );
}

function buttonText(kind: ObjectKind, count: number): string {
  if (kind === 'secret') return count === 0 ? texts.add : texts.addSecrets({ count });
  return count === 0 ? texts.check : texts.checkObjects({ count });
}

/** One on each line, as written; empty lines and repetitions are left out. */
export function readIdentifiers(text: string): string[] {
  return [...new Set(text.split(/\r\n|\n|\r/).filter((line) => line.trim() !== ''))];
}
