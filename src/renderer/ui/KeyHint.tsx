import './key-hint.css';

/** `Ctrl+K` as keys. Decoration: `aria-keyshortcuts` on the control tells assistive technology. */
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
