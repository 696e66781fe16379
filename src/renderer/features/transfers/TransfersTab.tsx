import type { TransferGroup } from '../../../shared/domain/transfer.ts';
import { useClient } from '../../app/client.ts';
import { sayFailure } from '../../app/say-failure.ts';
import { useProfiles } from '../../app/stores.ts';
import { Button } from '../../ui/Button.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { GroupedList, GroupHead } from '../../app/dock-list/GroupedList.tsx';
import type { ListShape, PlacedGroup } from '../../app/dock-list/list-layout.ts';
import { TransferEntry } from './TransferEntry.tsx';
import { groupWord } from './transfer-text.ts';
import { useTransferWindow } from './use-transfers.ts';

const shape: ListShape<TransferGroup> = [
  ['needsYou', 124],
  ['moving', 58],
  ['waiting', 46],
  ['done', 46],
];

/** The list of transfers, what needs the person first. */
export function TransfersTab() {
  const { page, error, show, retry } = useTransferWindow();
  const { profiles } = useProfiles();
  return (
    <GroupedList
      label="Transfers"
      shape={shape}
      counts={page?.summary.counts}
      page={page}
      onShow={show}
      head={(placed, groups) => (
        <Head
          key={placed.group}
          placed={placed}
          isFirstOpen={groups.find(({ group }) => group === 'moving' || group === 'waiting') === placed}
          failed={page?.summary.failed ?? 0}
        />
      )}
      entry={(transfer, place) => (
        <TransferEntry
          key={transfer.id}
          transfer={transfer}
          separator={profiles.find(({ id }) => id === transfer.profileId)?.separator ?? '/'}
          {...place}
        />
      )}
      error={error}
      onRetry={retry}
      empty={<EmptyState icon="moves" title="Nothing is moving" text="Uploads and downloads appear here." />}
    />
  );
}

function Head({
  placed,
  isFirstOpen,
  failed,
}: {
  placed: PlacedGroup<TransferGroup>;
  isFirstOpen: boolean;
  failed: number;
}) {
  const client = useClient();
  const { group, count, top } = placed;
  const canClear = group === 'done' || (group === 'needsYou' && failed > 0);
  return (
    <GroupHead title={groupWord[group]} count={count} top={top} isBad={group === 'needsYou'}>
      {group === 'needsYou' && failed > 1 && (
        <Button kind="link" onPress={() => sayFailure(client.call('transfers.retry', { which: 'all' }))}>
          Try all again
        </Button>
      )}
      {isFirstOpen && (
        <Button kind="link" onPress={() => sayFailure(client.call('transfers.cancel', { which: 'all' }))}>
          Cancel all
        </Button>
      )}
      {canClear && (
        <Button
          kind="link"
          aria-label={`Clear ${group === 'done' ? 'done' : 'failed'}`}
          onPress={() => sayFailure(client.call('transfers.clear', { group }))}
        >
          Clear
        </Button>
      )}
    </GroupHead>
  );
}
