import { useState } from 'react';
import type { ObjectRow } from '../../../shared/contract.ts';
import { revealMs, type SecretValue } from '../../../shared/domain/secret.ts';
import { formatCount, formatExactBytes, formatRemaining } from '../../../shared/i18n/format.ts';
import { commonTexts } from '../../i18n/common-texts.ts';
import { secretTexts } from '../../i18n/secret-texts.ts';
import { useNow } from '../../app/use-now.ts';
import { Button } from '../../ui/Button.tsx';
import { Ring } from '../../ui/Progress.tsx';
import { cellRole } from '../../ui/aria-roles.ts';
import { useSecretList } from './secret-list.ts';
import { type Revealed, revealPanelId } from './use-secret-reads.ts';

const lineBytes = 16;

/** `00000010 7f 45 4c 46 …`: offset and sixteen bytes. @param hex two digits per byte */
function hexLines(hex: string): string[] {
  const bytes = hex.match(/../g) ?? [];
  return Array.from({ length: Math.ceil(bytes.length / lineBytes) }, (_, line) => {
    const start = line * lineBytes;
    return `${start.toString(16).padStart(8, '0')}  ${bytes.slice(start, start + lineBytes).join(' ')}`;
  });
}

const texts = secretTexts.panel;

/** The same for every value, so that it does not reveal the length. */
const cover = '•'.repeat(16);
const lineMax = 56;

const aroundPx = 70;
const linePx = 48;
const blockPx = 152;

function isLong(value: SecretValue): boolean {
  return value.kind === 'binary' || value.text.length > lineMax || /[\r\n]/.test(value.text);
}

/** The height of the panel in pixels, covered or not. */
export function panelPx({ value }: Revealed): number {
  return aroundPx + (isLong(value) ? blockPx : linePx);
}

/** Can be read with the keyboard but not selected: copying goes through the Copy button. */
const valueRole = { role: 'textbox', 'aria-readonly': true, 'aria-multiline': true, tabIndex: 0 } as const;

/** A loaded value: shown, can be covered, and is removed when its time is up. */
export function RevealPanel({ row, revealed }: { row: ObjectRow; revealed: Revealed }) {
  const { copy, askToSave, hide } = useSecretList();
  const [isShown, setShown] = useState(true);
  const nowMs = useNow();
  const { value, hidesAtMs } = revealed;
  const leftMs = Math.min(revealMs, Math.max(0, hidesAtMs - nowMs));

  return (
    <div
      {...cellRole}
      id={revealPanelId}
      className="secret__body"
      style={{ height: panelPx(revealed) }}
      onDoubleClick={(event) => event.stopPropagation()}
    >
      <div className={`secret__value ${isLong(value) ? 'secret__value--block' : ''}`}>
        <div
          {...valueRole}
          className={`secret__text ${value.kind === 'binary' ? 'secret__text--hex' : ''}`}
          aria-label={(isShown ? texts.value : texts.valueCovered)({ identifier: row.identifier })}
        >
          {isShown ? plain(value) : cover}
        </div>
        <Ring left={leftMs / revealMs}>{formatCount(Math.floor(leftMs / 1000))}</Ring>
      </div>
      <p className="secret__say figures">
        {value.kind === 'binary' && `${texts.notText({ size: formatExactBytes(value.lengthBytes) })} `}
        {(isShown ? texts.shown : texts.covered)({ duration: formatRemaining(leftMs) })}
      </p>
      <div className="secret__bar">
        <Button kind="line" size="small" icon={isShown ? 'eyeoff' : 'eye'} onPress={() => setShown(!isShown)}>
          {isShown ? texts.cover : texts.show}
        </Button>
        <Button
          kind="line"
          size="small"
          icon="copy"
          isDisabled={value.kind === 'binary'}
          onPress={() => copy(row)}
        >
          {secretTexts.copyValue}
        </Button>
        <Button kind="line" size="small" icon="download" onPress={() => askToSave(row)}>
          {commonTexts.saveAs}
        </Button>
        <span className="secret__gap" />
        <Button kind="quiet" size="small" onPress={hide}>
          {texts.hide}
        </Button>
      </div>
    </div>
  );
}

function plain(value: SecretValue): string {
  return value.kind === 'text' ? value.text : hexLines(value.hex).join('\n');
}
