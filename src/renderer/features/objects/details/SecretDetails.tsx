import type { ObjectRow } from '../../../../shared/contract.ts';
import { approvalTexts } from '../../../i18n/approval-texts.ts';
import { Button } from '../../../ui/Button.tsx';
import { holderText } from '../../../app/approvals/approval-words.ts';
import { useApprovals, useEndApproval } from '../../../app/approvals/use-approvals.ts';
import './programs-allowed.css';
import { detailTexts as texts } from '../../../i18n/detail-texts.ts';
import { Icon } from '../../../ui/Icon.tsx';

/** In the details of a secret: which programs get it without a question. */
export function ProgramsAllowed({ object, nowMs }: { object: ObjectRow; nowMs: number }) {
  const end = useEndApproval();
  const approvals = useApprovals().filter(
    ({ serviceId, identifiers }) => serviceId === object.serviceId && identifiers.includes(object.identifier),
  );
  return (
    <section className="section" tabIndex={-1} aria-label={approvalTexts.details.title}>
      <h3 className="section__head">{approvalTexts.details.title}</h3>
      {approvals.length === 0 ? (
        <p className="allowed__none">{approvalTexts.details.none}</p>
      ) : (
        <ul className="allowed">
          {approvals.map((approval) => {
            const holder = holderText(approval, nowMs);
            return (
              <li key={approval.id}>
                <span className="allowed__holder">{holder}</span>
                <Button
                  kind="line"
                  size="small"
                  aria-label={approvalTexts.settings.endOf({ holder })}
                  onPress={({ target }) => end(approval.id, target)}
                >
                  {approvalTexts.settings.end}
                </Button>
              </li>
            );
          })}
        </ul>
      )}
    </section>
  );
}

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
