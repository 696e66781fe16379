import { useMemo, useState } from 'react';
import type { ObjectKind } from '../../../shared/domain/object.ts';
import { useClient } from '../../app/client.ts';
import { useAct } from '../../app/use-act.ts';
import { errorLine } from '../../i18n/error-text.ts';
import { formatCount, formatCounted } from '../../i18n/format.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { TextAreaField } from '../../ui/Field.tsx';

const identifiersMax = 100_000;

/** A dialog that is opened to type into. */
const focusHere = { autoFocus: true };

const words = {
  data: {
    button: 'Check and add',
    one: 'object',
    other: 'objects',
    hint: 'One on each line. Coffer asks the service for each and adds those that exist.',
  },
  secret: {
    button: 'Add',
    one: 'secret',
    other: 'secrets',
    hint: 'One on each line. The service cannot be asked whether a secret exists: that shows only when you reveal it.',
  },
} satisfies Record<ObjectKind, unknown>;

type Props = { profileId: string; kind?: ObjectKind; onClose: () => void };

/** One or a pasted list: asks the service for each, and adds what exists. The rest goes on as a task. */
export function AddKnownDialog({ profileId, kind = 'data', onClose }: Props) {
  const client = useClient();
  const [text, setText] = useState('');
  const act = useAct();
  const identifiers = useMemo(() => readIdentifiers(text), [text]);
  const { button, one, other, hint } = words[kind];
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
      title="Add known identifiers"
      say={identifiers.length > 0 && formatCounted(identifiers.length, 'identifier', 'identifiers')}
      buttons={
        <>
          <Button size="large" onPress={onClose}>
            Cancel
          </Button>
          <Button
            kind="primary"
            size="large"
            isDisabled={identifiers.length === 0 || tooMany || act.isRunning}
            onPress={add}
          >
            {identifiers.length === 0 ? button : `${button} ${formatCounted(identifiers.length, one, other)}`}
          </Button>
        </>
      }
    >
      <TextAreaField
        {...focusHere}
        label="Identifiers"
        rows={8}
        value={text}
        onChange={setText}
        hint={hint}
        problem={
          tooMany
            ? `Up to ${formatCount(identifiersMax)} at a time.`
            : act.error
              ? errorLine(act.error)
              : undefined
        }
      />
    </Dialog>
  );
}

/** One on each line, as written; empty lines and repetitions are left out. */
export function readIdentifiers(text: string): string[] {
  return [...new Set(text.split(/\r\n|\n|\r/).filter((line) => line.trim() !== ''))];
}
