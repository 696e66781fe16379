import './key-hint.css';

/** Renders `Ctrl+K` as keys. Decorative: `aria-keyshortcuts` on the control serves assistive technology. */
export function KeyHint({ keys }: { keys: string }) {
  return (
    <span className="keys" aria-hidden="true">
      {keys.split('+').map((key) => (
        <kbd key={key} className="key">
          {key}
        </kbd>
      ))}
    </span>
  );
}
