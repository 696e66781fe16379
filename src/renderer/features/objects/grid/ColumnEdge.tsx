import { useState, type KeyboardEvent, type PointerEvent } from 'react';
import { alongLine, inlineKey } from '../../../app/inline-key.ts';
import { objectTexts } from '../../../i18n/object-texts.ts';
import { columnWidthMin } from './columns.ts';

const texts = objectTexts.columns;

const stepPx = 8;

type Props = {
  /** Name of the column. */
  name: string;
  widthPx: number;
  maxPx: number;
  /** null: the default width. `isFinal`: false during a drag. */
  onWidth: (widthPx: number | null, isFinal: boolean) => void;
};

/** The handle before a heading that sets the column's width, with the pointer or the arrow keys. */
export function ColumnEdge({ name, widthPx, maxPx, onWidth }: Props) {
  const [dragging, setDragging] = useState<{ fromX: number; fromPx: number } | null>(null);

  function takeKey(event: KeyboardEvent) {
    const way = inlineKey(event.key);
    if (way !== null) onWidth(widthPx + (way === 'start' ? stepPx : -stepPx), true);
    else if (event.key === 'Home') onWidth(columnWidthMin, true);
    else if (event.key === 'End') onWidth(maxPx, true);
    else if (event.key === 'Enter') onWidth(null, true);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  function startDragging(event: PointerEvent) {
    event.currentTarget.setPointerCapture(event.pointerId);
    setDragging({ fromX: event.clientX, fromPx: widthPx });
  }

  function drag(event: PointerEvent, isFinal: boolean) {
    if (dragging === null) return;
    const byPx = alongLine(dragging.fromX - event.clientX);
    if (byPx !== 0 || widthPx !== dragging.fromPx) onWidth(dragging.fromPx + byPx, isFinal);
    if (isFinal) setDragging(null);
  }

  const control = { onKeyDown: takeKey, onDoubleClick: () => onWidth(null, true) };
  return (
    <span
      {...edgeRole}
      {...control}
      aria-label={texts.width({ column: name })}
      aria-valuenow={widthPx}
      aria-valuemin={columnWidthMin}
      aria-valuemax={maxPx}
      aria-valuetext={texts.pixels({ count: widthPx })}
      title={texts.resize}
      className="object-head__edge"
      onPointerDown={startDragging}
      onPointerMove={(event) => drag(event, false)}
      onPointerUp={(event) => drag(event, true)}
      onPointerCancel={(event) => drag(event, true)}
    />
  );
}

/** A movable separator is a control, which `hr` is not. */
const edgeRole = { role: 'separator', 'aria-orientation': 'vertical', tabIndex: 0 } as const;
