import { useCallback, useMemo } from 'react';
import { transferTexts as texts } from '../../i18n/transfer-texts.ts';
import type { Transfer, TransferGroup } from '../../../shared/domain/transfer.ts';
import { useClient } from '../../app/client.ts';
import type { CauseRows } from '../../app/dock-list/CauseEntry.tsx';
import { DockList } from '../../app/dock-list/DockList.tsx';
import { createEntryCommands } from '../../app/dock-list/entry-acts.ts';
import type { EntryPlace } from '../../app/dock-list/Entry.tsx';
import type { ListShape } from '../../app/dock-list/list-layout.ts';
import { useHeld } from '../../app/dock-list/use-held.ts';
import { useProfiles } from '../../app/stores.ts';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { TransferEntry, transferFacts } from './TransferEntry.tsx';
import { useTransferWindow } from './use-transfers.ts';

const shape: ListShape<TransferGroup> = [
  ['needsYou', 124],
  ['moving', 58],
  ['waiting', 46],
  ['done', 46],
];

const openGroups: readonly TransferGroup[] = ['moving', 'waiting'];

/** The list of direct transfers, what needs the person first. */
export function TransfersTab() {
  const client = useClient();
  const { page, error, show, retry } = useTransferWindow();
  const { profiles } = useProfiles();
  const isHeld = useHeld();
  const entry = (transfer: Transfer, place: EntryPlace) => (
    <TransferEntry
      key={transfer.id}
      transfer={transfer}
      separator={profiles.find(({ id }) => id === transfer.profileId)?.separator ?? '/'}
      isHeld={isHeld(transfer.profileId)}
      {...place}
    />
  );
  const finder = useMemo<Omit<CauseRows<Transfer>, 'entry'>>(
    () => ({
      ask: async (cause, limit) => (await client.call('transfers.page', { offset: 0, limit, cause })).rows,
      subscribe: (changed) => client.on('transfers.changed', changed),
    }),
    [client],
  );
  const askRows = async (offset: number, limit: number) =>
    (await client.call('transfers.page', { offset, limit })).rows;
  const askFacts = useCallback(
    async (ids: number[]) =>
      (await client.call('transfers.picked', { ids })).rows.map((row) =>
        transferFacts(row, isHeld(row.profileId)),
      ),
    [client, isHeld],
  );
  const commands = useMemo(
    () =>
      createEntryCommands(client, {
        cancel: (which) => client.call('transfers.cancel', { which }),
        tryAgain: (which) => client.call('transfers.retry', { which }),
      }),
    [client],
  );
  return (
    <DockList
      list="transfers"
      label={texts.label}
      shape={shape}
      counts={page?.counts}
      causes={page?.summary.causes}
      verifying={page?.summary.verifying ?? 0}
      page={page}
      onShow={show}
      error={error}
      onRetry={retry}
      empty={<EmptyState icon="moves" title={texts.none} text={texts.noneText} />}
      titles={texts.group}
      openGroups={openGroups}
      open={page?.summary.counts}
      failed={{
        count: page?.summary.failed ?? 0,
        retryLabel: texts.retryAll,
        retry: () => client.call('transfers.retry', { which: 'all' }),
      }}
      onCancelAll={() => client.call('transfers.cancel', { which: 'all' })}
      onClear={(group) => client.call('transfers.clear', { group })}
      entry={entry}
      askRows={askRows}
      askFacts={askFacts}
      commands={commands}
      causeRows={{ ...finder, entry }}
    />
  );
}
