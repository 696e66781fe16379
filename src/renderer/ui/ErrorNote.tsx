import type { ReactNode } from 'react';
import { Icon } from './Icon.tsx';
import './error-note.css';

/** An error shown where it occurred: what happened, why, and one remedy. The caller announces it. */
export function ErrorNote(props: {
  title: string;
  what?: string;
  next?: string | undefined;
  button?: ReactNode;
}) {
  const { title, what, next, button } = props;
  return (
    <div className="error-note">
      <Icon name="fail" />
      <div className="error-note__text">
        <p className="error-note__title">{title}</p>
        {what !== undefined && <p>{what}</p>}
        {next !== undefined && <p>{next}</p>}
      </div>
      {button}
    </div>
  );
}
