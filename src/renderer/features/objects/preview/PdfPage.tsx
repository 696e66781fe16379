import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type { ObjectRow } from '../../../../shared/contract.ts';
import { detailTexts as texts } from '../../../i18n/object-texts.ts';
import { keepPicture } from './thumbnails.ts';

type Props = {
  bytes: Blob;
  object: ObjectRow;
  /** It cannot be read, or not in time. */
  onBad: () => void;
};

/** The first page of a PDF, as a picture. */
export function PdfPage({ bytes, object, onBad }: Props) {
  const place = useRef<HTMLDivElement>(null);
  const [isDrawn, setDrawn] = useState(false);
  const show = useEffectEvent((page: HTMLCanvasElement) => {
    page.role = 'img';
    page.ariaLabel = texts.preview(object);
    place.current?.replaceChildren(page);
    setDrawn(true);
    keepPicture(object, page).catch(() => undefined);
  });
  const fail = useEffectEvent(onBad);
  useEffect(() => {
    const gone = new AbortController();
    import('./pdf-page.ts')
      .then(({ drawFirstPage }) => drawFirstPage(bytes, gone.signal))
      .then(
        (page) => gone.signal.aborted || show(page),
        () => gone.signal.aborted || fail(),
      );
    return () => gone.abort();
  }, [bytes]);
  return (
    <figure className="preview preview--page">
      <div ref={place} />
      {isDrawn && <figcaption>{texts.firstPage}</figcaption>}
    </figure>
  );
}
