import { dockTexts as texts } from '../../i18n/dock-texts.ts';
import { formatCount } from '../../../shared/i18n/format.ts';
import { Button } from '../../ui/Button.tsx';
import { Icon } from '../../ui/Icon.tsx';

export type HeadAct = {
  label: string;
  name?: string;
  /** For the focus: shared with what takes its place. */
  seat?: string;
  run: () => void;
};

/** The name of a group, how many, and what can be done with all of them. */
export function GroupHead(props: {
  title: string;
  count: number;
  /** What else stands in the group, and is not counted as what its name says. */
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

/** More finished ones than fit on a screen, as a line. */
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
