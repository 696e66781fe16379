import { useState } from 'react';
import { transferTexts as texts } from '../../i18n/transfer-texts.ts';
import type { Tab } from '../../../shared/domain/transfer.ts';
import { Button } from '../../ui/Button.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { SearchField } from '../../ui/Field.tsx';
import { TransferList } from './TransferList.tsx';
import { useTransferWindow } from './use-transfers.ts';
import './jobs.css';

/** Number of jobs from which a filter is offered. */
const filterFrom = 6;
const filterMax = 200;

/** The list of direct transfers or of deferred requests. */
export function TransfersTab({ tab }: { tab: Tab }) {
  const [typed, setTyped] = useState('');
  const filter = typed.trim();
  const { page, error, show, askRows, retry } = useTransferWindow(tab, filter);
  const all = Object.values(page?.summary[tab].counts ?? {}).reduce((sum, count) => sum + count, 0);
  const canFilter = tab === 'jobs' && (all >= filterFrom || typed !== '');
  return (
    <TransferList
      tab={tab}
      filter={filter}
      page={page}
      onShow={show}
      askRows={askRows}
      error={error}
      onRetry={retry}
      empty={<Empty tab={tab} isFiltered={filter !== ''} onClear={() => setTyped('')} />}
      tools={
        canFilter && (
          <div className="jobs__filter">
            <SearchField label={texts.filter} value={typed} onChange={setTyped} maxLength={filterMax} />
          </div>
        )
      }
    />
  );
}

function Empty({ tab, isFiltered, onClear }: { tab: Tab; isFiltered: boolean; onClear: () => void }) {
  const { none, noneText } = texts.tab[tab];
  if (!isFiltered)
    return <EmptyState icon={tab === 'jobs' ? 'deferred' : 'moves'} title={none} text={noneText} />;
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
