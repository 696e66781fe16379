import { useEffect, useState } from 'react';
import type { ObjectRow } from '../../../shared/contract.ts';
import { isUnverified } from '../../../shared/domain/unverified.ts';
import type { NoteConflict } from '../../../shared/domain/team.ts';
import { errorLine } from '../../../shared/i18n/error-text.ts';
import { formatMoment } from '../../../shared/i18n/format.ts';
import { useClient } from '../../app/client.ts';
import { useAct } from '../../app/use-act.ts';
import { commonTexts } from '../../i18n/common-texts.ts';
import { teamTexts } from './team-texts.ts';
import { AnswerButton } from '../../ui/AnswerButton.tsx';
import { keepFocus } from '../../ui/focus.ts';
import { Field } from '../objects/details/Field.tsx';
import { TeamHistory } from './TeamHistory.tsx';
import { useTeam } from './teams.ts';

const texts = teamTexts.details;

type Props = { object: ObjectRow; nowMs: number };

/** Who stored an object, who saw it last, and whether this person checked it. Renders nothing without a team. */
export function TeamFields({ object, nowMs }: Props) {
  const team = useTeam(object.serviceId);
  if (team === null) return null;
  const { state, storedBy, isOwnStored, isShared, seenBy, storedAtMs, checkedAtMs } = object;
  const isUnseen = isUnverified(object, 'presence');
  const storer = storedBy ?? (isOwnStored === true ? commonTexts.you : null);
  const seer = seenBy ?? (isUnseen || checkedAtMs === null ? null : commonTexts.you);
  const moment = (atMs: number | null) => atMs !== null && <time>{formatMoment(atMs, nowMs)}</time>;
  const seen = state === 'gone' || state === 'missing' ? texts[state] : texts.seen;
  return (
    <section className="section" aria-label={texts.title}>
      <h3 className="section__head">{texts.title}</h3>
      <dl className="fields figures">
        <Field name={texts.stored}>
          <Who name={storer} />
          {storer !== null && moment(storedAtMs)}
        </Field>
        <Field name={seen}>
          <Who name={seer} />
          {seer !== null && moment(checkedAtMs)}
        </Field>
        <Field name={texts.list}>{isShared === true ? texts.shared : texts.private}</Field>
      </dl>
      {team.status.noteConflicts > 0 && <Apart key={object.id} object={object} />}
      {isShared === true && (
        <TeamHistory key={`history of ${object.id}`} object={object} team={team} nowMs={nowMs} />
      )}
    </section>
  );
}

function Who({ name }: { name: string | null }) {
  return name === null ? (
    <span className="fields__dim">{commonTexts.notKnown}</span>
  ) : (
    <bdi className="team-fields__who">{name}</bdi>
  );
}

/** This person's notes that were set aside, because a colleague changed the note first. */
function Apart({ object: { id, serviceId } }: { object: ObjectRow }) {
  const client = useClient();
  const act = useAct();
  const [entries, setEntries] = useState<readonly NoteConflict[]>([]);
  useEffect(() => {
    let isCurrent = true;
    const load = () => {
      client.call('team.noteConflicts', { serviceId }).then(
        (answer) => isCurrent && setEntries(answer.entries.filter(({ objectId }) => objectId === id)),
        // Retried after the next change.
        () => undefined,
      );
    };
    load();
    const stop = client.on('team.changed', load);
    return () => {
      isCurrent = false;
      stop();
    };
  }, [client, serviceId, id]);
  const settle = (noteConflictId: number, use: 'mine' | 'theirs') =>
    void act.run(async () => {
      await client.call('team.resolve', { serviceId, noteConflictId, use });
      setEntries((before) => before.filter((entry) => entry.id !== noteConflictId));
    });
  // One note takes the place of another when that is settled.
  const question = entries.map((entry) => entry.id).join();
  // The buttons unmount with the note that they settle.
  useEffect(keepFocus, [entries.length]);
  return entries.map(({ id: entryId, mine }) => (
    <section key={entryId} className="team-apart" aria-label={teamTexts.apart.title}>
      <h4 className="team-apart__head">{teamTexts.apart.title}</h4>
      <p>{teamTexts.apart.note}</p>
      <p className="team-apart__mine selectable" dir="auto">
        {mine}
      </p>
      <div className="team-apart__acts">
        <AnswerButton
          question={question}
          kind="line"
          size="small"
          isPending={act.isRunning}
          onPress={() => settle(entryId, 'mine')}
        >
          {teamTexts.apart.mine}
        </AnswerButton>
        <AnswerButton
          question={question}
          size="small"
          isPending={act.isRunning}
          onPress={() => settle(entryId, 'theirs')}
        >
          {teamTexts.apart.theirs}
        </AnswerButton>
      </div>
      {act.error !== null && <p role="alert">{errorLine(act.error)}</p>}
    </section>
  ));
}
