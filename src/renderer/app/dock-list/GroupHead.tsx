import { dockTexts as texts } from '../../i18n/dock-texts.ts';
import { formatCount } from '../../../shared/i18n/format.ts';
import { Button } from '../../ui/Button.tsx';
import { Icon } from '../../ui/Icon.tsx';

export type HeadAct = {
  label: string;
  name?: string;
  /** Focus moves between buttons that share a seat, when one replaces another. */
  seat?: string;
  run: () => void;
};

/** Heading of a group: title, count and actions on all its entries. */
export function GroupHead(props: {
  title: string;
  count: number;
  /** Describes entries of the group that the count leaves out. */
  beside?: string | null;
  top: number;
  isBad?: boolean;
  acts: readonly HeadAct[];
}) {
  const { title, count, beside = null, top, isBad = false, acts } = props;
  return (
    <div className="transfers__head" style={{ top }}>
      <h3 className={isBad ? 'bad' : ''}>{title}</h3>
      {(count > 0 || beside === null) && <span className="figures">{formatCount(count)}</span>}
      {beside !== null && (
        <span className="figures">
          {count > 0 && '· '}
          {beside}
        </span>
      )}
      <Acts acts={acts} />
    </div>
  );
}

/** Replaces finished transfers that do not fit on a screen. */
export function FoldHead(props: {
  count: number;
  top: number;
  isFolded: boolean;
  onToggle: () => void;
  acts: readonly HeadAct[];
}) {
  const { count, top, isFolded, onToggle, acts } = props;
  return (
    <div className="transfers__head transfers__head--fold" style={{ top }}>
      <h3>
        <button type="button" className="transfers__fold" aria-expanded={!isFolded} onClick={onToggle}>
          <Icon name={isFolded ? 'right' : 'down'} size={12} className="transfers__chevron" />
          <Icon name="check" />
          {texts.finished({ count })}
        </button>
      </h3>
      <Acts acts={acts} />
    </div>
  );
}

export function Acts({ acts }: { acts: readonly HeadAct[] }) {
  return (
    <span className="transfers__acts">
      {acts.map(({ label, name, seat, run }) => (
        <Button
          key={label}
          kind="link"
          data-seat={seat}
          {...(name !== undefined && { 'aria-label': name })}
          onPress={run}
        >
          {label}
        </Button>
      ))}
    </span>
  );
}
