import './size.css';

/** A quantity with its number and unit in separate columns. */
export function Size({ number, unit }: { number: string; unit: string }) {
  return (
    <span className="size figures">
      {number} <span className="size__unit">{unit}</span>
    </span>
  );
}
