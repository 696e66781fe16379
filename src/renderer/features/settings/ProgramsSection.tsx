import type { Approval } from '../../../shared/domain/approval.ts';
import { formatList, formatTime } from '../../../shared/i18n/format.ts';
import { useClient } from '../../app/client.ts';
import { sayFailure } from '../../app/say-failure.ts';
import { useProfiles } from '../../app/stores.ts';
import { useNow } from '../../app/use-now.ts';
import { approvalTexts } from '../../i18n/approval-texts.ts';
import { announce } from '../../ui/announce.tsx';
import { Button } from '../../ui/Button.tsx';
import { Section } from './Section.tsx';
import { holderText, legible } from '../../app/approvals/approval-words.ts';
import { useApprovals } from '../../app/approvals/use-approvals.ts';

const texts = approvalTexts.settings;
const mostNamed = 5;

/** The programs that get secrets without a question, and an end for each. */
export function ProgramsSection({ search }: { search: string }) {
  const client = useClient();
  const { profiles } = useProfiles();
  const approvals = useApprovals();
  const nowMs = useNow(null);
  const end = (which: string) =>
    sayFailure(client.call('approvals.end', { which }).then(() => announce(texts.ended)));
  const { words } = texts;
  const each = approvals.map((approval) => ({
    name: holderText(approval, nowMs),
    hint: hintOf(approval, profiles.find(({ id }) => id === approval.profileId)?.name ?? ''),
    words,
    control: (
      <Button
        kind="line"
        aria-label={texts.endOf({ holder: holderText(approval, nowMs) })}
        onPress={() => end(approval.id)}
      >
        {texts.end}
      </Button>
    ),
  }));
  const all = {
    name: texts.all,
    words,
    control: (
      <Button kind="line" onPress={() => end('all')}>
        {texts.endAll}
      </Button>
    ),
  };
  const none = { name: texts.none, hint: texts.noneHint, words, control: null };
  const settings = each.length === 0 ? [none] : each.length === 1 ? each : [...each, all];
  return <Section title={texts.title} search={search} settings={settings} />;
}

function hintOf({ identifiers, endsAtMs }: Approval, service: string): string {
  const named = identifiers.slice(0, mostNamed).map(legible);
  const list = formatList([...named, identifiers.length > mostNamed && '…']);
  const of = texts.of({ count: identifiers.length, service, identifiers: list });
  return `${of} ${texts.ends({ when: formatTime(endsAtMs) })}`;
}
