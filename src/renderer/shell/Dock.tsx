import type { TabSummary } from '../../shared/domain/transfer-summary.ts';
import { useBrowser } from '../features/objects/state/browser-store.ts';
import { DetailsTab } from '../features/objects/details/DetailsTab.tsx';
import { TransfersTab } from '../features/transfers/TransfersTab.tsx';
import { appTexts, jobsAbout, transfersAbout } from '../i18n/app-texts.ts';
import { formatCount } from '../../shared/i18n/format.ts';
import { IconButton } from '../ui/Button.tsx';
import { usePart } from '../ui/part.ts';
import { Tabs } from '../ui/Tabs.tsx';
import { showDock, toggleDock, useDock } from '../app/dock.ts';
import { useClient } from '../app/client.ts';
import { Pane } from '../app/Pane.tsx';
import { sayFailure } from '../app/say-failure.ts';
import { Slot, useFacts } from '../app/slots.tsx';
import { useTransferSummary } from '../app/stores.ts';

const texts = appTexts.dock;

/** The activity dock on the right. */
export function Dock({ separator }: { separator: string }) {
  const selection = useBrowser((browser) => browser.selection);
  const tab = useDock((dock) => dock.tab);
  const summary = useTransferSummary();
  const { transfers, jobs } = summary ?? {};
  const others = useFacts('needs').some((count) => count > 0);
  const { needsYou = 0, moving = 0, waiting = 0 } = transfers?.counts ?? {};
  const open = needsYou + moving + waiting;
  const need =
    summary === null || (needsYou + summary.tokenRefused.length === 0 && !others)
      ? null
      : summary.transfers.failed > 0
        ? 'bad'
        : 'wait';
  const part = usePart<HTMLElement>({
    role: 'complementary',
    label: texts.label,
    begins: '[role="tab"][tabindex="0"]',
  });
  return (
    <aside className="dock" {...part}>
      <h2 className="visually-hidden">{texts.label}</h2>
      <Tabs
        label={texts.label}
        selected={tab}
        onSelect={showDock}
        after={
          <>
            <PinButton />
            <IconButton icon="panel" label={texts.hide} onPress={toggleDock} />
          </>
        }
        tabs={[
          {
            id: 'details',
            label: texts.details,
            content: (
              <Pane name="details" of={selection}>
                <DetailsTab separator={separator} />
              </Pane>
            ),
          },
          {
            id: 'transfers',
            label: texts.transfers,
            need,
            ...(open > 0 && {
              count: formatCount(open),
              description: transfersAbout(open, transfers?.failed ?? 0),
            }),
            content: (
              <Pane name="transfers">
                <Slot name="transfersStart" />
                <TransfersTab tab="transfers" />
              </Pane>
            ),
          },
          {
            id: 'jobs',
            label: texts.jobs,
            ...(jobs && jobs.active > 0 && { count: formatCount(jobs.active) }),
            need: jobs ? needOf(jobs) : null,
            ...(jobs && jobs.active + jobs.counts.needsYou > 0 && { description: jobsAbout(jobs) }),
            content: (
              <Pane name="jobs">
                <TransfersTab tab="jobs" />
              </Pane>
            ),
          },
        ]}
      />
    </aside>
  );
}

/** Stops the tab from following the selection and new transfers. */
function PinButton() {
  const client = useClient();
  const isPinned = useDock((dock) => dock.isPinned);
  return (
    <IconButton
      icon="pin"
      label={texts.pin}
      aria-pressed={isPinned}
      onPress={() => sayFailure(client.call('settings.update', { dockPinned: !isPinned }))}
    />
  );
}

/** Bad: an expiring or lost result, or a failure; wait: an open prompt. */
function needOf({ lost, failed, counts }: TabSummary): 'bad' | 'wait' | null {
  if (lost + failed + counts.closing > 0) return 'bad';
  return counts.needsYou > 0 ? 'wait' : null;
}
