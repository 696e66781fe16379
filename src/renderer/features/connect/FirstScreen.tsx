import type { ReactNode } from 'react';
import { ReliefWall } from '../../ui/Relief.tsx';
import './connect.css';

/** The screen before there is a window: choices on the left, artwork on the right. */
export function FirstScreen({ children }: { children: ReactNode }) {
  return (
    <div className="first">
      <main className="first__left" tabIndex={-1}>
        {children}
      </main>
      <div className="first__right" aria-hidden="true">
        <ReliefWall />
      </div>
    </div>
  );
}
