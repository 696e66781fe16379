import { useEffect, useEffectEvent, useState } from 'react';
import { classificationTexts as texts } from '../../i18n/classification-texts.ts';
import { commonTexts } from '../../i18n/common-texts.ts';
import type { Classifications, Input } from '../../../shared/contract.ts';
import { useClient, type Client } from '../client.ts';
import { asAppError } from '../mirror.ts';
import { sayFailure } from '../say-failure.ts';
import { errorText } from '../../i18n/error-text.ts';
import { announce } from '../../ui/announce.tsx';
import { Button } from '../../ui/Button.tsx';
import { Swatch } from '../../ui/Badge.tsx';
import { ComboBox } from '../../ui/ComboBox.tsx';
import { MenuButton } from '../../ui/Menu.tsx';
import { classStep } from './class-ramp.ts';
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
  const [isTouched, setTouched] = useState(false);

  function take(next: string): void {
    setText(next);
    onChange(valueOf(next));
  }
  function choose(next: string): void {
    setTouched(true);
    take(next);
  }
  const takeKnown = useEffectEvent((next: Classifications) => {
    setKnown(next);
    if (!isTouched) take(textOf(next.preferred));
  });
  useEffect(() => {
    let live = true;
    void ask(client, { profileId, folder, refresh: false }).then((answer) => {
      if (live) takeKnown(answer);
    });
    return () => {
      live = false;
    };
  }, [client, profileId, folder]);

  const value = valueOf(text);
  const listed = known.values.map((entry) => entry.value);
  const stepOf = (option: string | null) => (option === null ? 0 : classStep(option, listed));
  const sections = offer(known, text, isTyping);
  const options = sections.flatMap((section) => section.options);
  // While typing nothing is selected: a choice made by its last letter would close the list under the typing hands.
  const selectedId = isTyping ? null : (options.find((option) => option.value === value)?.id ?? null);

  return (
    <div className="classification">
      <ComboBox
        label={texts.label}
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
          choose(next);
        }}
        selectedId={selectedId}
        onSelect={(id) => {
          setTyping(false);
          const chosen: Option | undefined = options.find((option) => option.id === id);
          if (chosen !== undefined) choose(chosen.label);
        }}
        onOpenChange={(isOpen) => {
          if (!isOpen) setTyping(false);
        }}
        mark={<Swatch step={stepOf(value)} />}
        none={texts.none}
      />
      {known.error !== null && (
        <p className="classification__error">
          {texts.failed({ title: errorText(known.error).title })}{' '}
          <Button
            kind="link"
            onPress={() => void ask(client, { profileId, folder, refresh: true }).then(setKnown)}
          >
            {commonTexts.tryAgain}
          </Button>
        </p>
      )}
      {value !== known.preferred && (
        <MenuButton
          label={texts.makeDefault}
          trigger={<Button kind="link">{texts.makeDefaultAsk}</Button>}
          entries={[
            { id: 'profile', label: texts.forService, onAction: () => prefer('') },
            ...(folder === ''
              ? []
              : [{ id: 'folder', label: texts.forFolder({ folder }), onAction: () => prefer(folder) }]),
          ]}
        />
      )}
    </div>
  );

  function prefer(where: string): void {
    sayFailure(
      client.call('classifications.setPreferred', { profileId, folder: where, value }).then(() => {
        setKnown({ ...known, preferred: value });
        announce(texts.isDefault({ value: textOf(value) }));
      }),
    );
  }
}

/** What is known; a failure is part of the answer. */
function ask(client: Client, input: Input<'classifications.list'>): Promise<Classifications> {
  return client
    .call('classifications.list', input)
    .catch((cause: unknown) => ({ ...nothingKnown, error: asAppError(cause) }));
}
