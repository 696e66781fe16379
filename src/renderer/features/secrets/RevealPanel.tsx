import { memo } from 'react';
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

const lineMax = 56;

const aroundPx = 70;
const linePx = 48;
const blockPx = 152;

function isLong(value: SecretValue): boolean {
  return value.kind === 'binary' || value.text.length > lineMax || /[\r\n]/.test(value.text);
}

/** The height of the panel in pixels. */
export function panelPx({ value }: Revealed): number {
  return aroundPx + (isLong(value) ? blockPx : linePx);
}

/** Can be read with the keyboard but not selected: copying goes through the Copy button. */
const valueRole = { role: 'textbox', 'aria-readonly': true, 'aria-multiline': true, tabIndex: 0 } as const;

/** A loaded value, which is removed when its time is up. */
export function RevealPanel({ row, revealed }: { row: ObjectRow; revealed: Revealed }) {
  const { copy, askToSave, hide } = useSecretList();
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
          dir="auto"
          className={`secret__text ${value.kind === 'binary' ? 'secret__text--hex' : ''}`}
          aria-label={texts.value({ identifier: row.identifier })}
        >
          {value.kind === 'text' ? <Coloured text={value.text} /> : hexLines(value.hex).join('\n')}
        </div>
        <Ring left={leftMs / revealMs}>{formatCount(Math.floor(leftMs / 1000))}</Ring>
      </div>
      <p className="secret__say figures">
        {value.kind === 'binary' && `${texts.notText({ size: formatExactBytes(value.lengthBytes) })} `}
        {texts.hides({ duration: formatRemaining(leftMs) })}
      </p>
      <div className="secret__bar">
        <Button kind="line" size="small" icon="eyeoff" onPress={hide}>
          {texts.hide}
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
      </div>
    </div>
  );
}

const runs = /(?<digit>\p{Nd}+)|(?<symbol>[^\p{L}\p{M}\p{Nd}\s]+)|[\p{L}\p{M}\s]+/gu;

/** Tells `0` from `O` and `1` from `l`: digits and symbols have colours of their own. */
const Coloured = memo(function Coloured({ text }: { text: string }) {
  return [...text.matchAll(runs)].map(({ 0: run, index, groups }) => {
    if (groups?.['digit'] !== undefined)
      return (
        <span key={index} className="secret__digit">
          {run}
        </span>
      );
    if (groups?.['symbol'] !== undefined)
      return (
        <span key={index} className="secret__symbol">
          {run}
        </span>
      );
    return run;
  });
});
