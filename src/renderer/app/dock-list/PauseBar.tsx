import type { ReactNode } from 'react';
import { formatUntil } from '../../../shared/i18n/format.ts';
import { dockTexts } from '../../i18n/dock-texts.ts';
import { Button } from '../../ui/Button.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { WithTooltip } from '../../ui/Tooltip.tsx';
import { useClient } from '../client.ts';
import { showSettings } from '../place.ts';
import { sayFailure } from '../say-failure.ts';
import { useServices, useTransferSummary } from '../stores.ts';
import './pause-bar.css';

const texts = dockTexts.pause;

/** What is paused (everything, by the weekly hours, or single services), and how to resume. */
export function PauseBar() {
  const client = useClient();
  const summary = useTransferSummary();
  const { services } = useServices();
  if (summary === null) return null;
  const { paused, finishing, limit } = summary;
  const names = services.filter(({ id }) => paused.serviceIds.includes(id)).map(({ name }) => name);
  const first = finishing > 0 ? texts.finishing({ count: finishing }) : null;
  const stop = finishing > 0 && (
    <WithTooltip text={texts.stopNowHint}>
      <Button size="small" data-seat="pause" onPress={() => sayFailure(client.call('transfers.stopNow'))}>
        {texts.stopNow}
      </Button>
    </WithTooltip>
  );
  if (paused.all)
    return (
      <Hold title={texts.all} text={first ?? texts.waiting}>
        {stop}
        <Button
          kind="line"
          size="small"
          data-seat="pause"
          aria-label={dockTexts.resumeAll}
          onPress={() => sayFailure(client.call('transfers.resume', { which: 'all' }))}
        >
          {texts.resume}
        </Button>
      </Hold>
    );
  if (paused.byHour)
    return (
      <Hold title={byHourText(limit?.untilMs ?? null)} text={first ?? texts.byHourText}>
        {stop}
        <Button kind="line" size="small" onPress={() => showSettings()}>
          {texts.hours}
        </Button>
      </Hold>
    );
  const [name] = names;
  if (name === undefined) return null;
  return (
    <Hold
      title={names.length === 1 ? texts.service({ name }) : texts.services({ count: names.length })}
      text={first ?? texts.waiting}
    >
      {stop}
      <Button
        kind="line"
        size="small"
        data-seat="pause"
        aria-label={names.length === 1 ? texts.resumeService({ name }) : texts.resumeServices}
        onPress={() => {
          for (const serviceId of paused.serviceIds)
            sayFailure(client.call('transfers.resume', { which: { serviceId } }));
        }}
      >
        {texts.resume}
      </Button>
    </Hold>
  );
}

function byHourText(untilMs: number | null): string {
  return untilMs === null ? texts.byHour : dockTexts.paused.until({ time: formatUntil(untilMs) });
}

function Hold({ title, text, children }: { title: string; text: string; children: ReactNode }) {
  return (
    <section className="hold" aria-label={title}>
      <Icon name="pause" />
      <div className="hold__words">
        <p className="hold__title">{title}</p>
        <p className="hold__text figures">{text}</p>
      </div>
      {children}
    </section>
  );
}
