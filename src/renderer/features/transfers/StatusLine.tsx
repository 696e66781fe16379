import { useEffect, type ReactNode } from 'react';
import { causeText, limitText, needsToken, pausedText } from '../../i18n/cause-text.ts';
import { commonTexts } from '../../i18n/common-texts.ts';
import { transferTexts } from '../../i18n/transfer-texts.ts';
import type { TabSummary, TransferSummary } from '../../../shared/domain/transfer-summary.ts';
import { useClient } from '../../app/client.ts';
import { showDock } from '../../app/dock.ts';
import { useServices, useStores, useTransferSummary } from '../../app/stores.ts';
import { useOverallProgress } from '../../app/use-progress.ts';
import { dockTexts } from '../../i18n/dock-texts.ts';
import { formatDuration, formatPercent, formatSpeed } from '../../../shared/i18n/format.ts';
import { Icon } from '../../ui/Icon.tsx';
import { Bar } from '../../ui/Progress.tsx';
import { State } from '../../ui/State.tsx';
import { tellFinished } from './completion-messages.ts';
import './status-line.css';

const texts = transferTexts.status;

/** The bottom line: current activity. A click opens the dock. Rendered once; announces finished transfers. */
export function StatusLine({ first, children }: { first?: ReactNode; children?: ReactNode }) {
  const client = useClient();
  const { transfers } = useStores();
  const summary = useTransferSummary();
  useEffect(() => tellFinished(client, transfers, 'transfers'), [client, transfers]);
  return (
    <footer className="status figures">
      {first}
      <button type="button" className="status__open" onClick={() => showDock('transfers')}>
        {summary === null ? <Idle /> : <Summary summary={summary} />}
      </button>
      {children}
    </footer>
  );
}

function Summary({ summary }: { summary: TransferSummary }) {
  const { services } = useServices();
  const { transfers, verifying, movingJobs, paused, finishing, limit, tokenRefused } = summary;
  const { counts, failed, unanswered } = transfers;
  const { waiting } = counts;
  const moving = counts.moving - verifying + movingJobs;
  const isBusy = counts.moving + waiting + movingJobs > 0;
  const { bytesPerSecond, leftMs, fraction } = useOverallProgress(summary);
  const limited = limitText(limit);
  const names = services.filter(({ id }) => paused.serviceIds.includes(id)).map(({ name }) => name);
  const pausing = pausedText(paused, names, limit?.untilMs ?? null, finishing);
  // The banner already says that everything waits for a token.
  const isTokenRefused = tokenRefused.length > 0 && counts.moving + movingJobs === 0;
  const isPaused = paused.all || paused.byHour;
  const isHeld = isPaused || isTokenRefused;
  return (
    <>
      <span className="status__flow">
        {pausing !== null && (
          <span className="state state--wait status__paused" title={pausing}>
            <Icon name="pause" />
            <span>{pausing}</span>
          </span>
        )}
        {!isBusy && pausing === null && <Idle />}
        {isBusy && (
          <span className="status__now">
            {!isHeld && (
              <>
                {moving > 0 && (
                  <span className="status__bar">
                    <Bar fraction={fraction} label={texts.all} />
                  </span>
                )}
                {moving > 0 && <span>{texts.moving({ count: moving })}</span>}
                {verifying > 0 && <span>{dockTexts.verifying({ count: verifying })}</span>}
                {fraction !== null && <span className="status__extra">{formatPercent(fraction)}</span>}
              </>
            )}
            {bytesPerSecond !== null && <span>{formatSpeed(bytesPerSecond)}</span>}
            {!isHeld && leftMs !== null && (
              <span className="status__extra">
                {commonTexts.timeLeft({ duration: formatDuration(leftMs) })}
              </span>
            )}
          </span>
        )}
        {limited !== null && !paused.byHour && (
          <span className="state status__limit" title={limited}>
            <Icon name="limit" />
            <span>{limited}</span>
          </span>
        )}
      </span>
      <span className="status__states">
        {failed > 0 && (
          <State icon="fail" tone="bad">
            {texts.failed({ count: failed })}
          </State>
        )}
        {unanswered > 0 && (
          <State icon="pause" tone="wait">
            {texts.unanswered({ count: unanswered })}
          </State>
        )}
        {waiting > 0 && !isPaused && (
          <State icon="clock" tone="wait">
            {waitingText(transfers)}
          </State>
        )}
      </span>
    </>
  );
}

/** Why, too, if all wait for the same. Of a token, the banner says it. */
function waitingText({ counts: { waiting }, causes }: TabSummary): string {
  const cause = causes.find(({ group, count }) => group === 'waiting' && count >= waiting);
  return cause === undefined || needsToken(cause)
    ? texts.waiting({ count: waiting })
    : causeText({ ...cause, count: waiting }, false);
}

/** Names the button for assistive technology. Nothing is shown where nothing happens. */
function Idle() {
  return <span className="visually-hidden">{transferTexts.tab.transfers.none}</span>;
}
