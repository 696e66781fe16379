import { useEffect, useLayoutEffect, useRef } from 'react';
import type { ObjectRow } from '../../../../shared/contract.ts';
import { useClient } from '../../../app/client.ts';
import { mayHaveThumbnail } from '../../../../shared/domain/preview.ts';
import { fileIcon } from '../../../app/file-kind.ts';
import { Icon } from '../../../ui/Icon.tsx';
import { useKeptThumbnail, wishForThumbnail } from './thumbnails.ts';

/** Delay in ms, so that scrolling through the list loads nothing on the way. */
const settledAfterMs = 200;
/** Pictures narrower than a tile, in pixels, are not enlarged. */
const smallPx = 120;

/** A small picture of an object, or the beginning of its text; otherwise the icon of its kind. */
export function Thumbnail({ row }: { row: ObjectRow }) {
  const client = useClient();
  const { id, sha256, state } = row;
  const isShowable = state === 'stored' && mayHaveThumbnail(row.identifier);
  const kept = useKeptThumbnail(row);
  useEffect(() => {
    if (!isShowable) return undefined;
    let withdraw = () => {};
    const timer = setTimeout(() => (withdraw = wishForThumbnail(client, { id, sha256 })), settledAfterMs);
    return () => {
      clearTimeout(timer);
      withdraw();
    };
  }, [client, id, sha256, isShowable]);
  return (
    <span className="tile__picture" aria-hidden="true">
      {kept?.kind === 'picture' && <Picture bitmap={kept.bitmap} />}
      {kept?.kind === 'text' && <pre dir="auto">{kept.text}</pre>}
      {kept === undefined && <Icon name={fileIcon(row)} size={24} />}
    </span>
  );
}

function Picture({ bitmap }: { bitmap: ImageBitmap }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useLayoutEffect(() => {
    canvas.current?.getContext('2d')?.drawImage(bitmap, 0, 0);
  }, [bitmap]);
  const { width, height } = bitmap;
  return <canvas ref={canvas} className={width < smallPx ? 'is-small' : ''} width={width} height={height} />;
}
