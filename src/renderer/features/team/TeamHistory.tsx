import { useEffect, useState } from 'react';
import type { ObjectRow } from '../../../shared/contract.ts';
import type { TeamHistoryEntry } from '../../../shared/domain/team.ts';
import type { AppError } from '../../../shared/errors.ts';
import { errorText } from '../../../shared/i18n/error-text.ts';
import { formatIso, formatList, formatMoment, formatSize } from '../../../shared/i18n/format.ts';
import { isolate } from '../../../shared/i18n/messages.ts';
import { useClient } from '../../app/client.ts';
import { asAppError } from '../../app/remote-store.ts';
import type { TeamKnown } from './teams.ts';
import { commonTexts } from '../../i18n/common-texts.ts';
import { teamTexts } from './team-texts.ts';
import { announce } from '../../ui/announce.tsx';
import { Button } from '../../ui/Button.tsx';
import { ErrorNote } from '../../ui/ErrorNote.tsx';

const texts = teamTexts.history;

type Props = { object: ObjectRow; team: TeamKnown; nowMs: number };

/** What the team did with an object. Loaded from the team's server when opened: the local list has no history of others. */
export function TeamHistory({ object, team, nowMs }: Props) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button
        kind="link"
        size="small"
        className="team-history__open"
        aria-expanded={isOpen}
        onPress={() => setOpen(!isOpen)}
      >
        {isOpen ? texts.close : texts.open}
      </Button>
      {isOpen && <Entries object={object} team={team} nowMs={nowMs} />}
    </>
  );
}

type Asked = { entries: readonly TeamHistoryEntry[] } | { error: AppError };

function Entries({ object, team, nowMs }: Props) {
  const client = useClient();
  const { serviceId, kind, identifier } = object;
  const [asked, setAsked] = useState<Asked | null>(null);
  const [turn, setTurn] = useState(0);
  // Reload when the row changes, which means that a colleague did something.
  const { state, storedAtMs, checkedAtMs, storedBy, seenBy, note, classification } = object;
  const row = JSON.stringify([state, storedAtMs, checkedAtMs, storedBy, seenBy, note, classification]);
  useEffect(() => {
    let isCurrent = true;
    client.call('team.history', { serviceId, kind, identifier }).then(
      (answer) => isCurrent && setAsked(answer),
      (cause: unknown) => {
        if (!isCurrent) return;
        const error = asAppError(cause);
        setAsked({ error });
        announce(errorText(error).title, 'assertive', { isOnScreen: true });
      },
    );
    return () => {
      isCurrent = false;
    };
  }, [client, serviceId, kind, identifier, row, turn]);

  if (asked === null) return <output className="team-history__say">{texts.asking}</output>;
  if ('error' in asked) {
    return (
      <ErrorNote
        {...errorText(asked.error)}
        button={
          <Button
            kind="line"
            size="small"
            onPress={() => {
              setAsked(null);
              setTurn(turn + 1);
            }}
          >
            {commonTexts.tryAgain}
          </Button>
        }
      />
    );
  }
  const { entries } = asked;
  return (
    <>
      <p className="team-history__say">{entries.length === 0 ? texts.none : texts.clock}</p>
      <ol className="history" aria-label={texts.title}>
        {entries.map((entry, at) => (
          // Entries have no ids, and are only ever added at the start.
          <Entry key={entries.length - at} entry={entry} team={team} nowMs={nowMs} />
        ))}
      </ol>
    </>
  );
}

function Entry({ entry, team, nowMs }: { entry: TeamHistoryEntry; team: TeamKnown; nowMs: number }) {
  const { atMs, person, action, bytes, now } = entry;
  const name = nameOf(team, person) ?? commonTexts.notKnown;
  const isNote = action === 'noteChanged' || action === 'noteKeptApart';
  const words = action === 'noteKeptApart' ? now : entry.before;
  return (
    <li>
      <time dateTime={formatIso(atMs)}>{formatMoment(atMs, nowMs)}</time>
      <div className="team-history__entry">
        <bdi className="team-history__who">{name}</bdi>
        <p>{actionText(entry)}</p>
        {bytes !== null && <p>{bytesText(entry, bytes, team, nowMs)}</p>}
        {isNote && words !== null && words !== '' && (
          <p className="team-history__words selectable" dir="auto">
            {words}
          </p>
        )}
      </div>
    </li>
  );
}

function nameOf({ status, people }: TeamKnown, person: number | null): string | null {
  if (person === status.me) return commonTexts.you;
  return people.find(({ id }) => id === person)?.shown ?? null;
}

function actionText({ action, bytes, before, now }: TeamHistoryEntry): string {
  const named = (classification: string | null) => classification ?? commonTexts.serviceDefault;
  if (action === 'stored') return bytes === null ? texts.stored : texts.storedAnew;
  if (action === 'classificationChanged')
    return texts.classificationChanged({ from: named(before), to: named(now) });
  if (action === 'classificationKeptApart') return texts.classificationKeptApart({ to: named(now) });
  if (action !== 'noteChanged') return texts[action];
  if (before === '') return texts.noteAdded;
  return now === '' ? texts.noteRemoved : texts.noteChanged;
}

/** The bytes that were replaced, or that were stored earlier. */
function bytesText(
  { action }: TeamHistoryEntry,
  { lengthBytes, classification, storedAtMs, storedBy }: NonNullable<TeamHistoryEntry['bytes']>,
  team: TeamKnown,
  nowMs: number,
): string {
  const by = nameOf(team, storedBy);
  const time = storedAtMs === null ? null : formatMoment(storedAtMs, nowMs);
  const facts = formatList([
    lengthBytes !== null && formatSize(lengthBytes),
    classification !== null && isolate(classification),
    time !== null && texts.storedAt({ time }),
    by !== null && isolate(by),
  ]);
  if (facts === '') return texts.beforeUnknown;
  return action === 'storedBefore' ? facts : texts.before({ facts });
}
