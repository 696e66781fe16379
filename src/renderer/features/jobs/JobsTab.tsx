import { useCallback, useMemo, useState } from 'react';
import { jobTexts as texts } from '../../i18n/job-texts.ts';
import { isJobFinished, type Job, type JobGroup } from '../../../shared/domain/job.ts';
import { useClient } from '../../app/client.ts';
import type { CauseRows } from '../../app/dock-list/CauseEntry.tsx';
import { DockList } from '../../app/dock-list/DockList.tsx';
import { createEntryCommands } from '../../app/dock-list/entry-acts.ts';
import type { EntryPlace } from '../../app/dock-list/Entry.tsx';
import type { ListShape } from '../../app/dock-list/list-layout.ts';
import { useHeld } from '../../app/dock-list/use-held.ts';
import { useProfiles } from '../../app/stores.ts';
import { useNow } from '../../app/use-now.ts';
import { Button } from '../../ui/Button.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { SearchField } from '../../ui/Field.tsx';
import { JobEntry, jobEntryFacts } from './JobEntry.tsx';
import { useJobWindow } from './use-jobs.ts';
import './jobs.css';

const shape: ListShape<JobGroup> = [
  ['closing', 120],
  ['needsYou', 126],
  ['running', 62],
  ['waiting', 62],
  ['done', 48],
];
/** A list this long is worth a filter. */
const filterFrom = 6;
const filterMax = 200;

/** The list of deferred requests, the window that closes first. One clock turns all rings. */
export function JobsTab() {
  const [typed, setTyped] = useState('');
  const filter = typed.trim();
  const { page, error, show, retry } = useJobWindow(filter);
  const { profiles } = useProfiles();
  const isCounting = page?.rows.some(({ state }) => !isJobFinished(state)) ?? false;
  const nowMs = useNow(isCounting ? 1000 : null);
  const client = useClient();
  const isHeld = useHeld();
  const entry = (job: Job, place: EntryPlace, group: JobGroup) => (
    <JobEntry
      key={job.id}
      job={job}
      group={group}
      separator={profiles.find(({ id }) => id === job.profileId)?.separator ?? '/'}
      nowMs={isJobFinished(job.state) ? 0 : nowMs}
      isHeld={isHeld(job.profileId)}
      {...place}
    />
  );
  const finder = useMemo<Omit<CauseRows<Job>, 'entry'>>(
    () => ({
      ask: async (cause, limit) =>
        (await client.call('jobs.page', { offset: 0, limit, filter: '', cause })).rows,
      subscribe: (changed) => client.on('jobs.changed', changed),
    }),
    [client],
  );
  const askRows = async (offset: number, limit: number) =>
    (await client.call('jobs.page', { offset, limit, filter })).rows;
  const askFacts = useCallback(
    async (ids: number[]) =>
      (await client.call('jobs.picked', { ids })).rows.map((row) =>
        jobEntryFacts(row, isHeld(row.profileId)),
      ),
    [client, isHeld],
  );
  const commands = useMemo(
    () =>
      createEntryCommands(client, {
        cancel: (which) => client.call('jobs.cancel', { which }),
        tryAgain: (which) => client.call('jobs.startAgain', { which }),
      }),
    [client],
  );
  const all = Object.values(page?.summary.counts ?? {}).reduce((sum, count) => sum + count, 0);
  return (
    <div className="jobs">
      {(all >= filterFrom || typed !== '') && (
        <div className="jobs__filter">
          <SearchField label={texts.filter} value={typed} onChange={setTyped} maxLength={filterMax} />
        </div>
      )}
      <DockList
        list="jobs"
        label={texts.label}
        shape={shape}
        counts={page?.counts}
        causes={filter === '' ? page?.summary.causes : undefined}
        page={page}
        onShow={show}
        error={error}
        onRetry={retry}
        empty={<Empty isFiltered={filter !== ''} onClear={() => setTyped('')} />}
        titles={texts.group}
        openGroups={openGroups}
        open={page?.summary.counts}
        query={filter}
        failed={{
          count: (page?.summary.failed ?? 0) + (page?.summary.lost ?? 0),
          retryLabel: texts.startAll,
          retry: () => client.call('jobs.startAgain', { which: 'all' }),
        }}
        onCancelAll={() => client.call('jobs.cancel', { which: 'all' })}
        onClear={(group) => client.call('jobs.clear', { group })}
        entry={entry}
        askRows={askRows}
        askFacts={askFacts}
        commands={commands}
        causeRows={{ ...finder, entry: (job, place) => entry(job, place, groupInCause(job)) }}
      />
    </div>
  );
}

const openGroups: readonly JobGroup[] = ['closing', 'running', 'waiting'];

/** Of what a cause holds up: it failed, or it waits. */
function groupInCause({ state }: Job): JobGroup {
  return isJobFinished(state) ? 'needsYou' : 'waiting';
}

function Empty({ isFiltered, onClear }: { isFiltered: boolean; onClear: () => void }) {
  if (!isFiltered) return <EmptyState icon="deferred" title={texts.none} text={texts.noneText} />;
  return (
    <EmptyState
      icon="search"
      title={texts.noMatch}
      text={texts.noMatchText}
      buttons={
        <Button kind="line" onPress={onClear}>
          {texts.clearFilter}
        </Button>
      }
    />
  );
}
