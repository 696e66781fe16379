import { memo } from 'react';
import { useLanguage } from '../../app/use-language.ts';
import { commonTexts } from '../../i18n/common-texts.ts';
import { jobTexts as texts } from '../../i18n/job-texts.ts';
import type { Output } from '../../../shared/contract.ts';
import { isJobFinished, type Job, type JobGroup } from '../../../shared/domain/job.ts';
import { useClient, type Client } from '../../app/client.ts';
import { showFailure, type Failure } from '../../app/dock-list/failure-store.ts';
import { remediesOf } from '../../app/dock-list/remedies.ts';
import { useFailureActs } from '../../app/dock-list/use-remedies.ts';
import { Entry, type EntryPlace, type SmallAct } from '../../app/dock-list/Entry.tsx';
import type { EntryFacts } from '../../app/dock-list/entry-acts.ts';
import { PriorityMark } from '../../app/dock-list/PriorityMark.tsx';
import { askQuestion } from '../../app/question-store.ts';
import { openAct } from '../../app/dock-list/open-act.ts';
import { openFile } from '../../app/open-file.ts';
import { sayFailure } from '../../app/say-failure.ts';
import { undoReplace } from '../../app/undo-replace.ts';
import { useWithProgress } from '../../app/use-progress.ts';
import { dockTexts } from '../../i18n/dock-texts.ts';
import { failureFacts } from '../../i18n/ending-text.ts';
import { replaceTexts } from '../../i18n/replace-texts.ts';
import { formatDuration, formatPercent, formatTime } from '../../../shared/i18n/format.ts';
import { announce } from '../../ui/announce.tsx';
import { Button } from '../../ui/Button.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { Bar, Ring } from '../../ui/Progress.tsx';
import { jobRing } from './job-ring.ts';
import {
  closingFacts,
  closingNote,
  isHeldUp,
  jobFacts,
  jobLine,
  jobName,
  needNote,
  type Note,
} from './job-text.ts';

type PickedJob = Output<'jobs.picked'>['rows'][number];
type EntryProps = EntryPlace & {
  job: Job;
  group: JobGroup;
  separator: string;
  nowMs: number;
  isHeld: boolean;
};

/** The ring of its window, identifier, one line that begins with the state word, and what supports it. */
export const JobEntry = memo(function JobEntry(props: EntryProps) {
  useLanguage();
  const { job: listed, group, separator, nowMs, isHeld, ...place } = props;
  const job = useWithProgress(listed);
  const client = useClient();
  const { state, waitingFor, priority } = job;
  const isMoving = state === 'fetching' || (state === 'sending' && job.direction === 'upload');
  const fraction = job.totalBytes === null || job.totalBytes === 0 ? null : job.doneBytes / job.totalBytes;
  const line = jobLine(job, nowMs, { place: place.order, isHeld });
  const isOpen = group === 'running' || group === 'waiting';
  const isQueued = state === 'waiting' && waitingFor !== 'answer';
  const isStopped = isHeldUp(job);
  const failure = failureOf(job);
  const { remedy, own } = useFailureActs(failure);
  const cancel = () => sayFailure(client.call('jobs.cancel', { which: [job.id] }));
  return (
    <Entry
      place={isStopped ? { ...place, order: null } : place}
      name={jobName(job)}
      facts={jobEntryFacts(job, isHeld)}
      separator={separator}
      className={`job job--${group}`}
      mark={<JobClock job={job} nowMs={nowMs} />}
      right={
        <>
          {group === 'done' && job.finishedAtMs !== null && formatTime(job.finishedAtMs)}
          {isMoving && fraction !== null && formatPercent(fraction)}
          {isQueued && <PriorityMark priority={priority} />}
        </>
      }
      small={[
        ...(failure === null
          ? []
          : [
              {
                icon: 'text' as const,
                label: dockTexts.failure.whole,
                isMain: true,
                run: () => showFailure(failure),
              },
            ]),
        ...smallActions(client, job, cancel),
      ]}
      own={own}
    >
      {group === 'closing' && (
        <Alert
          note={closingNote(job, nowMs)}
          facts={closingFacts(job)}
          {...(canCheck(job) && { button: texts.checkNow, onPress: () => checkNow(client, job) })}
        />
      )}
      {group === 'needsYou' && (
        <Alert
          note={needNote(job)}
          facts={failureFacts(job)}
          {...(remedy === null ? needButton(client, job) : { button: remedy.label, onPress: remedy.run })}
        />
      )}
      {isMoving && isOpen && <Bar fraction={fraction} />}
      {(isOpen || group === 'done') && (
        <p className="transfer__meta figures">
          <span className="transfer__say" title={line}>
            {line}
          </span>
          {isOpen && canCheck(job) && (
            <Button kind="link" onPress={() => checkNow(client, job)}>
              {texts.checkNow}
            </Button>
          )}
          {(isQueued || isStopped) && (waitingFor === 'retry' || waitingFor === 'network') && (
            <Button
              kind="link"
              onPress={() => sayFailure(client.call('transfers.retry', { which: [job.id] }))}
            >
              {commonTexts.tryNow}
            </Button>
          )}
          {isOpen && isMoving && (
            <span>{texts.soFar({ duration: formatDuration(nowMs - job.createdAtMs) })}</span>
          )}
        </p>
      )}
      {isOpen && !isMoving && <p className="job__facts figures">{jobFacts(job, nowMs)}</p>}
    </Entry>
  );
});

