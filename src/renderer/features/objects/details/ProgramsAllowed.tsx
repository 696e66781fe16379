import type { ObjectRow } from '../../../../shared/contract.ts';
import { approvalTexts as texts } from '../../../i18n/approval-texts.ts';
import { Button } from '../../../ui/Button.tsx';
import { holderText } from '../../../app/approvals/approval-words.ts';
import { useApprovals, useEndApproval } from '../../../app/approvals/use-approvals.ts';
import './programs-allowed.css';

/** In the details of a secret: which programs get it without a question. */
export function ProgramsAllowed({ object, nowMs }: { object: ObjectRow; nowMs: number }) {
  const end = useEndApproval();
  const approvals = useApprovals().filter(
    ({ serviceId, identifiers }) => serviceId === object.serviceId && identifiers.includes(object.identifier),
  );
  return (
    <section className="section" tabIndex={-1} aria-label={texts.details.title}>
      <h3 className="section__head">{texts.details.title}</h3>
      {approvals.length === 0 ? (
        <p className="allowed__none">{texts.details.none}</p>
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
                  aria-label={texts.settings.endOf({ holder })}
                  onPress={({ target }) => end(approval.id, target)}
                >
                  {texts.settings.end}
                </Button>
              </li>
            );
          })}
        </ul>
      )}
    </section>
  );
}
