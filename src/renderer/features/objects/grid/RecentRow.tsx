import { memo } from 'react';
import { formatAgo, formatMoment } from '../../../../shared/i18n/format.ts';
import { useLanguage } from '../../../app/use-language.ts';
import { objectTexts } from '../../../i18n/object-texts.ts';
import { columnsThatFit, type GridColumns } from './columns.ts';
import { ObjectRowView, type RowProps } from './ObjectRowView.tsx';

/** The date column shows the last use, and is never hidden: the list is sorted by it. */
export const recentColumns: GridColumns = {
  get names() {
    return { ...objectTexts.column, ...objectTexts.recentColumn };
  },
  fit: (settings, gridPx) => columnsThatFit(settings, gridPx, 'stored'),
};

export const RecentRow = memo(function RecentRow(props: RowProps) {
  useLanguage();
  const usedAtMs = props.row?.usedAtMs;
  if (usedAtMs === undefined) return <ObjectRowView {...props} />;
  const { nowMs } = props;
  return (
    <ObjectRowView
      {...props}
      cells={{
        stored: <span title={formatMoment(usedAtMs, nowMs)}>{formatAgo(usedAtMs, nowMs)}</span>,
      }}
    />
  );
});
