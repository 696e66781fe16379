import { useState } from 'react';
import { isJobFinished, type JobGroup } from '../../../shared/domain/job.ts';
import { useClient } from '../../app/client.ts';
import { sayFailure } from '../../app/say-failure.ts';
import { useProfiles } from '../../app/stores.ts';
import { useNow } from '../../app/use-now.ts';
import { Button } from '../../ui/Button.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { SearchField } from '../../ui/Field.tsx';
import { GroupedList, GroupHead } from '../../app/dock-list/GroupedList.tsx';
import type { ListShape, PlacedGroup } from '../../app/dock-list/list-layout.ts';
import { JobEntry } from './JobEntry.tsx';
import { groupWord } from './job-text.ts';
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
  const all = Object.values(page?.summary.counts ?? {}).reduce((sum, count) => sum + count, 0);
  return (
    <div className="jobs">
      {(all >= filterFrom || typed !== '') && (
        <div className="jobs__filter">
          <SearchField label="Filter jobs" value={typed} onChange={setTyped} maxLength={filterMax} />
        </div>
      )}
      <GroupedList
        label="Jobs"
        shape={shape}
        counts={page?.counts}
        page={page}
        onShow={show}
        error={error}
        onRetry={retry}
        head={(placed, groups) => (
          <Head
            key={placed.group}
            placed={placed}
            isFirstOpen={groups.find(({ group }) => group === 'running' || group === 'waiting') === placed}
            isFiltered={filter !== ''}
          />
        )}
        entry={(job, place, group) => (
          <JobEntry
            key={job.id}
            job={job}
            group={group}
            separator={profiles.find(({ id }) => id === job.profileId)?.separator ?? '/'}
            nowMs={isJobFinished(job.state) ? 0 : nowMs}
            {...place}
          />
        )}
        empty={<Empty isFiltered={filter !== ''} onClear={() => setTyped('')} />}
      />
    </div>
  );
}

function Empty({ isFiltered, onClear }: { isFiltered: boolean; onClear: () => void }) {
  if (!isFiltered)
    return (
      <EmptyState
        icon="deferred"
        title="No deferred requests"
        text="Choose Deferred when you upload, or Download deferred on a selection. Coffer follows each here until its result is safe."
      />
    );
  return (
    <EmptyState
      icon="search"
      title="No job is called so"
      text="The filter looks at identifiers."
      buttons={
        <Button kind="line" onPress={onClear}>
          Clear the filter
        </Button>
      }
    />
  );
}

/** What can be done with all of a group; it would be done with more than is seen while the list is filtered. */
function Head(props: { placed: PlacedGroup<JobGroup>; isFirstOpen: boolean; isFiltered: boolean }) {
  const { placed, isFirstOpen, isFiltered } = props;
  const client = useClient();
  const { group, count, top } = placed;
  const isBad = group === 'closing' || group === 'needsYou';
  return (
    <GroupHead title={groupWord[group]} count={count} top={top} isBad={isBad}>
      {!isFiltered && (
        <>
          {group === 'needsYou' && count > 1 && (
            <Button kind="link" onPress={() => sayFailure(client.call('jobs.startAgain', { which: 'all' }))}>
              Start all again
            </Button>
          )}
          {isFirstOpen && (
            <Button kind="link" onPress={() => sayFailure(client.call('jobs.cancel', { which: 'all' }))}>
              Cancel all
            </Button>
          )}
          {(group === 'needsYou' || group === 'done') && (
            <Button
              kind="link"
              aria-label={`Clear ${group === 'done' ? 'done' : 'failed'}`}
              onPress={() => sayFailure(client.call('jobs.clear', { group }))}
            >
              Clear
            </Button>
          )}
        </>
      )}
    </GroupHead>
  );
}
