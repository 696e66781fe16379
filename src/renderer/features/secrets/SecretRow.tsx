import type { ObjectRow } from '../../../shared/contract.ts';
import type { Direction } from '../../../shared/domain/transfer.ts';
import { isUnverified } from '../../../shared/domain/unverified.ts';
import { clipboardMs, dueReminder } from '../../../shared/domain/secret.ts';
import { formatAgo, formatMoment, formatTime } from '../../../shared/i18n/format.ts';
import { commonTexts } from '../../i18n/common-texts.ts';
import { objectTexts } from '../../i18n/object-texts.ts';
import { secretTexts as texts } from '../../i18n/secret-texts.ts';
import { useClipboard } from '../../app/stores.ts';
import { IconButton } from '../../ui/Button.tsx';
import { Ring } from '../../ui/Progress.tsx';
import { stateWord } from '../../i18n/state-word.ts';
import { ObjectRowView, type RowProps } from '../objects/grid/ObjectRowView.tsx';
import { isNew, objectState } from '../objects/state/row-state.ts';
import { StateLabel } from '../objects/state/StateLabel.tsx';
import { RenewalMark } from '../objects/details/RenewBy.tsx';
import { RevealPanel } from './RevealPanel.tsx';
import { useSecretList } from './secret-list.ts';
import { canRead } from './secret-menu.ts';
import { detailTexts } from '../../i18n/detail-texts.ts';

export function SecretRow(props: RowProps) {
  const { revealed } = useSecretList();
  const { row } = props;
  if (row === undefined) return <ObjectRowView {...props} />;
  const isOpen = revealed?.id === row.id;
  return (
    <ObjectRowView
      {...props}
      icon="key"
      cells={{
        stored: <Stored row={row} nowMs={props.nowMs} />,
        checked: <LastUsed {...props} row={row} isOpen={isOpen} />,
      }}
      below={isOpen ? <RevealPanel row={row} revealed={revealed} /> : null}
    />
  );
}

type UsedProps = Pick<RowProps, 'index' | 'nowMs' | 'isCursor'> & { row: ObjectRow; isOpen: boolean };

/** The state if the secret is new or unconfirmed; else its renewal date if that is near; else when it was stored. */
function Stored({ row, nowMs }: { row: ObjectRow; nowMs: number }) {
  const { state, storedAtMs } = row;
  if (state === 'uploading') return <Storing row={row} />;
  if (state !== 'stored' || isNew(row, nowMs)) {
    return (
      <span className="secret-stored">
        <StateLabel state={objectState(state)} />
      </span>
    );
  }
  const renewal = dueReminder(row.renewBy ?? '9999-12-31', nowMs);
  if (renewal !== null) return <RenewalMark row={row} nowMs={nowMs} />;
  if (storedAtMs === null) return <span className="none">–</span>;
  return <span title={formatMoment(storedAtMs, nowMs)}>{formatTime(storedAtMs, nowMs)}</span>;
}

/** The last column: last use, current activity, and actions. */
function LastUsed({ row, index, nowMs, isCursor, isOpen }: UsedProps) {
  const { reading } = useSecretList();
  const clipboard = useClipboard();
  const purpose = reading.get(row.id);
  if (purpose !== undefined) return <Reading row={row} isFirstStop={isCursor} />;
  const clearsAtMs = clipboard?.objectId === row.id ? clipboard.clearsAtMs : null;
  return (
    <span className="secret-used">
      <span className="secret-used__text">
        {isOpen
          ? texts.now
          : clearsAtMs === null
            ? usedText(row, nowMs)
            : copied((clearsAtMs - nowMs) / clipboardMs)}
      </span>
      {!isOpen && canRead(row) && <Actions row={row} index={index} isCursor={isCursor} />}
    </span>
  );
}

function copied(left: number) {
  return (
    <span className="secret-copied">
      <Ring size={16} left={left} />
      {detailTexts.copied}
    </span>
  );
}

function usedText(row: ObjectRow, nowMs: number) {
  const { checkedAtMs } = row;
  if (isUnverified(row, 'presence')) return objectTexts.notHereYet;
  if (checkedAtMs === null) return commonTexts.never;
  return <span title={formatMoment(checkedAtMs, nowMs)}>{formatAgo(checkedAtMs, nowMs)}</span>;
}

/** Visible on the hovered or focused row, where each is a Tab stop. */
function Actions({ row, index, isCursor }: Pick<UsedProps, 'row' | 'index' | 'isCursor'>) {
  const { reveal, copy, askToSave, aim } = useSecretList();
  const actions = [
    { label: texts.reveal, icon: 'eye', run: reveal },
    { label: texts.copyValue, icon: 'copy', run: copy },
    { label: commonTexts.saveAs, icon: 'download', run: askToSave },
  ] as const;
  return (
    <span className="secret-actions">
      {actions.map(({ label, icon, run }) => (
        <IconButton
          key={label}
          label={label}
          icon={icon}
          size="small"
          excludeFromTabOrder={!isCursor}
          onPress={() => {
            aim(index);
            run(row);
          }}
        />
      ))}
    </span>
  );
}

function Reading({ row, isFirstStop }: { row: ObjectRow; isFirstStop: boolean }) {
  const { stop } = useSecretList();
  return (
    <span className="secret-busy">
      <Moving row={row} direction="download" otherwise={texts.starting} />
      <IconButton
        label={commonTexts.cancel}
        icon="x"
        size="small"
        iconSize={12}
        excludeFromTabOrder={!isFirstStop}
        onPress={() => stop(row.id)}
      />
    </span>
  );
}

function Storing({ row }: { row: ObjectRow }) {
  return (
    <span className="secret-busy">
      <Moving row={row} direction="upload" otherwise={texts.storing} />
    </span>
  );
}

/** The state of the request that stores or reads it. @param otherwise before it has begun */
function Moving(props: { row: ObjectRow; direction: Direction; otherwise: string }) {
  const { row, direction, otherwise } = props;
  const transfer = row.transfer?.direction === direction ? row.transfer : null;
  const word = transfer === null ? otherwise : stateWord(transfer.state, 'secret');
  return <StateLabel state={{ tone: 'moving', word, fraction: null }} />;
}
