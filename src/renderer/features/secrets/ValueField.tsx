import { useEffect, useEffectEvent, useState } from 'react';
import { FileTrigger } from 'react-aria-components';
import { useClient } from '../../app/client.ts';
import { useDropTaker } from '../../app/drop-taker.ts';
import { sayFailure } from '../../app/say-failure.ts';
import { formatExactBytes } from '../../i18n/format.ts';
import { announce } from '../../ui/announce.tsx';
import { Button, IconButton } from '../../ui/Button.tsx';
import { TextAreaField } from '../../ui/Field.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { refusedText } from '../upload/use-upload.ts';
import { GeneratorOptions } from './GeneratorOptions.tsx';
import { utf8Length, type SizeText } from './secret-size.ts';
import { useHideSignals } from './use-hide-signals.ts';

/** What was typed, or a file, whose bytes never come into the page. */
export type ValueDraft =
  | { kind: 'text'; text: string; sizeBytes: number }
  | { kind: 'file'; name: string; grant: string; sizeBytes: number };

export const emptyValue: ValueDraft = { kind: 'text', text: '', sizeBytes: 0 };

type Props = {
  value: ValueDraft;
  size: SizeText;
  /** Files the dialog was opened with. */
  dropped: readonly File[];
  onChange: (value: ValueDraft) => void;
};

/** Typed or pasted and masked, generated, or a file that is dropped or chosen. Its bytes are counted. */
export function ValueField({ value, size, dropped, onChange }: Props) {
  const client = useClient();
  const [isShown, setShown] = useState(false);
  const [isGenerating, setGenerating] = useState(false);
  useHideSignals(() => setShown(false));

  async function takeFiles(files: readonly File[]) {
    const [file, another] = files;
    if (file === undefined) return;
    if (another !== undefined) return announce('A secret is one file. Drop one at a time.', 'assertive');
    const { grants, refused } = await client.grantFiles([file]);
    const [grant] = grants;
    if (grant === undefined) return announce(refusedText(refused[0] ?? file.name, 1), 'assertive');
    setGenerating(false);
    onChange({ kind: 'file', name: file.name, grant, sizeBytes: file.size });
    announce(`${file.name}, ${formatExactBytes(file.size)}, is the value`, 'polite', { isOnScreen: true });
  }
  useDropTaker((files) => sayFailure(takeFiles(files)));
  const takeDropped = useEffectEvent(takeFiles);
  useEffect(() => sayFailure(takeDropped(dropped)), [dropped]);

  const setText = (text: string) => onChange({ kind: 'text', text, sizeBytes: utf8Length(text) });
  const count = (
    <span className="value__count figures" id="value-count">
      {size.count}
    </span>
  );

  if (value.kind === 'file') {
    return (
      <div className="value">
        <span className="field__label">Value</span>
        <p className="value__file">
          <Icon name="file" />
          <span className="value__name">{value.name}</span>
          <IconButton icon="x" label="Remove file" size="small" onPress={() => onChange(emptyValue)} />
        </p>
        <p className={size.problem === null ? 'value__below' : 'value__below value__below--bad'}>
          <span>{size.problem ?? size.note ?? 'Its bytes are stored as they are.'}</span>
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
          label="Value"
          rows={4}
          autoComplete="off"
          spellCheck="false"
          value={value.text}
          onChange={setText}
          aria-describedby="value-count"
          problem={value.text.isWellFormed() ? (size.problem ?? undefined) : 'It holds half a character.'}
        />
        <span className="value__ways">
          <FileTrigger onSelect={(files) => files !== null && sayFailure(takeFiles([...files]))}>
            <Button kind="link">Choose a file…</Button>
          </FileTrigger>
          <Button kind="link" aria-expanded={isGenerating} onPress={() => setGenerating((before) => !before)}>
            Generate
          </Button>
        </span>
        <IconButton
          className="value__show"
          icon={isShown ? 'eyeoff' : 'eye'}
          label={isShown ? 'Mask the value' : 'Show the value'}
          size="small"
          onPress={() => setShown(!isShown)}
        />
      </div>
      <p className="value__below">
        <span>{size.note ?? 'Type, paste, or drop a file'}</span>
        {count}
      </p>
      {isGenerating && <GeneratorOptions onGenerated={setText} />}
    </div>
  );
}
