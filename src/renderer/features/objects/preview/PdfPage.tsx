import { useEffect, useEffectEvent, useState } from 'react';
import type { ObjectRow } from '../../../../shared/contract.ts';
import { detailTexts as texts } from '../../../i18n/detail-texts.ts';
import { keepPicture } from './thumbnails.ts';

type Props = {
  bytes: Blob;
  object: ObjectRow;
  /** Called if it cannot be drawn, or not in time. */
  onBad: () => void;
};

/** The first page of a PDF, as a picture. */
export function PdfPage({ bytes, object, onBad }: Props) {
  const [page, setPage] = useState<HTMLCanvasElement | null>(null);
  const show = useEffectEvent((drawn: HTMLCanvasElement) => {
    drawn.role = 'img';
    drawn.ariaLabel = texts.preview(object);
    setPage(drawn);
    keepPicture(object, drawn).catch(() => undefined);
  });
  const fail = useEffectEvent(onBad);
  useEffect(() => {
    const gone = new AbortController();
    import('./pdf-page.ts')
      .then(({ drawFirstPage }) => drawFirstPage(bytes, gone.signal))
      .then(
        (drawn) => gone.signal.aborted || show(drawn),
        () => gone.signal.aborted || fail(),
      );
    return () => gone.abort();
  }, [bytes]);
  if (page === null) return <p className="preview preview--wait">{texts.loadingPreview}</p>;
  return (
    <figure className="preview preview--page">
      <div ref={(place) => place?.replaceChildren(page)} />
      <figcaption>{texts.firstPage}</figcaption>
    </figure>
  );
}