/** What helps most: an answer, or another start. */
function needButton(client: Client, job: Job): { button: string; onPress: () => void } | null {
  if (job.state === 'waiting' && job.waitingFor === 'answer')
    return { button: texts.answer, onPress: () => askQuestion(job.id) };
  return canStartAgain(job) ? { button: texts.startAgain, onPress: () => startAgain(client, job) } : null;
}

/** What can be done about one that failed; null: it has not, or only its result is lost, or its value is kept nowhere. */
function failureOf(job: Job): Failure | null {
  const { id, identifier, state, kind, direction, profileId, error } = job;
  if (state !== 'failed' || kind !== 'data' || error === null) return null;
  return {
    list: 'jobs',
    profileId,
    name: identifier,
    direction,
    which: [id],
    error,
    facts: failureFacts(job),
    remedies: remediesOf(error.code, direction),
  };
}

function JobClock({ job, nowMs }: { job: Job; nowMs: number }) {
  const { left, tone, inside } = jobRing(job, nowMs);
  return (
    <span className={`job__ring job__ring--${tone}`} title={'words' in inside ? inside.words : undefined}>
      {'text' in inside ? (
        <>
          <Ring left={left} tone={tone}>
            {inside.text}
          </Ring>
          <span className="visually-hidden">{inside.words}</span>
        </>
      ) : (
        <>
          <Ring left={left} tone={tone} />
          <Icon name={inside.icon} />
        </>
      )}
    </span>
  );
}

/** A window that closes, or what needs the person: words, facts and the one button that helps most. */
function Alert(props: { note: Note; facts: string; button?: string; onPress?: () => void }) {
  const { note, facts, button, onPress } = props;
  return (
    <>
      <p className="transfer__note figures" title={`${note.strong} ${note.text}`}>
        <b>{note.strong}</b> {note.text}
      </p>
      <div className="transfer__foot">
        <span className="transfer__facts figures selectable" title={facts}>
          {facts}
        </span>
        {button !== undefined && onPress !== undefined && (
          <Button kind="line" size="small" onPress={onPress}>
            {button}
          </Button>
        )}
      </div>
    </>
  );
}

/** Something of it can be asked at the service now. */
function canCheck({ state }: Job): boolean {
  return state === 'processing' || state === 'completed';
}

/** What decides what can be done with it. */
export function jobEntryFacts(job: PickedJob, isHeld: boolean): EntryFacts {
  const { id, identifier, state, waitingFor, priority } = job;
  return {
    id,
    identifier,
    isFinished: isJobFinished(state),
    isWaiting: state === 'waiting',
    waitingFor,
    priority,
    isHeld,
    canTryAgain: canStartAgain(job) && state !== 'done',
  };
}

/** A secret's value is kept nowhere, and nobody waits any more for one that was to be read. */
function canStartAgain({ kind, state }: PickedJob): boolean {
  return kind === 'data' && isJobFinished(state);
}

function checkNow(client: Client, { id }: Job): void {
  sayFailure(client.call('jobs.checkNow', { which: [id] }));
}

function startAgain(client: Client, { id }: Job): void {
  sayFailure(client.call('jobs.startAgain', { which: [id] }));
}

/** Shown on hover and focus without moving anything. */
function smallActions(client: Client, job: Job, cancel: () => void): SmallAct[] {
  const { id, state, outcome, activityToken } = job;
  const acts: SmallAct[] = [];
  if (outcome?.kind === 'saved')
    acts.push(...openAct(outcome.fileName, () => openFile(client, id)), {
      icon: 'folder',
      label: commonTexts.showInFolder,
      run: () => sayFailure(client.call('jobs.showInFolder', { id })),
    });
  const undoable = outcome?.kind === 'stored' ? outcome.replaced?.kept : null;
  if (undoable != null)
    acts.push({ icon: 'undo', label: replaceTexts.undo, run: () => undoReplace(client, undoable) });
  if (activityToken !== null) acts.push({ icon: 'copy', label: texts.copyToken, run: copyToken });
  if (state === 'cancelled' && canStartAgain(job))
    acts.push({ icon: 'refresh', label: texts.startAgain, run: () => startAgain(client, job) });
  if (!isJobFinished(state)) acts.push({ icon: 'x', label: commonTexts.cancel, run: cancel });
  return acts;

  function copyToken(): void {
    const copied = client.call('jobs.copyActivityToken', { id });
    sayFailure(copied.then(() => announce(texts.copiedToken)));
  }
}
