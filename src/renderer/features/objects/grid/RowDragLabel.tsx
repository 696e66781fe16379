import { objectTexts } from '../../../i18n/object-texts.ts';
import { Bar } from '../../../ui/Progress.tsx';
import { useRowDragLabel } from './use-row-drag.ts';
import './row-drag.css';

/** What the pointer drags, inside of the window, or at the edge where it left. */
export function RowDragLabel() {
  const { shown } = useRowDragLabel();
  if (shown === null) return null;
  const { label, isFetching, x, y } = shown;
  return (
    <div
      className="row-drag"
      dir="ltr"
      aria-hidden="true"
      style={{ ['--x' as string]: `${x}px`, ['--y' as string]: `${y}px` }}
    >
      <bdi className="row-drag__label">{label}</bdi>
      {isFetching && (
        <>
          <span dir="auto">{objectTexts.takeOut.fetching}</span>
          <Bar fraction={null} />
        </>
      )}
    </div>
  );
}
