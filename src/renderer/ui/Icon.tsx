import { icons, type IconName } from './icons.tsx';
import './icon.css';

/** They point along the line, and turn where one reads from the right. Clocks, rings, checks, and arrows up and down do not. */
const turning: ReadonlySet<IconName> = new Set(['right', 'left', 'undo', 'panel', 'columns']);

/** Decoration only: the word beside it, or the name of its button, says what it means. */
export function Icon({
  name,
  size = 16,
  className,
}: {
  name: IconName;
  size?: 12 | 16 | 24;
  className?: string;
}) {
  return (
    <svg
      className={`icon icon--${size} ${turning.has(name) ? 'icon--turns' : ''} ${className ?? ''}`}
      viewBox="0 0 16 16"
      aria-hidden="true"
    >
      {icons[name]}
    </svg>
  );
}
