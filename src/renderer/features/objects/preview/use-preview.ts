import { useEffect, useState } from 'react';
import type { ObjectRow, Output } from '../../../../shared/contract.ts';
import type { AppError } from '../../../../shared/errors.ts';
import { useClient, type Client } from '../../../app/client.ts';
import { asAppError } from '../../../app/remote-store.ts';

/** `error` null: it was fetched, but cannot be shown. */
type Shown =
  | { kind: 'image'; url: string }
  | { kind: 'text'; text: string }
  | { kind: 'badPicture' }
  | { kind: 'none'; error: AppError | null };

/** Delay in ms, so that moving through the list with the arrow keys fetches nothing on the way. */
const settledAfterMs = 250;

/** The preview of an object: fetched at once if it is asked for, after a delay if `isAutomatic`, else on request. */
export function usePreview({ id }: Pick<ObjectRow, 'id'>, first: { isAutomatic: boolean; isAsked: boolean }) {
  const client = useClient();
  const [shown, setShown] = useState<Shown | null>(null);
  /** Number of requests by the person. */
  const [asked, setAsked] = useState(first.isAsked ? 1 : 0);
  const isWanted = (first.isAutomatic || asked > 0) && shown === null;

  useEffect(() => {
    if (!isWanted) return undefined;
    let live = true;
    const timer = setTimeout(
      () => {
        void fetchPreview(client, id).then((found) => live && setShown(found));
      },
      asked > 0 ? 0 : settledAfterMs,
    );
    return () => {
      live = false;
      clearTimeout(timer);
    };
  }, [client, id, isWanted, asked]);

  return {
    shown,
    isAsked: asked > 0,
    ask: () => {
      setShown(null);
      setAsked((before) => before + 1);
    },
    refuse: setShown,
  };
}

async function fetchPreview(client: Client, id: number): Promise<Shown> {
  try {
    return await load(await client.call('objects.preview', { id }));
  } catch (cause) {
    return { kind: 'none', error: asAppError(cause) };
  }
}

async function load({ kind, url }: Output<'objects.preview'>): Promise<Shown> {
  if (kind === 'image') return { kind, url };
  const answer = await fetch(url);
  return answer.ok ? { kind, text: await answer.text() } : { kind: 'none', error: null };
}
