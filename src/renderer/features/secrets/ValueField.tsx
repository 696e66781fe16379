import { useRef, useState, type ClipboardEvent } from 'react';
import { FileTrigger } from 'react-aria-components';
import { secretTexts } from '../../i18n/secret-texts.ts';
import { useClient } from '../../app/client.ts';
import { useDropTaker } from '../../app/drops.ts';
import { sayFailure } from '../../app/say-failure.ts';
import { Button, IconButton } from '../../ui/Button.tsx';
import { PasswordField, TextAreaField } from '../../ui/Field.tsx';
import { focusHere } from '../../ui/focus.ts';
import { Icon } from '../../ui/Icon.tsx';
import { GeneratorOptions } from './GeneratorOptions.tsx';
import type { SizeText } from './secret-size.ts';
import { useHideSignals } from './use-hide-signals.ts';
import { draftOfFiles, draftOfText, emptyValue, type ValueDraft } from './value-draft.ts';
import { fieldTexts } from '../../../shared/i18n/field-texts.ts';

const texts = secretTexts.create;

const lineEnd = /\r\n|\r|\n/;

type Props = {
  serviceId: string;
  value: ValueDraft;
  size: SizeText;
  /** Gets the focus when the dialog opens. */
  beginsHere: boolean;
  onChange: (value: ValueDraft) => void;
};

/** Typed or pasted and masked, generated, or a dropped or chosen file. Its bytes are counted. */
export function ValueField({ serviceId, value, size, beginsHere, onChange }: Props) {
  const client = useClient();
  const [isShown, setShown] = useState(false);
  const [isGenerating, setGenerating] = useState(false);
  /** Whether the next control takes the focus from the one it replaces. */
  const [takesFocus, setTakesFocus] = useState(beginsHere);
  const pane = useRef<HTMLDivElement>(null);
  const heir = takesFocus ? focusHere : {};
  useHideSignals(() => {
    setTakesFocus(pane.current?.contains(document.activeElement) ?? false);
    setShown(false);
  });

  async function takeFiles(files: readonly File[]) {
    const draft = await draftOfFiles(client, serviceId, files);
    if (draft === null) return;
    setTakesFocus(pane.current?.contains(document.activeElement) ?? false);
    setGenerating(false);
    onChange(draft);
  }
  /** Call in response to an action in the control being replaced. */
  function replace(change: () => void) {
    setTakesFocus(true);
    change();
  }
  useDropTaker((files) => sayFailure(takeFiles(files)));

  /** A single-line field would drop line ends, so several lines are shown as a row or in a text area. */
  function pasteLines(event: ClipboardEvent<HTMLInputElement>) {
    const pasted = event.clipboardData.getData('text/plain');
    if (value.kind !== 'text' || !lineEnd.test(pasted)) return;
    event.preventDefault();
    const { selectionStart, selectionEnd } = event.currentTarget;
    const { text } = value;
    replace(() =>
      setText(
        text.slice(0, selectionStart ?? text.length) + pasted + text.slice(selectionEnd ?? text.length),
      ),
    );
  }

  const setText = (text: string) => onChange(draftOfText(text));
  const count = (
    <span className="value__count figures" id="value-count">
      {size.count}
    </span>
  );

  if (value.kind === 'file') {
    return (
      <div ref={pane} className="value">
        <span className="field__label">{fieldTexts.value}</span>
        <p className="value__file">
          <Icon name="file" />
          <bdi className="value__name">{value.name}</bdi>
          <IconButton
            {...heir}
            icon="x"
            label={texts.removeFile}
            size="small"
            onPress={() => replace(() => onChange(emptyValue))}
          />
        </p>
        <p className={size.problem === null ? 'value__below' : 'value__below value__below--bad'}>
          <span>{size.problem ?? size.note ?? (value.isText === false ? texts.notText : texts.asIs)}</span>
          {count}
        </p>
      </div>
    );
  }
  const problem = value.text.isWellFormed() ? (size.problem ?? undefined) : texts.badCharacter;
  const field = {
    label: fieldTexts.value,
    value: value.text,
    onChange: setText,
    'aria-describedby': 'value-count',
    problem,
  };
  const lines = value.text.split(lineEnd).length;
  const isCovered = !isShown && lines > 1;
  return (
    <div ref={pane} className="value">
      <div className={isShown ? 'value__field' : 'value__field value__field--masked'}>
        {isShown && (
          <TextAreaField
            {...field}
            {...heir}
            className="value__text"
            isCode
            rows={1}
            autoComplete="off"
            spellCheck="false"
          />
        )}
        {!isShown && !isCovered && (
          <PasswordField {...field} {...heir} className="value__password" onPaste={pasteLines} />
        )}
        {isCovered && (
          <>
            <span className="field__label">{fieldTexts.value}</span>
            <p className="value__file">
              <Icon name="lock" />
              <span className="value__name">{texts.covered({ count: lines })}</span>
              <Button {...heir} kind="link" onPress={() => replace(() => setShown(true))}>
                {texts.showLines}
              </Button>
              <IconButton
                icon="x"
                label={texts.removeValue}
                size="small"
                onPress={() => replace(() => setText(''))}
              />
            </p>
          </>
        )}
        <span className="value__ways">
          <FileTrigger onSelect={(files) => files !== null && sayFailure(takeFiles([...files]))}>
            <Button kind="link">{texts.chooseFile}</Button>
          </FileTrigger>
          <Button kind="link" aria-expanded={isGenerating} onPress={() => setGenerating((before) => !before)}>
            {texts.generate}
          </Button>
        </span>
        {!isCovered && (
          <IconButton
            className="value__show"
            icon={isShown ? 'eyeoff' : 'eye'}
            label={isShown ? texts.mask : texts.show}
            size="small"
            onPress={() => {
              // The button stays, unless several lines get covered by a control without one.
              setTakesFocus(isShown && lines > 1);
              setShown(!isShown);
            }}
          />
        )}
      </div>
      <p className="value__below">
        {isCovered && problem !== undefined ? (
          <span className="value__bad">{problem}</span>
        ) : (
          <span>{size.note ?? texts.hint}</span>
        )}
        {count}
      </p>
      {isGenerating && (
        <GeneratorOptions
          onGenerated={(text) => {
            setTakesFocus(false);
            // Nobody typed it, so nobody knows it yet.
            setShown(true);
            setText(text);
          }}
        />
      )}
    </div>
  );
}
