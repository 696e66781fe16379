import { useEffect, useEffectEvent, useState } from 'react';
import { secretTexts } from '../../i18n/secret-texts.ts';
import { boundsOf } from '../../../shared/domain/limits.ts';
import { generatorSchema, type Generator } from '../../../shared/domain/secret.ts';
import { useClient } from '../../app/client.ts';
import { sayFailure } from '../../app/say-failure.ts';
import { announce } from '../../ui/announce.tsx';
import { Button } from '../../ui/Button.tsx';
import { Checkbox, Segmented } from '../../ui/Choice.tsx';
import { NumberField } from '../../ui/Field.tsx';
import { fieldTexts } from '../../../shared/i18n/field-texts.ts';

const texts = secretTexts.generator;
const [password, passphrase] = generatorSchema.options;
const lengths = boundsOf(password.shape.length);
const counts = boundsOf(passphrase.shape.words);

const kinds = ['password', 'passphrase'] as const;
const characters = ['capitals', 'digits', 'symbols'] as const;

type Props = { onGenerated: (text: string) => void };

/** Generates when it opens, and after each change of an option. Main generates, with the system's randomness. */
export function GeneratorOptions({ onGenerated }: Props) {
  const client = useClient();
  const [kind, setKind] = useState<Generator['kind']>('password');
  const [length, setLength] = useState(24);
  const [words, setWords] = useState(6);
  const [has, setHas] = useState({ capitals: true, digits: true, symbols: true });
  const [turn, setTurn] = useState(0);

  const generate = useEffectEvent(async (isLive: () => boolean) => {
    const wish: Generator = kind === 'password' ? { kind, length, ...has } : { kind, words };
    const { text } = await client.call('secrets.generate', wish);
    if (!isLive()) return;
    onGenerated(text);
    announce(texts.made, 'polite', { isOnScreen: true });
  });
  useEffect(() => {
    let live = true;
    sayFailure(generate(() => live));
    return () => {
      live = false;
    };
  }, [kind, length, words, has, turn]);

  return (
    <fieldset className="generator" aria-label={texts.label}>
      <Segmented
        label={texts.kind}
        value={kind}
        choices={kinds.map((value) => ({ value, label: texts[value] }))}
        onChange={setKind}
      />
      {kind === 'password' ? (
        <NumberField
          label={fieldTexts.secretLength}
          labelPlace="beside"
          size="regular"
          className="generator__number"
          minValue={lengths.least}
          maxValue={lengths.most}
          value={length}
          onChange={(next) => Number.isNaN(next) || setLength(next)}
        />
      ) : (
        <NumberField
          label={fieldTexts.secretWords}
          labelPlace="beside"
          size="regular"
          className="generator__number"
          minValue={counts.least}
          maxValue={counts.most}
          value={words}
          onChange={(next) => Number.isNaN(next) || setWords(next)}
        />
      )}
      <span className="generator__gap" />
      <Button kind="line" size="small" icon="refresh" onPress={() => setTurn(turn + 1)}>
        {texts.another}
      </Button>
      {kind === 'password' && (
        <div className="generator__characters">
          {characters.map((name) => (
            <Checkbox
              key={name}
              isSelected={has[name]}
              onChange={(isWanted) => setHas({ ...has, [name]: isWanted })}
            >
              {texts[name]}
            </Checkbox>
          ))}
        </div>
      )}
    </fieldset>
  );
}
