import { useState, type ReactNode } from 'react';
import type { Output } from '../../../shared/contract.ts';
import { commonTexts } from '../../i18n/common-texts.ts';
import { fill } from '../../i18n/rich.tsx';
import { uploadTexts } from '../../i18n/upload-texts.ts';
import { textOf } from '../../app/classification/options.ts';
import { Button } from '../../ui/Button.tsx';
import { AlertDialog } from '../../ui/Dialog.tsx';
import { focusHere } from '../../ui/focus.ts';

const texts = uploadTexts.reclassify;

type Changes = Output<'uploadPlans.reclassified'>['changes'];

/** Asks before an upload gives stored objects another classification. Render `question` inside the sheet. */
export function useReclassifyQuestion(onAgree: () => void): {
  ask: (changes: Changes, to: string | null) => void;
  question: ReactNode;
} {
  const [asked, setAsked] = useState<{ changes: Changes; to: string | null } | null>(null);
  const close = () => setAsked(null);
  const strong = (classification: string | null) => (
    <b>
      <bdi>{textOf(classification)}</bdi>
    </b>
  );
  return {
    ask: (changes, to) => setAsked({ changes, to }),
    question: asked !== null && (
      <AlertDialog
        isOpen
        onClose={close}
        title={texts.title({ count: asked.changes.reduce((sum, { count }) => sum + count, 0) })}
        buttons={
          <>
            <Button size="large" {...focusHere} onPress={close}>
              {commonTexts.cancel}
            </Button>
            <Button
              kind="primary"
              size="large"
              onPress={() => {
                close();
                onAgree();
              }}
            >
              {texts.agree}
            </Button>
          </>
        }
      >
        <ul className="sheet__changes">
          {asked.changes.map(({ from, count }) => (
            <li key={from}>{fill(texts.change, { from: strong(from), to: strong(asked.to), count })}</li>
          ))}
        </ul>
      </AlertDialog>
    ),
  };
}
