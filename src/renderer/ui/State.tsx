import type { ReactNode } from 'react';
import { Icon } from './Icon.tsx';
import type { IconName } from './icons.tsx';
import './state.css';

/** stored is the normal state: only its icon is green. */
type StateTone = 'stored' | 'bad' | 'wait' | 'idle' | 'moving';

/** Icon and word together carry the meaning; colour only supports them. */
export function State(props: {
  icon: IconName;
  tone: StateTone;
  title?: string | undefined;
  children: ReactNode;
}) {
  const { icon, tone, title, children } = props;
  return (
    <span className={`state state--${tone}`} title={title}>
      <Icon name={icon} />
      {children}
    </span>
  );
}
