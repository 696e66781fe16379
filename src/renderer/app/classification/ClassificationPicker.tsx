import { memo, useEffect, useEffectEvent, useState, useImperativeHandle, useRef, type Ref } from 'react';
import { classificationTexts as texts } from '../../i18n/classification-texts.ts';
import { commonTexts } from '../../i18n/common-texts.ts';
import { flushSync } from 'react-dom';
import type { Classifications, Input } from '../../../shared/contract.ts';
import { useClient, type Client } from '../client.ts';
import { asAppError } from '../remote-store.ts';
import { sayFailure } from '../say-failure.ts';
import { useLanguage } from '../use-language.ts';
import { errorText } from '../../../shared/i18n/error-text.ts';
import { announce } from '../../ui/announce.tsx';
import { Button } from '../../ui/Button.tsx';
import { Swatch } from '../../ui/Badge.tsx';
import { ComboBox, type ComboBoxHandle } from '../../ui/ComboBox.tsx';
import { MenuButton } from '../../ui/Menu.tsx';
import { classStep } from './ClassBadge.tsx';
import { isUnknown, offer, textOf, valueOf, type Option } from './options.ts';
import './classification-picker.css';
import { fieldTexts } from '../../../shared/i18n/field-texts.ts';

export type ClassificationPickerHandle = {
  focus: () => void;
  /**
   * Whether the field's value may be sent. If not, asks the person, with the focus on the answer that keeps the
   * previous value.
   */
  finish: () => boolean;
};

type PickerProps = {
  ref?: Ref<ClassificationPickerHandle>;
  serviceId: string;
  /** The folder of the objects, which may have its own default. `''`: no folder. */
  folder: string;
  /** The previous choice; omitted: what was last used in the folder, or its default. */
  start?: string | null;
  /** The initial value: the one last used, the default, or nothing, so that the person must choose. */
  startsWith?: 'used' | 'default' | 'nothing';
  /** Whether a value can be made the default of the service or the folder here. */
  offersDefault?: boolean;
  /**
   * null: the service default. Called first with the initial value. A value that is not on the published list is
   * only reported after the person has confirmed it. `by`: who chose it.
   */
  onChange: (value: string | null, by: 'default' | 'person') => void;
};

const nothingKnown: Classifications = { values: [], recent: [], start: null, preferred: null, error: null };

/**
 * A searchable list with descriptions. When the field is left with a value that the service does not publish, the
 * person is asked; if the service publishes no list, free text is accepted. A list that cannot be loaded never blocks
 * an upload. Memoized: each render rebuilds the list, even on a key press in another field.
 */
