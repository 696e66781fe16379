import { useServices } from '../../../app/stores.ts';
import { objectTexts } from '../../../i18n/object-texts.ts';
import { splitLeaf } from '../../../ui/identifier-parts.ts';
import { Bar } from '../../../ui/Progress.tsx';
import { useRowDragLabel } from './use-row-drag.ts';
import './row-drag.css';

const texts = objectTexts.takeOut;

/** Room needed beside and below the pointer for the largest label, in px; otherwise it goes to the other side. */
const room = { width: 260, height: 80 };

/** The label at the pointer of a drag. If the pointer leaves the window, it stays at the edge. */
export function RowDragLabel() {
  const { shown } = useRowDragLabel();
  const { services } = useServices();
  if (shown === null) return null;
  const { label, serviceId, isFetching } = shown;
  const isUnreachable = services.some(
    ({ id, connection }) => id === serviceId && connection === 'unreachable',
  );
  const x = Math.max(0, Math.min(shown.x, window.innerWidth));
  const y = Math.max(0, Math.min(shown.y, window.innerHeight));
  const isBefore = x > window.innerWidth - room.width;
  const isAbove = y > window.innerHeight - room.height;
  const [head, tail] = splitLeaf(label);
  return (
    <div
      className={`row-drag ${isBefore ? 'row-drag--before' : ''} ${isAbove ? 'row-drag--above' : ''}`}
      dir="ltr"
      aria-hidden="true"
      style={{ ['--x' as string]: `${x}px`, ['--y' as string]: `${y}px` }}
    >
      <bdi className="row-drag__label">
        <span className="row-drag__head">{head}</span>
        {tail}
      </bdi>
      {isFetching && (
        <>
          <span dir="auto">{isUnreachable ? texts.unreachable : texts.fetching}</span>
          <Bar fraction={null} />
        </>
      )}
    </div>
  );
}
