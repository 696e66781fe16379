import { useEffect, useState } from 'react';
import type { ObjectRow } from '../../../../shared/contract.ts';
import type { AppError } from '../../../../shared/errors.ts';
import { useClient, type Client } from '../../../app/client.ts';
import { asAppError } from '../../../app/remote-store.ts';
import { keepText } from './thumbnails.ts';

/** Found, but not to be shown; `slow…` and `large…`: within the limits. */
export const badKinds = ['badPicture', 'badMedia', 'largeMedia', 'badPdf', 'slowPdf', 'largePdf'] as const;
type BadKind = (typeof badKinds)[number];

/** `none` with `error` null: found, but not readable at its address. */
type Shown = (
  | { kind: 'image'; url: string }
  | { kind: 'text'; text: string }
  | { kind: 'pdf'; bytes: Blob }
  /** A string is an address that supports range requests. */
  | { kind: 'audio' | 'video'; source: Blob | string }
  | { kind: BadKind }
  | { kind: 'none'; error: AppError | null }
) & { isFetched?: boolean };

/** Delay in ms, so that moving through the list with the arrow keys loads nothing on the way. */
const settledAfterMs = 150;

type Content = Pick<ObjectRow, 'id' | 'sha256'>;

/**
 * The preview of an object: from this computer if possible, from the service only on request or if it `mayBeFetched`.
 * @param first.isLookedFor whether to read local files without a request
 */
export function usePreview(
  { id, sha256 }: Content,
  first: { isLookedFor: boolean; mayBeFetched: boolean; isAsked: boolean },
) {
  const client = useClient();
  const [shown, setShown] = useState<Shown | null>(null);
  /** Whether it is known not to be on this computer. */
  const [isAway, setAway] = useState(false);
  /** Number of requests by the person. */
  const [asked, setAsked] = useState(first.isAsked ? 1 : 0);
  const mayFetch = first.mayBeFetched || asked > 0;
  const isWanted = shown === null && (mayFetch || (first.isLookedFor && !isAway));

  useEffect(() => {
    if (!isWanted) return undefined;
    let live = true;
    const timer = setTimeout(
      () => {
        void findPreview(client, { id, sha256 }, mayFetch).then((found) => {
          if (!live) return;
          if (found === null) setAway(true);
          else setShown(found);
        });
      },
      asked > 0 ? 0 : settledAfterMs,
    );
    return () => {
      live = false;
      clearTimeout(timer);
    };
  }, [client, id, sha256, isWanted, mayFetch, asked]);

  return {
    shown,
    /** Whether it came from the service, rather than from this computer. */
    isFetched: shown?.isFetched === true,
    /** Whether it is still being looked for. */
    isLoading: isWanted,
    isAsked: asked > 0,
    ask: () => {
      setShown(null);
      setAsked((before) => before + 1);
    },
    refuse: setShown,
  };
}

/** null: it would have to be fetched, and `mayFetch` is false. */
async function findPreview(client: Client, object: Content, mayFetch: boolean): Promise<Shown | null> {
  try {
    const { preview } = await client.call('objects.preview', { id: object.id, mayFetch });
    if (preview === null) return null;
    const { kind, url, isFetched = false } = preview;
    if (kind === 'image') return { kind, url, isFetched };
    const isPlayed = kind === 'audio' || kind === 'video';
    if (isPlayed && preview.isInPieces === true) return { kind, source: url };
    const answer = await fetch(url);
    if (!answer.ok) return { kind: 'none', error: null };
    if (isPlayed) return { kind, source: await answer.blob(), isFetched };
    if (kind === 'pdf') return { kind, bytes: await answer.blob(), isFetched };
    const text = await answer.text();
    keepText(object, text);
    return { kind, text, isFetched };
  } catch (cause) {
    return { kind: 'none', error: asAppError(cause) };
  }
}
