import { useServices } from '../../../app/stores.ts';
import { useMovingObject } from '../../../app/use-progress.ts';
import { objectTexts } from '../../../i18n/object-texts.ts';
import { splitLeaf } from '../../../ui/identifier-parts.ts';
import { Bar } from '../../../ui/Progress.tsx';
import { useRootClass } from '../../../ui/root-class.ts';
import { useRowDragLabel, type DraggedRows } from './use-row-drag.ts';
import './row-drag.css';

const texts = objectTexts.takeOut;

/** Room needed beside and below the pointer for the largest label, in px; otherwise it goes to the other side. */
const room = { width: 260, height: 80 };

/** The label at the pointer of a drag. If the pointer leaves the window, it stays at the edge. */
export function RowDragLabel() {
  const { shown } = useRowDragLabel();
  useRootClass('has-row-drag', shown !== null);
  if (shown === null) return null;
  const { rows, isFetching } = shown;
  const x = Math.max(0, Math.min(shown.x, window.innerWidth));
  const y = Math.max(0, Math.min(shown.y, window.innerHeight));
  const isBefore = x > window.innerWidth - room.width;
  const isAbove = y > window.innerHeight - room.height;
  const [head, tail] = splitLeaf(rows.label);
  return (
    <div
      className={`row-drag ${isBefore ? 'row-drag--before' : ''} ${isAbove ? 'row-drag--above' : ''}`}
      dir="ltr"
      aria-hidden="true"
      style={{ ['--x' as string]: `${x}px`, ['--y' as string]: `${y}px` }}
    >
      <bdi className="row-drag__label">
        <span className="row-drag__head" dir="auto">
          {head}
        </span>
        {tail}
      </bdi>
      {isFetching && <Fetching rows={rows} />}
    </div>
  );
}

/** With the progress of a single object: of several, those that have not begun tell no size. */
function Fetching({ rows: { serviceId, selection } }: { rows: DraggedRows }) {
  const { services } = useServices();
  const id = selection.kind === 'ids' && selection.ids.length === 1 ? (selection.ids[0] ?? null) : null;
  const { doneBytes = 0, totalBytes = null } = useMovingObject(id) ?? {};
  const isUnreachable = services.some(
    (service) => service.id === serviceId && service.connection === 'unreachable',
  );
  return (
    <>
      <span dir="auto">{isUnreachable ? texts.unreachable : texts.fetching}</span>
      <Bar fraction={totalBytes ? doneBytes / totalBytes : null} />
    </>
  );
}