export const ClassificationPicker = memo(function ClassificationPicker({
  ref,
  serviceId,
  folder,
  start,
  startsWith = 'used',
  offersDefault = true,
  onChange,
}: PickerProps) {
  useLanguage();
  const client = useClient();
  const [known, setKnown] = useState(nothingKnown);
  const isEmpty = startsWith === 'nothing';
  const [text, setText] = useState(isEmpty ? '' : textOf(start ?? null));
  const [isTyping, setTyping] = useState(false);
  const [isTouched, setTouched] = useState(isEmpty || start !== undefined);
  /** The value when the field was entered, restored if the new one is rejected. */
  const [kept, setKept] = useState<string | null>(start ?? null);
  const [isAsking, setAsking] = useState(false);
  const around = useRef<HTMLDivElement>(null);
  const keepButton = useRef<HTMLButtonElement>(null);
  const box = useRef<ComboBoxHandle>(null);

  const isOpenQuestion = (of: string | null) => of !== kept && isUnknown(known, of);

  function take(next: string): void {
    setText(next);
    setAsking(false);
    if (!isOpenQuestion(valueOf(next))) onChange(valueOf(next), 'person');
  }
  /** Answering removes the question; the focus stays in the picker. */
  function keep(next: string | null): void {
    setText(textOf(next));
    setKept(next);
    setAsking(false);
    setTyping(false);
    onChange(next, 'person');
    around.current?.focus();
  }
  function leave(): void {
    setTyping(false);
    if (isOpenQuestion(valueOf(text))) setAsking(true);
    else setKept(valueOf(text));
  }
  function choose(next: string): void {
    setTouched(true);
    take(next);
  }
  const takeKnown = useEffectEvent((next: Classifications) => {
    setKnown(next);
    if (isTouched) return;
    const first = startsWith === 'default' ? next.preferred : next.start;
    setText(textOf(first));
    setKept(first);
    onChange(first, 'default');
  });
  useEffect(() => {
    let live = true;
    void load(client, { serviceId, folder, refresh: false }).then((answer) => {
      if (live) takeKnown(answer);
    });
    return () => {
      live = false;
    };
  }, [client, serviceId, folder]);

  const value = valueOf(text);
  const isQuestion = isOpenQuestion(value);
  const finish = () => {
    if (!isQuestion) return true;
    // Render it before focusing it.
    flushSync(() => setAsking(true));
    keepButton.current?.focus();
    return false;
  };
  useImperativeHandle(ref, () => ({ finish, focus: () => box.current?.focus() }));
  const listed = known.values.map((entry) => entry.value);
  const stepOf = (option: string | null) => (option === null ? 0 : classStep(option, listed));
  const sections = offer(known, text, isTyping);
  const options = sections.flatMap((section) => section.options);
  // Nothing is selected while typing: a match on the last letter would close the list. Nor is a default that nobody chose, so that
  // it can be chosen.
  const isSelected = isTouched && !isTyping;
  const selectedId = isSelected ? (options.find((option) => option.value === value)?.id ?? null) : null;

  return (
    <div className="classification" ref={around} tabIndex={-1}>
      <ComboBox
        ref={box}
        label={fieldTexts.classification}
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
        maxLength={2000}
        onInputChange={(next) => {
          setTyping(true);
          choose(next);
        }}
        selectedId={selectedId}
        onSelect={(id) => {
          setTyping(false);
          const chosen: Option | undefined = options.find((option) => option.id === id);
          if (chosen === undefined) return;
          choose(chosen.label);
          setKept(chosen.value);
        }}
        onOpenChange={(isOpen) => {
          if (!isOpen) setTyping(false);
        }}
        onBlur={leave}
        onKeyDown={(event) => {
          if (event.key === 'Escape' && value !== kept) {
            event.stopPropagation();
            keep(kept);
          } else if (event.key === 'Enter' && !event.currentTarget.hasAttribute('aria-activedescendant')) {
            finish();
          }
        }}
        mark={text !== '' && <Swatch step={stepOf(value)} />}
        none={known.values.length > 0 ? texts.noneListed : texts.none}
      />
      {isAsking && isQuestion && (
        <div className="classification__ask">
          <p role="alert">{texts.notListed}</p>
          <Button ref={keepButton} kind="line" size="small" onPress={() => keep(kept)}>
            {texts.keep({ value: textOf(kept) })}
          </Button>
          <Button size="small" onPress={() => keep(value)}>
            {texts.sendAnyway}
          </Button>
        </div>
      )}
      {known.error !== null && (
        <p className="classification__error">
          {texts.failed({ title: errorText(known.error).title })}{' '}
          <Button
            kind="link"
            onPress={() => void load(client, { serviceId, folder, refresh: true }).then(setKnown)}
          >
            {commonTexts.tryAgain}
          </Button>
        </p>
      )}
      {offersDefault && value !== known.preferred && !isQuestion && (
        <MenuButton
          label={texts.makeDefault}
          trigger={<Button kind="link">{texts.makeDefaultAsk}</Button>}
          entries={[
            { id: 'service', label: texts.forService, onAction: () => prefer('') },
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
      client.call('classifications.setPreferred', { serviceId, folder: where, value }).then(() => {
        setKnown({ ...known, preferred: value });
        announce(texts.isDefault({ value: textOf(value) }));
      }),
    );
  }
});

/** Never rejects: a failure is part of the result. */
function load(client: Client, input: Input<'classifications.list'>): Promise<Classifications> {
  return client
    .call('classifications.list', input)
    .catch((cause: unknown) => ({ ...nothingKnown, error: asAppError(cause) }));
}
