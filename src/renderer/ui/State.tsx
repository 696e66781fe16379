import type { ReactNode } from 'react';
import { Icon } from './Icon.tsx';
import type { IconName } from './icons.tsx';
import './state.css';

/** stored is the normal state: only its icon is green. */
type StateTone = 'stored' | 'bad' | 'wait' | 'idle' | 'moving';

/** Icon and word together carry the meaning; colour only supports them. */
export function State({ icon, tone, children }: { icon: IconName; tone: StateTone; children: ReactNode }) {
  return (
    <span className={`state state--${tone}`}>
      <Icon name={icon} />
      {children}
    </span>
  );
}
