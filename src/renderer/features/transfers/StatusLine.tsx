import { useEffect, type ReactNode } from 'react';
import type { TransferSummary } from '../../../shared/domain/transfer.ts';
import { useClient } from '../../app/client.ts';
import { showDock } from '../../app/dock.ts';
import { useJobSummary, useProfiles, useTransferSummary } from '../../app/stores.ts';
import { useOverallProgress } from '../../app/use-progress.ts';
import { dockTexts, isLimited, limitText, pausedText } from '../../i18n/dock-texts.ts';
import { formatCount, formatDuration, formatPercent, formatSpeed } from '../../i18n/format.ts';
import { Icon } from '../../ui/Icon.tsx';
import { Bar } from '../../ui/Progress.tsx';
import { State } from '../../ui/State.tsx';
import { tellNews } from './news.ts';
import './status-line.css';

/** The one line at the bottom: what is going on now. A click opens the dock. Stands once, and says what finishes. */
export function StatusLine({ children }: { children?: ReactNode }) {
  const client = useClient();
  const summary = useTransferSummary();
  const isFollowing = (useJobSummary()?.active ?? 0) > 0;
  useEffect(() => tellNews(client), [client]);
  return (
    <footer className="status figures">
      <button type="button" className="status__open" onClick={() => showDock('transfers')}>
        {summary === null ? (
          <span className="status__idle">Nothing is moving</span>
        ) : (
          <Summary summary={summary} isFollowing={isFollowing} />
        )}
      </button>
      {children}
    </footer>
  );
}

function Summary({ summary, isFollowing }: { summary: TransferSummary; isFollowing: boolean }) {
  const { profiles } = useProfiles();
  const { counts, verifying, failed, unanswered, paused, finishing, limit } = summary;
  const { waiting } = counts;
  const moving = counts.moving - verifying;
  const isBusy = counts.moving + waiting > 0;
  const { bytesPerSecond, leftMs, fraction } = useOverallProgress() ?? summary;
  const names = profiles.filter(({ id }) => paused.profileIds.includes(id)).map(({ name }) => name);
  const pausing = pausedText(paused, names, limit?.untilMs ?? null, finishing);
  const isHeld = paused.all || paused.byHour;
  return (
    <>
      {pausing !== null && (
        <span className="state state--wait status__paused" title={pausing}>
          <Icon name="pause" />
          <span>{pausing}</span>
        </span>
      )}
      {!isBusy && pausing === null && (
        <span className="status__idle">{isFollowing ? 'No direct transfers' : 'Nothing is moving'}</span>
      )}
      {isBusy && !isHeld && (
        <>
          <span className="status__bar">
            <Bar fraction={fraction} label="All transfers" isStill={counts.moving === 0} />
          </span>
          {moving > 0 && <span>{formatCount(moving)} moving</span>}
          {verifying > 0 && <span>{dockTexts.verifying(verifying)}</span>}
          {fraction !== null && <span className="status__extra">{formatPercent(fraction)}</span>}
        </>
      )}
      {isBusy && bytesPerSecond !== null && <span>{formatSpeed(bytesPerSecond)}</span>}
      {isBusy && !isHeld && leftMs !== null && (
        <span className="status__extra">{formatDuration(leftMs)} left</span>
      )}
      {(isBusy || isLimited(limit)) && !paused.byHour && (
        <span className="state status__limit" title={limitText(limit)}>
          <Icon name="limit" />
          <span>{limitText(limit)}</span>
        </span>
      )}
      <span className="status__gap" />
      {failed > 0 && (
        <State icon="fail" tone="bad">
          {formatCount(failed)} failed
        </State>
      )}
      {unanswered > 0 && (
        <State icon="pause" tone="wait">
          {formatCount(unanswered)} {unanswered === 1 ? 'needs' : 'need'} an answer
        </State>
      )}
      {waiting > 0 && (
        <State icon="clock" tone="wait">
          {formatCount(waiting)} waiting
        </State>
      )}
    </>
  );
}
