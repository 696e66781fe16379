import type { ReactElement } from 'react';
import { commonTexts } from '../../../i18n/common-texts.ts';
import { objectTexts } from '../../../i18n/object-texts.ts';
import type { SelectionSummary } from '../../../../shared/contract.ts';
import { keysOf, isMac } from '../../../app/key-bindings.ts';
import { formatList, formatSize } from '../../../../shared/i18n/format.ts';
import { Button, IconButton } from '../../../ui/Button.tsx';
import type { IconName } from '../../../ui/icons.tsx';
import { WithTooltip } from '../../../ui/Tooltip.tsx';
import { Toolbar } from '../../../ui/Toolbar.tsx';
import type { ObjectActions } from '../actions/use-object-actions.ts';

const { act, selection: texts } = objectTexts;

type Props = {
  /** Of objects, with those in folders. */
  count: number;
  folderCount: number;
  summary: SelectionSummary | null;
  actions: ObjectActions;
  /** Whether the objects are gone or were never stored, so that they can only be removed from the list. */
  isGone: boolean;
  /** Available width in pixels; 0: not measured. */
  widthPx: number;
  onClear: () => void;
};

type Action = {
  label: string;
  icon: IconName;
  keys?: string | undefined;
  /** Tooltip, if the label does not say enough. */
  hint?: string;
  kind?: 'bad';
  /** Keeps its label even in a narrow window. */
  isMain?: true;
  run: () => void;
};

export function SelectionBar({ count, folderCount, summary, actions, isGone, widthPx, onClear }: Props) {
  const copy: Action = {
    label: commonTexts.copyIdentifier,
    icon: 'copy',
    keys: isMac ? '⌘+C' : 'Ctrl+C',
    run: actions.copyIdentifiers,
  };
  const shown: Action[] = isGone
    ? [copy, { label: commonTexts.removeFromList, icon: 'unlist', run: actions.forget }]
    : [
        {
          label: act.download,
          icon: 'download',
          keys: keysOf('download'),
          isMain: true,
          run: () => actions.download(),
        },
        { label: act.downloadDeferred, icon: 'deferred', run: actions.downloadDeferred },
        {
          label: act.check,
          icon: 'refresh',
          keys: keysOf('check'),
          hint: act.checkHint,
          run: actions.check,
        },
        copy,
        { label: act.delete, icon: 'trash', keys: keysOf('delete'), kind: 'bad', run: actions.askToDelete },
      ];
  const isNarrow = widthPx > 0 && widthPx < roomForLabels();
  // Of folders without objects.
  const isEmpty = folderCount > 0 && summary?.count === 0;
  const offered = isEmpty ? shown.slice(-1) : shown;
  // Folders take its place beside the labels.
  const hasRoom = folderCount === 0 || isNarrow || widthPx > roomForLabels() + 100;
  const size = summary && hasRoom && !isEmpty ? sizeOf(summary) : null;
  return (
    <Toolbar label={texts.label} className="selection">
      <span className="selection__count">
        {folderCount === 0
          ? texts.count({ count })
          : isEmpty
            ? texts.folders({ count: folderCount })
            : formatList([texts.folders({ count: folderCount }), commonTexts.objects({ count })])}
        {size !== null && <span className="selection__size">{size}</span>}
      </span>
      {offered.map(({ label, icon, keys, hint, kind, isMain, run }) =>
        isNarrow && !isMain ? (
          <IconButton
            key={label}
            label={label}
            icon={icon}
            onPress={run}
            {...(kind && { kind })}
            {...(keys !== undefined && { keys })}
            {...(hint !== undefined && { hint })}
          />
        ) : (
          <Hinted key={label} hint={hint} keys={keys}>
            <Button icon={icon} kind={kind ?? 'plain'} onPress={run}>
              {label}
            </Button>
          </Hinted>
        ),
      )}
      <IconButton label={texts.clear} icon="x" keys="Esc" onPress={onClear} />
    </Toolbar>
  );
}

/** null: no size is known. */
function sizeOf({ count, totalBytes, unknownLengths }: SelectionSummary): string | null {
  if (unknownLengths === 0) return formatSize(totalBytes);
  return unknownLengths === count ? null : texts.atLeast({ size: formatSize(totalBytes) });
}

function Hinted({
  hint,
  keys,
  children,
}: {
  hint: string | undefined;
  keys: string | undefined;
  children: ReactElement;
}) {
  if (hint === undefined) return children;
  return (
    <WithTooltip text={hint} {...(keys !== undefined && { keys })}>
      {children}
    </WithTooltip>
  );
}

/**
 * Below this width, in pixels, most actions show only icons. Estimated from the labels, which are longer in other languages; independent
 * of the selection, so that the bar changes only with the window.
 */
function roomForLabels(): number {
  const labels = [act.download, act.downloadDeferred, act.check, commonTexts.copyIdentifier, act.delete];
  const letters = labels.reduce((sum, label) => sum + label.length, 0);
  return Math.max(720, 200 + labels.length * 34 + letters * 6.6);
}
