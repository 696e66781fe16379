import type { ReactNode } from 'react';
import { Icon } from './Icon.tsx';
import type { IconName } from './icons.tsx';
import { CofferRelief, type ReliefSymbol } from './Relief.tsx';
import './empty-state.css';

/** One sentence that says what to do, at most two buttons, keys below. With an icon it is the small one of the dock. */
export function EmptyState(props: {
  icon?: IconName;
  /** In the large picture, which stands where there is no icon. */
  symbol?: ReliefSymbol;
  title: string;
  text?: ReactNode;
  buttons?: ReactNode;
  keys?: ReactNode;
}) {
  const { icon, symbol = 'arrow', title, text, buttons, keys } = props;
  return (
    <div className={`empty ${icon === undefined ? '' : 'empty--small'}`}>
      {icon === undefined ? <CofferRelief symbol={symbol} /> : <Icon name={icon} size={24} />}
      <h2 className="empty__title">{title}</h2>
      {text !== undefined && <p className="empty__text">{text}</p>}
      {buttons !== undefined && <div className="empty__do">{buttons}</div>}
      {keys !== undefined && <div className="empty__keys">{keys}</div>}
    </div>
  );
}
