import { findMarks } from './palette-match.ts';

/** Highlights the typed text at the start of words. */
export function Marked({ text, typed }: { text: string; typed: string }) {
  return findMarks(text, typed).map(({ from, to, isMarked }) => {
    const part = text.slice(from, to);
    return isMarked ? <mark key={from}>{part}</mark> : part;
  });
}

export function MarkedIdentifier({
  identifier,
  separator,
  typed,
}: {
  identifier: string;
  separator: string;
  typed: string;
}) {
  const end = identifier.lastIndexOf(separator) + separator.length;
  const leafAt = end < separator.length || end === identifier.length ? 0 : end;
  const leaf = identifier.slice(leafAt);
  return (
    <bdi dir="ltr">
      <span className="palette__folder">{identifier.slice(0, leafAt)}</span>
      <Marked text={leaf} typed={typed} />
    </bdi>
  );
}
