import { useEffect, type ReactNode } from 'react';
import { useClient } from '../../app/client.ts';
import { showDock } from '../../app/dock.ts';
import { useJobSummary, useTransferSummary } from '../../app/stores.ts';
import { formatCount, formatDuration, formatPercent, formatSpeed } from '../../i18n/format.ts';
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
  const moving = summary?.counts.moving ?? 0;
  const waiting = summary?.counts.waiting ?? 0;
  return (
    <footer className="status figures">
      <button type="button" className="status__open" onClick={() => showDock('transfers')}>
        {summary === null || moving + waiting === 0 ? (
          <span className="status__idle">{isFollowing ? 'No direct transfers' : 'Nothing is moving'}</span>
        ) : (
          <>
            <span className="status__bar">
              <Bar fraction={summary.fraction} label="All transfers" isStill={moving === 0} />
            </span>
            {moving > 0 && <span>{formatCount(moving)} moving</span>}
            {summary.fraction !== null && <span>{formatPercent(summary.fraction)}</span>}
            {summary.bytesPerSecond !== null && <span>{formatSpeed(summary.bytesPerSecond)}</span>}
            {summary.leftMs !== null && <span>{formatDuration(summary.leftMs)} left</span>}
          </>
        )}
        <span className="status__gap" />
        {summary !== null && summary.failed > 0 && (
          <State icon="fail" tone="bad">
            {formatCount(summary.failed)} failed
          </State>
        )}
        {summary !== null && summary.unanswered > 0 && (
          <State icon="pause" tone="wait">
            {formatCount(summary.unanswered)} {summary.unanswered === 1 ? 'needs' : 'need'} an answer
          </State>
        )}
        {waiting > 0 && (
          <State icon="clock" tone="wait">
            {formatCount(waiting)} waiting
          </State>
        )}
      </button>
      {children}
    </footer>
  );
}
