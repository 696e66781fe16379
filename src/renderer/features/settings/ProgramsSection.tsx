import type { Approval } from '../../../shared/domain/approval.ts';
import { legible } from '../../../shared/domain/legible.ts';
import { formatList, formatTime } from '../../../shared/i18n/format.ts';
import { useServices } from '../../app/stores.ts';
import { useNow } from '../../app/use-now.ts';
import { approvalTexts } from '../../i18n/approval-texts.ts';
import { Button } from '../../ui/Button.tsx';
import { Section } from './Section.tsx';
import { holderText } from '../../app/approvals/approval-words.ts';
import { useApprovals, useEndApproval } from '../../app/approvals/use-approvals.ts';

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
