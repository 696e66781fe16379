import { useState } from 'react';
import { checkObjectId } from '../../../shared/domain/object-id.ts';
import type { Profile } from '../../../shared/domain/profile.ts';
import { useClient } from '../../app/client.ts';
import { useAct } from '../../app/use-act.ts';
import { errorLine, errorText } from '../../i18n/error-text.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { TextField } from '../../ui/Field.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { ClassificationPicker } from '../../app/classification/ClassificationPicker.tsx';
import type { ValueDraft } from './value-draft.ts';
import { ValueField } from './ValueField.tsx';
import { secretSizeText } from './secret-size.ts';
import './new-secret.css';

/** A dialog that is opened to type into. */
const focusHere = { autoFocus: true };

type Props = {
  profile: Profile;
  /** The value it begins with. */
  start: ValueDraft;
  /** It was started; the list and the jobs show how far it is. */
  onStored: (identifier: string) => void;
  onClose: () => void;
};

/** A value and its name. The value is in this component's state and in its field, and goes with them. */
export function NewSecretDialog({ profile, start, onStored, onClose }: Props) {
  const client = useClient();
  const [identifier, setIdentifier] = useState('');
  const [isNamed, setNamed] = useState(false);
  const [value, setValue] = useState(start);
  const [classification, setClassification] = useState<string | null>(null);
  const act = useAct();

  const size = secretSizeText(value.sizeBytes, profile.maxSecretBytes);
  const verdict = checkObjectId(identifier);
  const reason = missingText(identifier, value, size.problem);

  function store() {
    if (reason !== null) return;
    void act.run(async () => {
      const source =
        value.kind === 'text'
          ? ({ kind: 'text', text: value.text } as const)
          : ({ kind: 'grant', grant: value.grant } as const);
      await client.call('secrets.store', { profileId: profile.id, identifier, classification, source });
      onStored(identifier);
    });
  }

  return (
    <Dialog
      isOpen
      size="medium"
      onClose={onClose}
      title="New secret"
      place={profile.name}
      placeTone={profile.connection === 'ready' ? 'ok' : 'wait'}
      say={
        <>
          <Icon name="lock" />
          {reason ?? 'The value is not kept on this computer.'}
        </>
      }
      buttons={
        <>
          <Button size="large" onPress={onClose}>
            Cancel
          </Button>
          <Button kind="primary" size="large" isDisabled={reason !== null || act.isRunning} onPress={store}>
            Store secret
          </Button>
        </>
      }
    >
      <TextField
        {...focusHere}
        label="Identifier"
        autoComplete="off"
        spellCheck="false"
        value={identifier}
        onChange={(next) => {
          setIdentifier(next);
          act.clear();
        }}
        onBlur={() => setNamed(identifier !== '')}
        problem={identifierProblem()}
      />
      <ValueField value={value} size={size} onChange={setValue} />
      <ClassificationPicker profileId={profile.id} folder="" onChange={setClassification} />
      {act.error !== null && act.error.code !== 'exists' && (
        <p className="new-secret__error">{errorLine(act.error)}</p>
      )}
    </Dialog>
  );

  function identifierProblem(): string | undefined {
    if (act.error?.code === 'exists')
      return 'A secret with this identifier is on the list. The service shows no way to replace it.';
    if (verdict.ok || (!isNamed && verdict.problem === 'empty')) return undefined;
    return errorText({ code: 'badIdentifier', problem: verdict.problem }).what;
  }
}

/** Why it cannot be stored yet; null: it can. */
function missingText(identifier: string, value: ValueDraft, sizeProblem: string | null): string | null {
  if (!checkObjectId(identifier).ok)
    return identifier === '' ? 'It needs an identifier.' : 'The identifier cannot be used.';
  if (value.sizeBytes === 0) return 'It needs a value.';
  if (value.kind === 'text' && !value.text.isWellFormed()) return 'The value cannot be stored so.';
  return sizeProblem === null ? null : 'The value is too large.';
}
