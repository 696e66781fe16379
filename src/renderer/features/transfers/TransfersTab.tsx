import { useEffect, useRef } from 'react';
import type { TransferSummary } from '../../../shared/domain/transfer.ts';
import { useClient } from '../../app/client.ts';
import { rowAt } from '../../app/row-window.ts';
import { sayFailure } from '../../app/say-failure.ts';
import { useProfiles } from '../../app/stores.ts';
import { useScrollView } from '../../app/use-scroll-view.ts';
import { errorText } from '../../i18n/error-text.ts';
import { formatCount } from '../../i18n/format.ts';
import { Button } from '../../ui/Button.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { entriesBetween, entryHeight, layOut, topOf, type PlacedGroup } from './list-layout.ts';
import { TransferEntry } from './TransferEntry.tsx';
import { groupWord } from './transfer-text.ts';
import { useTransferWindow } from './use-transfers.ts';
import './transfers.css';

const noCounts: TransferSummary['counts'] = { needsYou: 0, moving: 0, waiting: 0, done: 0 };

/** The list of transfers, what needs the person first. Only what is seen is in the page. */
export function TransfersTab() {
  const { page, error, show, retry } = useTransferWindow();
  const { profiles } = useProfiles();
  const scroller = useRef<HTMLDivElement>(null);
  const view = useScrollView(scroller);
  const layout = layOut(page?.summary.counts ?? noCounts);
  const { offset, count } = entriesBetween(layout, view.top, view.top + view.height);
  useEffect(() => {
    if (count > 0) show(offset, offset + count);
  }, [offset, count, show]);

  const firstOpen = layout.groups.find(({ group }) => group === 'moving' || group === 'waiting')?.group;
  const shown = Array.from({ length: count }, (_, at) => offset + at);
  return (
    <div className="transfers" ref={scroller}>
      {page === null && error !== null && (
        <EmptyState
          icon="warn"
          title={errorText(error).title}
          text={errorText(error).what}
          buttons={
            <Button kind="line" onPress={retry}>
              Try again
            </Button>
          }
        />
      )}
      {page !== null && layout.total === 0 && (
        <EmptyState icon="moves" title="Nothing is moving" text="Uploads and downloads appear here." />
      )}
      <div className="transfers__all" style={{ height: layout.height }}>
        {layout.groups.map((placed) => (
          <GroupHead
            key={placed.group}
            placed={placed}
            isFirstOpen={placed.group === firstOpen}
            failed={page?.summary.failed ?? 0}
          />
        ))}
        <ul aria-label="Transfers">
          {shown.map((index) => {
            const transfer = rowAt(page, index);
            return (
              transfer !== undefined && (
                <TransferEntry
                  key={transfer.id}
                  transfer={transfer}
                  separator={profiles.find(({ id }) => id === transfer.profileId)?.separator ?? '/'}
                  position={index + 1}
                  of={layout.total}
                  top={topOf(layout, index)}
                  height={entryHeight[layout.groups.findLast(({ first }) => first <= index)?.group ?? 'done']}
                />
              )
            );
          })}
        </ul>
      </div>
    </div>
  );
}

/** Its name, how many, and what can be done with all of them. */
function GroupHead({
  placed,
  isFirstOpen,
  failed,
}: {
  placed: PlacedGroup;
  isFirstOpen: boolean;
  failed: number;
}) {
  const client = useClient();
  const { group, count, top } = placed;
  const canClear = group === 'done' || (group === 'needsYou' && failed > 0);
  return (
    <div className="transfers__head" style={{ top }}>
      <h3 className={group === 'needsYou' ? 'bad' : ''}>{groupWord[group]}</h3>
      <span className="figures">{formatCount(count)}</span>
      <span className="transfers__acts">
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
      </span>
    </div>
  );
}
