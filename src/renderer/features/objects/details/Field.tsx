import type { ReactNode } from 'react';
import { detailTexts as texts } from '../../../i18n/detail-texts.ts';
import { announce } from '../../../ui/announce.tsx';
import { IconButton } from '../../../ui/Button.tsx';
import { copyText } from '../../../app/copy-text.ts';

type Copy = { label: string; text: string };

/** A name and a value in the details. */
export function Field({ name, copy, children }: { name: string; copy?: Copy; children: ReactNode }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>
        <span>{children}</span>
        {copy && <CopyButton {...copy} />}
      </dd>
    </>
  );
}

export function CopyButton({ label, text }: Copy) {
  return (
    <IconButton
      icon="copy"
      label={label}
      size="small"
      onPress={() => {
        if (copyText(text)) announce(texts.copied);
        else announce(texts.notCopied, 'assertive');
      }}
    />
  );
}
