import type { ReactNode } from 'react';
import { Icon } from './Icon.tsx';
import type { IconName } from './icons.tsx';
import { CofferRelief, type ReliefSymbol } from './Relief.tsx';
import './empty-state.css';

/** At most two sentences, two buttons or a few ways, and key hints. With an icon it is the compact form used in the dock. */
export function EmptyState(props: {
  icon?: IconName;
  /** Symbol in the large illustration that replaces a missing icon. */
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
