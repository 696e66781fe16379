import { useEffect, useEffectEvent, type DragEvent as RowDragEvent } from 'react';
import { folderUnder, useDropFolder } from '../../../app/drop-folder.ts';
import './row-drag.css';

/** Rows of another window, whose type is another one, are not dropped here. */
const rowsType = `application/x-coffer-rows-${crypto.randomUUID()}`;

/** Rows can be dragged onto a folder of the sidebar, or of the path above the list. */
export function useRowDrop(drop: (folder: string) => void): void {
  const onDrop = useEffectEvent(drop);
  useEffect(() => {
    function over(event: DragEvent) {
      if (!hasRows(event)) return;
      const folder = folderUnder(event);
      useDropFolder.setState({ folder: folder ?? null });
      if (folder !== undefined) event.preventDefault();
    }
    function dropRows(event: DragEvent) {
      const folder = folderUnder(event);
      if (!hasRows(event) || folder === undefined) return;
      event.preventDefault();
      onDrop(folder);
    }
    const end = () => useDropFolder.setState({ folder: null });
    const stop = new AbortController();
    const { signal } = stop;
    window.addEventListener('dragover', over, { signal });
    window.addEventListener('drop', dropRows, { signal });
    window.addEventListener('dragend', end, { signal });
    return () => stop.abort();
  }, []);
}

function hasRows({ dataTransfer }: DragEvent): boolean {
  return dataTransfer?.types.includes(rowsType) ?? false;
}

/** @param label what is shown at the pointer */
export function beginRowDrag({ dataTransfer }: RowDragEvent, label: string): void {
  dataTransfer.effectAllowed = 'move';
  dataTransfer.setData(rowsType, label);
  const image = document.createElement('div');
  image.className = 'row-drag';
  image.textContent = label;
  document.body.append(image);
  dataTransfer.setDragImage(image, -12, 8);
  // The browser paints it after this event.
  requestAnimationFrame(() => image.remove());
}
