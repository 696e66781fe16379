import { copyText } from '../../app/copy-text.ts';
import { curateTexts } from '../../i18n/curate-texts.ts';
import { announce } from '../../ui/announce.tsx';
import { Button } from '../../ui/Button.tsx';
import { TextAreaField } from '../../ui/Field.tsx';
import { focusHere } from '../../ui/focus-here.ts';
import { Icon } from '../../ui/Icon.tsx';

const texts = curateTexts.made;

type Props = {
  name: string;
  invitation: string;
  hasPassword: boolean;
  /** Its password is that of this computer, and joining does not replace it. */
  isLasting?: boolean;
};

/** An invitation to copy: it is shown this once. */
export function MadeInvitation({ name, invitation, hasPassword, isLasting = false }: Props) {
  const worth = isLasting ? texts.lasting({ name }) : texts.oneTime({ name });
  return (
    <div className="team-made">
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
          if (copyText(invitation)) announce(texts.copied, 'polite', { isOnScreen: true });
          else announce(texts.notCopied, 'assertive');
        }}
      >
        {texts.copy}
      </Button>
      <p className="team-made__worth">
        <Icon name={hasPassword ? 'warn' : 'key'} />
        {hasPassword ? worth : texts.noPassword({ name })}
      </p>
    </div>
  );
}
