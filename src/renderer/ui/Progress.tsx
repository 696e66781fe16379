import type { ReactNode } from 'react';
import './progress.css';

/**
 * Progress bar. `fraction` from 0 to 1; null: indeterminate.
 * Without `label` it is decorative: the adjacent text says the same.
 */
export function Bar({
  fraction,
  label,
  isStill = false,
}: {
  fraction: number | null;
  label?: string;
  /** Stalled: keeps its length and loses its colour. */
  isStill?: boolean;
}) {
  const value = fraction === null ? null : Math.min(1, Math.max(0, fraction));
  const aria =
    label === undefined
      ? { 'aria-hidden': true }
      : {
          role: 'progressbar',
          'aria-label': label,
          'aria-valuemin': 0,
          'aria-valuemax': 100,
          ...(value === null ? {} : { 'aria-valuenow': Math.floor(value * 100) }),
        };
  return (
    <span {...aria} className={`bar ${value === null ? 'bar--checking' : ''} ${isStill ? 'bar--still' : ''}`}>
      <i {...(value === null ? {} : { style: { ['--done' as string]: value } })} />
    </span>
  );
}

const radius = 15;
const circumference = 2 * Math.PI * radius;

/**
 * Countdown ring, emptied clockwise from twelve. `left` from 1 (full) to 0 (expired); null: not started, dotted.
 * Decorative: the adjacent text says the same.
 */
export function Ring({
  left,
  tone = 'moving',
  size = 36,
  children,
}: {
  left: number | null;
  tone?: 'moving' | 'wait' | 'bad' | 'ok' | 'idle';
  size?: 16 | 36;
  /** Rendered inside the ring: the minutes left. */
  children?: ReactNode;
}) {
  const shown = left === null ? 0 : Math.min(1, Math.max(0, left));
  return (
    <svg className={`ring ring--${tone} ring--${size}`} viewBox="0 0 36 36" aria-hidden="true">
      <circle
        className="ring__track"
        cx="18"
        cy="18"
        r={radius}
        {...(left === null ? { strokeDasharray: '2 4' } : {})}
      />
      {shown > 0 && (
        <circle
          className="ring__left"
          cx="18"
          cy="18"
          r={radius}
          transform="rotate(-90 18 18) scale(1 -1) translate(0 -36)"
          strokeDasharray={`${shown * circumference} ${circumference}`}
        />
      )}
      {children !== undefined && (
        <text x="18" y="21.5">
          {children}
        </text>
      )}
    </svg>
  );
}
