import { useState, type ReactNode } from 'react';
import type { Service } from '../../../shared/domain/service.ts';
import { ConfirmDialog } from '../../app/ConfirmDialog.tsx';
import { copyText } from '../../app/copy-text.ts';
import { FormDialog } from '../../app/FormDialog.tsx';
import { useAct } from '../../app/use-act.ts';
import { curateTexts } from '../../i18n/curate-texts.ts';
import { announce } from '../../ui/announce.tsx';
import { Button } from '../../ui/Button.tsx';
import { TextAreaField } from '../../ui/Field.tsx';
import { focusHere } from '../../ui/focus-here.ts';
import { Icon } from '../../ui/Icon.tsx';

const texts = curateTexts.made;

type Props = {
  service: Service;
  name: string;
  invitation: string;
  hasPassword: boolean;
  /** Its password is that of this computer, and joining does not replace it. */
  isLasting?: boolean;
  say?: ReactNode;
  onClose: () => void;
};

/** An invitation to copy: it is shown this once. The drawn password in it is nowhere else, so closing before it was copied asks. */
export function MadeInvitation(props: Props) {
  const { service, name, invitation, hasPassword, isLasting = false, say = texts.shownOnce, onClose } = props;
  const act = useAct();
  const [isCopied, setCopied] = useState(false);
  const [isAsking, setAsking] = useState(false);
  const worth = isLasting ? texts.lasting({ name }) : texts.oneTime({ name });
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
      <div className="team-made" onCopy={() => setCopied(true)}>
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
        <Button
          kind="line"
          icon="copy"
          onPress={() => {
            if (!copyText(invitation)) return announce(texts.notCopied, 'assertive');
            setCopied(true);
            announce(texts.copied, 'polite', { isOnScreen: true });
          }}
        >
          {texts.copy}
        </Button>
        <p className="team-made__worth">
          <Icon name={hasPassword ? 'warn' : 'key'} />
          {hasPassword ? worth : texts.noPassword({ name })}
        </p>
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
