import type { ReactNode } from 'react';
import { Icon } from './Icon.tsx';
import type { IconName } from './icons.tsx';
import './state.css';

/** stored: normal is quiet, the icon alone is green. */
type StateTone = 'stored' | 'bad' | 'wait' | 'idle' | 'moving';

/** Always icon and word; colour comes third. */
export function State({ icon, tone, children }: { icon: IconName; tone: StateTone; children: ReactNode }) {
  return (
    <span className={`state state--${tone}`}>
      <Icon name={icon} />
      {children}
    </span>
  );
}
