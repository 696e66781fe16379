import { useEffect, useEffectEvent, useState } from 'react';
import type { ObjectRow } from '../../../../shared/contract.ts';
import { detailTexts as texts } from '../../../i18n/detail-texts.ts';
import { useClient } from '../../../app/client.ts';
import { MemoryExceeded } from './memory-limit.ts';
import { keepPicture } from './thumbnails.ts';

type Props = {
  bytes: Blob;
  object: ObjectRow;
  /** Called if it cannot be drawn within the limits. */
  onBad: (why: 'badPdf' | 'slowPdf' | 'largePdf') => void;
};

function whyBad(cause: unknown): 'badPdf' | 'slowPdf' | 'largePdf' {
  if (cause instanceof MemoryExceeded) return 'largePdf';
  return cause instanceof DOMException && cause.name === 'TimeoutError' ? 'slowPdf' : 'badPdf';
}

/** The first page of a PDF, as a picture. */
export function PdfPage({ bytes, object, onBad }: Props) {
  const client = useClient();
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
      .then(({ drawFirstPage }) => drawFirstPage(client, bytes, gone.signal))
      .then(
        (drawn) => gone.signal.aborted || show(drawn),
        (cause) => gone.signal.aborted || fail(whyBad(cause)),
      );
    return () => gone.abort();
  }, [client, bytes]);
  if (page === null) return <p className="preview preview--wait">{texts.loadingPreview}</p>;
  return (
    <figure className="preview preview--page">
      <div ref={(place) => place?.replaceChildren(page)} />
      <figcaption>{texts.firstPage}</figcaption>
    </figure>
  );
}
