import { useEffect } from 'react';
import { appTexts } from '../../i18n/app-texts.ts';
import { useClient } from '../../app/client.ts';
import { showDock } from '../../app/dock.ts';
import { useStores, useTransferSummary } from '../../app/stores.ts';
import { State } from '../../ui/State.tsx';
import { worstOf } from '../../app/job-trouble.ts';
import { tellClosing, tellFinished } from './completion-messages.ts';

/**
 * The jobs' part of the bottom line, with room for one problem. Rendered once; announces finished jobs and windows
 * that are about to close.
 */
export function JobsStatus() {
  const client = useClient();
  const { transfers } = useStores();
  const summary = useTransferSummary()?.jobs;
  useEffect(() => tellFinished(client, transfers, 'jobs'), [client, transfers]);
  useEffect(() => tellClosing(client, transfers), [client, transfers]);
  if (summary === undefined) return null;
  const worst = worstOf(summary);
  const open = summary.active === 0 ? null : appTexts.dock.jobsOpen({ count: summary.active });
  if (worst === null && open === null) return null;
  return (
    <button type="button" className="status__jobs" onClick={() => showDock('jobs')}>
      {worst !== null && (
        <State icon={worst.icon} tone="bad">
          {worst.text}
        </State>
      )}
      {worst !== null && open !== null && <span className="visually-hidden">,</span>} {open}
    </button>
  );
}
