import { icons, type IconName } from './icons.tsx';
import './icon.css';

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
    <svg className={`icon icon--${size} ${className ?? ''}`} viewBox="0 0 16 16" aria-hidden="true">
      {icons[name]}
    </svg>
  );
}
