import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type { ObjectRow } from '../../../../shared/contract.ts';
import { useClient } from '../../../app/client.ts';
import { detailTexts as texts } from '../../../i18n/detail-texts.ts';
import { MemoryExceeded } from './memory-limit.ts';
import type { DrawnPage } from './pdf-page.ts';
import { scrollable } from '../../../ui/scrollable.ts';
import { keepPicture } from './thumbnails.ts';

type Props = {
  bytes: Blob;
  object: ObjectRow;
  /** All pages, rather than the first one. */
  isLarge: boolean;
  /** Called if the first page cannot be drawn within the limits. */
  onBad: (why: 'badPdf' | 'slowPdf' | 'largePdf') => void;
};

/** Longer documents are read in another program. */
const maxPages = 500;
/** Of A4, until a page is drawn. */
const usualRatio = 210 / 297;
/** Pages are drawn one screen before they come into view. */
const nearby = { scrollMargin: '100%' };

function whyBad(cause: unknown): 'badPdf' | 'slowPdf' | 'largePdf' {
  if (cause instanceof MemoryExceeded) return 'largePdf';
  return cause instanceof DOMException && cause.name === 'TimeoutError' ? 'slowPdf' : 'badPdf';
}

/** The first page of a PDF, or all pages one below the other, as pictures. */
export function PdfPages({ bytes, object, isLarge, onBad }: Props) {
  const [first, setFirst] = useState<{ pageCount: number; ratio: number } | null>(null);
  const { pageCount, ratio } = first ?? { pageCount: 1, ratio: usualRatio };
  const shownCount = isLarge ? Math.min(pageCount, maxPages) : 1;
  return (
    <figure className="preview preview--pages">
      <div
        {...(isLarge && scrollable)}
        className={isLarge ? 'preview__scroll' : ''}
        aria-label={texts.preview(object)}
      >
        {Array.from({ length: shownCount }, (_, at) => (
          <Page
            key={at}
            bytes={bytes}
            number={at + 1}
            label={at === 0 ? texts.preview(object) : texts.page({ page: at + 1, pages: pageCount })}
            usualRatio={isLarge ? ratio : null}
            onDrawn={({ canvas, pageCount: pages }) => {
              if (at > 0) return;
              setFirst({ pageCount: pages, ratio: canvas.width / canvas.height });
              keepPicture(object, canvas).catch(() => undefined);
            }}
            onBad={(cause) => at === 0 && onBad(whyBad(cause))}
          />
        ))}
      </div>
      {first === null && !isLarge && <figcaption>{texts.loadingPreview}</figcaption>}
      {first !== null && pageCount > shownCount && (
        <figcaption>{texts.firstPages({ count: shownCount, pages: pageCount })}</figcaption>
      )}
    </figure>
  );
}

type PageProps = {
  bytes: Blob;
  number: number;
  label: string;
  /** Of width to height, until it is drawn; null: as the picture has room. */
  usualRatio: number | null;
  onDrawn: (drawn: DrawnPage) => void;
  onBad: (cause: unknown) => void;
};

/** Drawn while it is near the view; a page that was scrolled away keeps its place, but not its picture. */
function Page({ bytes, number, label, usualRatio: ratioBefore, onDrawn, onBad }: PageProps) {
  const client = useClient();
  const place = useRef<HTMLDivElement>(null);
  const [isNear, setNear] = useState(false);
  const [isBad, setBad] = useState(false);
  const [ratio, setRatio] = useState<number | null>(null);
  useEffect(() => {
    const { current } = place;
    if (current === null) return undefined;
    const observer = new IntersectionObserver(
      (entries) => setNear(entries.at(-1)?.isIntersecting === true),
      nearby,
    );
    observer.observe(current);
    return () => observer.disconnect();
  }, []);

  const show = useEffectEvent((drawn: DrawnPage) => {
    const { canvas } = drawn;
    canvas.role = 'img';
    canvas.ariaLabel = label;
    place.current?.replaceChildren(canvas);
    setRatio(canvas.width / canvas.height);
    onDrawn(drawn);
  });
  const fail = useEffectEvent((cause: unknown) => {
    setBad(true);
    onBad(cause);
  });
  useEffect(() => {
    const { current } = place;
    if (!isNear) return undefined;
    const gone = new AbortController();
    import('./pdf-page.ts')
      .then(({ drawPage }) => drawPage(client, bytes, number, gone.signal))
      .then(
        (drawn) => gone.signal.aborted || show(drawn),
        (cause) => gone.signal.aborted || fail(cause),
      );
    return () => {
      gone.abort();
      current?.replaceChildren();
    };
  }, [client, bytes, number, isNear]);
  return (
    <div className="preview__page" style={ratioBefore === null ? {} : { aspectRatio: ratio ?? ratioBefore }}>
      <div ref={place} />
      {isBad && <p>{texts.badPage}</p>}
    </div>
  );
}
