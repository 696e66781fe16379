import { useState, type ReactNode } from 'react';
import type { Service } from '../../../shared/domain/service.ts';
import { clipboardMs } from '../../../shared/domain/secret.ts';
import { formatDuration } from '../../../shared/i18n/format.ts';
import { useClient } from '../../app/client.ts';
import { ConfirmDialog } from '../../app/ConfirmDialog.tsx';
import { FormDialog } from '../../app/FormDialog.tsx';
import { useClipboard } from '../../app/stores.ts';
import { useAct } from '../../app/use-act.ts';
import { useNow } from '../../app/use-now.ts';
import { curateTexts } from './curate-texts.ts';
import { announce } from '../../ui/announce.tsx';
import { Button } from '../../ui/Button.tsx';
import { TextAreaField } from '../../ui/Field.tsx';
import { focusHere } from '../../ui/focus.ts';
import { Icon } from '../../ui/Icon.tsx';
import { Ring } from '../../ui/Progress.tsx';

const texts = curateTexts.made;

type Props = {
  service: Service;
  name: string;
  invitation: string;
  hasPassword: boolean;
  /** It replaces an invitation that was never used. */
  isRenewed?: boolean | undefined;
  /** It contains the password of this computer, which joining does not replace. */
  isLasting?: boolean;
  say?: ReactNode;
  onClose: () => void;
};

/** An invitation to copy, shown once. Its generated password is stored nowhere else, so closing asks if it was not copied. */
export function MadeInvitation(props: Props) {
  const { service, name, invitation, hasPassword, isRenewed = false, isLasting = false } = props;
  const { say = texts.shownOnce, onClose } = props;
  const client = useClient();
  const act = useAct();
  const [isCopied, setCopied] = useState(false);
  const [isAsking, setAsking] = useState(false);
  const worth = isLasting ? texts.lasting({ name }) : texts.oneTime({ name });
  // Main writes to the clipboard, as for secret values: marked as a secret, and cleared after a while.
  const copy = () =>
    void act.run(async () => {
      await client.call('secrets.copyInvitation', { invitation });
      setCopied(true);
      announce(texts.copied({ duration: formatDuration(clipboardMs) }), 'polite', { isOnScreen: true });
    });
  const close = () => (isCopied || isLasting || !hasPassword ? onClose() : setAsking(true));
  return (
    <FormDialog
      title={texts.title({ name })}
      place={service.name}
      size="medium"
      act={act}
      say={say}
      back={null}
      button={{ key: 'done', label: texts.done, onPress: close }}
      onClose={close}
    >
      <div
        className="team-made"
        onCopy={(event) => {
          event.preventDefault();
          copy();
        }}
      >
        <TextAreaField
          {...focusHere}
          isReadOnly
          isCode
          className="team-join__invitation"
          label={texts.label}
          rows={5}
          value={invitation}
          onFocus={({ target }) => target.select()}
        />
        <div className="team-made__copy">
          <Button kind="line" icon="copy" onPress={copy}>
            {texts.copy}
          </Button>
          {isCopied && <TimeLeft />}
        </div>
        <p className="team-made__worth">
          <Icon name={hasPassword ? 'warn' : 'key'} />
          {hasPassword ? worth : texts.noPassword({ name })}
        </p>
        {isRenewed && (
          <p className="team-made__worth">
            <Icon name="refresh" />
            {texts.renewed({ name })}
          </p>
        )}
      </div>
      {isAsking && (
        <ConfirmDialog
          title={texts.lose}
          button={texts.loseButton}
          run={async () => onClose()}
          onClose={() => setAsking(false)}
        >
          <p>{texts.loseText({ name })}</p>
        </ConfirmDialog>
      )}
    </FormDialog>
  );
}

/** Time until the clipboard is cleared. If that waits for the window's focus, only the bottom line says so. */
function TimeLeft() {
  const clipboard = useClipboard();
  const isCounted = clipboard?.objectId === null && !clipboard.waitsForFocus;
  const clearsAtMs = isCounted ? clipboard.clearsAtMs : null;
  const nowMs = useNow(clearsAtMs === null ? null : 1000);
  if (clearsAtMs === null) return null;
  const leftMs = Math.min(clipboardMs, Math.max(0, clearsAtMs - nowMs));
  return (
    <span className="team-made__left figures">
      <Ring size={16} left={leftMs / clipboardMs} />
      {texts.copied({ duration: formatDuration(leftMs) })}
    </span>
  );
}
