import type { ObjectRow } from '../../../shared/contract.ts';
import { approvalTexts } from './approval-texts.ts';
import { Button } from '../../ui/Button.tsx';
import { holderText } from './approval-words.ts';
import { createApprovals, useApprovals, useEndApproval } from './use-approvals.ts';
import './programs-allowed.css';
import type { Approval } from '../../../shared/domain/approval.ts';
import { legible } from '../../../shared/domain/legible.ts';
import { formatList, formatTime } from '../../../shared/i18n/format.ts';
import { useServices } from '../../app/stores.ts';
import { useNow } from '../../app/use-now.ts';
import { Section } from '../settings/Section.tsx';
import type { WindowFeature } from '../../app/slots.tsx';
import { ApprovalDialog } from './ApprovalDialog.tsx';

/** Secrets for programs: the question, and what was allowed. */
export const approvals: WindowFeature = {
  stores: [createApprovals],
  slots: {
    windowDialogs: ApprovalDialog,
    secretDetails: ProgramsAllowed,
    settingsOfPrograms: ProgramsSection,
  },
};

/** In the details of a secret: which programs get it without a question. */
export function ProgramsAllowed({ object, nowMs }: { object: ObjectRow; nowMs: number }) {
  const end = useEndApproval();
  const approvals = useApprovals().filter(
    ({ serviceId, identifiers }) => serviceId === object.serviceId && identifiers.includes(object.identifier),
  );
  if (approvals.length === 0) return null;
  return (
    <section className="section" tabIndex={-1} aria-label={approvalTexts.details.title}>
      <h3 className="section__head">{approvalTexts.details.title}</h3>
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
    </section>
  );
}

const texts = approvalTexts.settings;
const maxNamed = 5;

/** Programs with an approval, each with a button to end it. */
export function ProgramsSection({ search }: { search: string }) {
  const end = useEndApproval();
  const { services } = useServices();
  const approvals = useApprovals();
  const nowMs = useNow(null);
  const { words } = texts;
  const each = approvals.map((approval) => ({
    name: holderText(approval, nowMs),
    hint: hintOf(approval, services.find(({ id }) => id === approval.serviceId)?.name ?? ''),
    words,
    control: (
      <Button
        kind="line"
        aria-label={texts.endOf({ holder: holderText(approval, nowMs) })}
        onPress={({ target }) => end(approval.id, target)}
      >
        {texts.end}
      </Button>
    ),
  }));
  const all = {
    name: texts.all,
    words,
    control: (
      <Button kind="line" onPress={({ target }) => end('all', target)}>
        {texts.endAll}
      </Button>
    ),
  };
  const none = { name: texts.none, hint: texts.noneHint, words, control: null };
  const settings = each.length === 0 ? [none] : each.length === 1 ? each : [...each, all];
  return <Section title={texts.title} search={search} settings={settings} />;
}

function hintOf({ identifiers, endsAtMs }: Approval, service: string): string {
  const named = identifiers.slice(0, maxNamed).map(legible);
  const list = formatList([...named, identifiers.length > maxNamed && '…']);
  const of = texts.of({ count: identifiers.length, service, identifiers: list });
  return `${of} ${texts.ends({ when: formatTime(endsAtMs) })}`;
}
