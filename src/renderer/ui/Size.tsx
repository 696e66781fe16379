import './size.css';

/** A quantity whose number and unit stand in columns of their own. */
export function Size({ number, unit }: { number: string; unit: string }) {
  return (
    <span className="size figures">
      {number} <span className="size__unit">{unit}</span>
    </span>
  );
}
