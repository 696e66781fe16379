import { useState } from 'react';
import { FileTrigger } from 'react-aria-components';
import { secretTexts } from '../../i18n/secret-texts.ts';
import { useClient } from '../../app/client.ts';
import { useDropTaker } from '../../app/drop-taker.ts';
import { sayFailure } from '../../app/say-failure.ts';
import { Button, IconButton } from '../../ui/Button.tsx';
import { TextAreaField } from '../../ui/Field.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { GeneratorOptions } from './GeneratorOptions.tsx';
import type { SizeText } from './secret-size.ts';
import { useHideSignals } from './use-hide-signals.ts';
import { draftOfFiles, draftOfText, emptyValue, type ValueDraft } from './value-draft.ts';

const texts = secretTexts.create;

type Props = {
  value: ValueDraft;
  size: SizeText;
  onChange: (value: ValueDraft) => void;
};

/** Typed or pasted and masked, generated, or a file that is dropped or chosen. Its bytes are counted. */
export function ValueField({ value, size, onChange }: Props) {
  const client = useClient();
  const [isShown, setShown] = useState(false);
  const [isGenerating, setGenerating] = useState(false);
  useHideSignals(() => setShown(false));

  async function takeFiles(files: readonly File[]) {
    const draft = await draftOfFiles(client, files);
    if (draft === null) return;
    setGenerating(false);
    onChange(draft);
  }
  useDropTaker((files) => sayFailure(takeFiles(files)));

  const setText = (text: string) => onChange(draftOfText(text));
  const count = (
    <span className="value__count figures" id="value-count">
      {size.count}
    </span>
  );

  if (value.kind === 'file') {
    return (
      <div className="value">
        <span className="field__label">{texts.value}</span>
        <p className="value__file">
          <Icon name="file" />
          <bdi className="value__name">{value.name}</bdi>
          <IconButton icon="x" label={texts.removeFile} size="small" onPress={() => onChange(emptyValue)} />
        </p>
        <p className={size.problem === null ? 'value__below' : 'value__below value__below--bad'}>
          <span>{size.problem ?? size.note ?? texts.asIs}</span>
          {count}
        </p>
      </div>
    );
  }
  return (
    <div className="value">
      <div className="value__field">
        <TextAreaField
          className={isShown ? 'value__text' : 'value__text value__text--masked'}
          label={texts.value}
          isCode
          rows={4}
          autoComplete="off"
          spellCheck="false"
          value={value.text}
          onChange={setText}
          aria-describedby="value-count"
          problem={value.text.isWellFormed() ? (size.problem ?? undefined) : texts.badCharacter}
        />
        <span className="value__ways">
          <FileTrigger onSelect={(files) => files !== null && sayFailure(takeFiles([...files]))}>
            <Button kind="link">{texts.chooseFile}</Button>
          </FileTrigger>
          <Button kind="link" aria-expanded={isGenerating} onPress={() => setGenerating((before) => !before)}>
            {texts.generate}
          </Button>
        </span>
        <IconButton
          className="value__show"
          icon={isShown ? 'eyeoff' : 'eye'}
          label={isShown ? texts.mask : texts.show}
          size="small"
          onPress={() => setShown(!isShown)}
        />
      </div>
      <p className="value__below">
        <span>{size.note ?? texts.hint}</span>
        {count}
      </p>
      {isGenerating && <GeneratorOptions onGenerated={setText} />}
    </div>
  );
}
