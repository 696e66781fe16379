import { detailTexts as texts } from '../../../i18n/detail-texts.ts';
import { Icon } from '../../../ui/Icon.tsx';

/** At the end of a secret's details: where the value is stored, and why it cannot be replaced or deleted. */
export function SecretFacts() {
  return (
    <section className="section secret-facts" aria-label={texts.aboutSecrets}>
      <p>
        <Icon name="lock" />
        <span>{texts.valueNotKept}</span>
      </p>
      <p>
        <Icon name="key" />
        <span>{texts.noReplacing}</span>
      </p>
    </section>
  );
}
