import { icons, type IconName } from './icons.tsx';
import './icon.css';

/** Directional icons, mirrored in right-to-left layouts. Clocks, rings, checks and vertical arrows are not. */
const turning: ReadonlySet<IconName> = new Set(['right', 'left', 'undo', 'arrow', 'panel', 'sort']);

/** Decorative: the adjacent text or the button's name carries the meaning. */
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
