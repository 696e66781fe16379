import { useEffect, useState } from 'react';
import type { Classifications } from '../../../shared/contract.ts';
import { useClient } from '../../app/client.ts';
import { asAppError } from '../../app/mirror.ts';
import { errorText } from '../../i18n/error-text.ts';
import { announce } from '../../ui/announce.tsx';
import { Button } from '../../ui/Button.tsx';
import { Swatch } from '../../ui/Badge.tsx';
import { ComboBox } from '../../ui/ComboBox.tsx';
import { MenuButton } from '../../ui/Menu.tsx';
import { classStep } from '../objects/class-ramp.ts';
import { offer, textOf, valueOf, type Option } from './options.ts';
import './classification-picker.css';

type PickerProps = {
  profileId: string;
  /** Where the objects go: it may have a default of its own. `''`: no folder. */
  folder: string;
  /** null: the service default. Called first with the default that was remembered. */
  onChange: (value: string | null) => void;
};

const nothingKnown: Classifications = { values: [], recent: [], preferred: null, error: null };

/** A searchable list with descriptions; free text stands. A list that cannot be loaded never blocks an upload. */
export function ClassificationPicker({ profileId, folder, onChange }: PickerProps) {
  const client = useClient();
  const [known, setKnown] = useState(nothingKnown);
  const [text, setText] = useState(textOf(null));
  const [isTyping, setTyping] = useState(false);

  async function load(refresh: boolean): Promise<Classifications> {
    const next = await client
      .call('classifications.list', { profileId, folder, refresh })
      .catch((cause: unknown) => ({ ...nothingKnown, error: asAppError(cause) }));
    setKnown(next);
    return next;
  }
  function change(next: string): void {
    setText(next);
    onChange(valueOf(next));
  }
  useEffect(() => {
    let live = true;
    void load(false).then(({ preferred }) => live && change(textOf(preferred)));
    return () => {
      live = false;
    };
    // The sheet opens the picker once for its service and folder.
  }, [profileId, folder]);

  const value = valueOf(text);
  const listed = known.values.map((entry) => entry.value);
  const stepOf = (option: string | null) => (option === null ? 0 : classStep(option, listed));
  const sections = offer(known, isTyping ? text : null);
  const options = sections.flatMap((section) => section.options);
  const selectedId = options.find((option) => option.value === value)?.id ?? null;

  return (
    <div className="classification">
      <ComboBox
        label="Classification"
        sections={sections.map((section) => ({
          ...section,
          options: section.options.map((option) => ({
            id: option.id,
            label: option.label,
            text: option.description,
            mark: <Swatch step={stepOf(option.value)} />,
          })),
        }))}
        inputValue={text}
        onInputChange={(next) => {
          setTyping(true);
          change(next);
        }}
        selectedId={selectedId}
        onSelect={(id) => {
          setTyping(false);
          const chosen: Option | undefined = options.find((option) => option.id === id);
          if (chosen !== undefined) change(chosen.label);
        }}
        onOpenChange={(isOpen) => {
          if (!isOpen) setTyping(false);
        }}
        mark={<Swatch step={stepOf(value)} />}
        none="Type the value as the service knows it."
      />
      {known.error !== null && (
        <p className="classification__error">
          {errorText(known.error).title}: the list could not be loaded. Type a value, or use the service
          default.{' '}
          <Button kind="link" onPress={() => void load(true)}>
            Try again
          </Button>
        </p>
      )}
      {value !== known.preferred && (
        <MenuButton
          label="Use by default"
          trigger={<Button kind="link">Use by default…</Button>}
          entries={[
            { id: 'profile', label: 'For this service', onAction: () => void prefer('') },
            ...(folder === ''
              ? []
              : [{ id: 'folder', label: `For ${folder}`, onAction: () => void prefer(folder) }]),
          ]}
        />
      )}
    </div>
  );

  async function prefer(where: string): Promise<void> {
    try {
      await client.call('classifications.setPreferred', { profileId, folder: where, value });
      setKnown({ ...known, preferred: value });
      announce(`${text} is the default from now on`);
    } catch (cause) {
      announce(errorText(asAppError(cause)).title, 'assertive');
    }
  }
}
