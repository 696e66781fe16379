import type { ReactNode } from 'react';
import { appTexts } from '../i18n/app-texts.ts';
import { worstOf } from './job-trouble.ts';
import { formatCount, formatList } from '../../shared/i18n/format.ts';
import { IconButton } from '../ui/Button.tsx';
import { toggleDock, useDock } from './dock.ts';
import { useTransferSummary } from './stores.ts';
import './topbar.css';

const { dock: texts, countOf } = appTexts;

/** The bar over the list: the current place, its actions, and the button that opens the dock. */
export function Topbar({
  trail,
  title,
  count = 0,
  note,
  outOf,
  children,
}: {
  /** Breadcrumbs. */
  trail?: ReactNode;
  title: ReactNode;
  count?: number;
  /** Additional text for the count. */
  note?: string | undefined;
  /** For a search: the number of rows without it. */
  outOf?: number | undefined;
  children?: ReactNode;
}) {
  const isDockOpen = useDock((dock) => dock.isOpen);
  const summary = useTransferSummary();
  const failed = summary?.transfers.failed ?? 0;
  const troubles = [
    failed > 0 && texts.failed({ count: failed }),
    summary !== null && worstOf(summary.jobs)?.text,
  ].filter((part) => typeof part === 'string');
  const trouble = formatList(troubles);
  return (
    <header className="topbar">
      {trail}
      <h1 className="topbar__title">{title}</h1>
      <span className="topbar__count figures">
        {outOf === undefined ? count > 0 && formatCount(count) : countOf({ count, total: outOf })}
        {note !== undefined && <span className="topbar__note">{note}</span>}
      </span>
      {children}
      {!isDockOpen && (
        <IconButton
          icon="panel"
          label={trouble === '' ? texts.show : texts.showWith({ trouble })}
          className={trouble !== '' ? 'topbar__dock topbar__dock--bad' : 'topbar__dock'}
          onPress={toggleDock}
        />
      )}
    </header>
  );
}
