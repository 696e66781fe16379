import { useEffect, useState } from 'react';
import type { AppError } from '../../../shared/errors.ts';
import { detailTexts as texts } from '../../i18n/object-texts.ts';
import type { ObjectRow, Output } from '../../../shared/contract.ts';
import { useClient } from '../../app/client.ts';
import { asAppError } from '../../app/mirror.ts';
import { errorText } from '../../i18n/error-text.ts';

/** `error` null: it came, and cannot be shown. */
type Shown =
  { kind: 'image'; url: string } | { kind: 'text'; text: string } | { kind: 'none'; error: AppError | null };

/** So that going through the list with the arrow keys fetches nothing on the way. */
const settledAfterMs = 250;
/** Text that is longer than its frame is scrolled by keyboard too. */
const scrollableRegion = { role: 'region', tabIndex: 0 } as const;

/** Text or a picture, never a document that runs; else why there is none. Another object needs another key. */
export function Preview({ object }: { object: ObjectRow }) {
  const client = useClient();
  const [shown, setShown] = useState<Shown | null>(null);
  const { id, identifier } = object;

  useEffect(() => {
    let live = true;
    const timer = setTimeout(() => {
      client
        .call('objects.preview', { id })
        .then(load)
        .catch((cause: unknown): Shown => ({ kind: 'none', error: asAppError(cause) }))
        .then(
          (loaded) => live && setShown(loaded),
          () => undefined,
        );
    }, settledAfterMs);
    return () => {
      live = false;
      clearTimeout(timer);
    };
  }, [client, id]);

  switch (shown?.kind) {
    case 'image':
      return (
        <figure className="preview">
          <img
            src={shown.url}
            alt={texts.preview({ identifier })}
            onError={() => setShown({ kind: 'none', error: null })}
          />
        </figure>
      );
    case 'text':
      return (
        <figure className="preview">
          <pre {...scrollableRegion} className="selectable" aria-label={texts.preview({ identifier })}>
            {shown.text}
          </pre>
        </figure>
      );
    case 'none':
      return (
        <p className="preview-none">
          {texts.noPreview({ why: shown.error === null ? texts.previewFailed : errorText(shown.error).what })}
        </p>
      );
    case undefined:
      return <p className="preview-none" aria-hidden="true" />;
  }
}

async function load({ kind, url }: Output<'objects.preview'>): Promise<Shown> {
  if (kind === 'image') return { kind, url };
  const answer = await fetch(url);
  return answer.ok ? { kind, text: await answer.text() } : { kind: 'none', error: null };
}
