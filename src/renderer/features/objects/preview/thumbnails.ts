import { create } from 'zustand';
import type { ObjectRow } from '../../../../shared/contract.ts';
import type { Client } from '../../../app/client.ts';

export type Thumbnail = { kind: 'picture'; bitmap: ImageBitmap } | { kind: 'text'; text: string };
type Content = Pick<ObjectRow, 'id' | 'sha256'>;

/** Width in pixels: of a wide tile on a display with two pixels for each of ours. */
const widthPx = 320;
/** How much of a text is shown. */
const letters = 1200;
/** In memory only, and the oldest go first: a picture of these takes up to 300 KB. */
const maxKept = 200;

const useKept = create<ReadonlyMap<string, Thumbnail>>()(() => new Map());

const keyOf = ({ id, sha256 }: Content) => `${id} ${sha256}`;

export function useKeptThumbnail(object: Content): Thumbnail | undefined {
  return useKept((kept) => kept.get(keyOf(object)));
}

function keep(object: Content, thumbnail: Thumbnail): void {
  const key = keyOf(object);
  useKept.setState(
    (kept) =>
      new Map(
        [...kept]
          .filter(([other]) => other !== key)
          .slice(1 - maxKept)
          .concat([[key, thumbnail]]),
      ),
    true,
  );
}

export function keepText(object: Content, text: string): void {
  keep(object, { kind: 'text', text: text.slice(0, letters) });
}

/** @throws if it cannot be decoded */
export async function keepPicture(object: Content, source: ImageBitmapSource): Promise<void> {
  const whole = await createImageBitmap(source);
  // A tile shows the middle of a wide picture, and the beginning of a high one.
  const width = Math.min(whole.width, whole.height * 2);
  const height = Math.min(whole.height, whole.width);
  const left = Math.floor((whole.width - width) / 2);
  const bitmap = await createImageBitmap(whole, left, 0, width, height, {
    resizeWidth: Math.min(width, widthPx),
    resizeQuality: 'medium',
  });
  whole.close();
  keep(object, { kind: 'picture', bitmap });
}

/** Asks for the thumbnail of an object, and keeps it, if there is one. */
async function load(client: Client, object: Content): Promise<void> {
  const { preview } = await client.call('objects.preview', { id: object.id, mayFetch: false });
  if (preview === null) return;
  const answer = await fetch(preview.url);
  if (!answer.ok) return;
  if (preview.kind === 'text') keepText(object, await answer.text());
  else await keepPicture(object, await answer.blob());
}

type Wish = { client: Client; object: Content };
/** The newest last. */
const wishes: Wish[] = [];
const atOnce = 2;
let running = 0;

/**
 * Loads the thumbnail of an object: the newest wish first, as what was scrolled away matters least. Without a thumbnail, or after a
 * failure, the tile shows an icon until it is wished for again.
 * @returns withdraws the wish if it has not begun
 */
export function wishForThumbnail(client: Client, object: Content): () => void {
  const wish = { client, object };
  wishes.push(wish);
  void runWishes();
  return () => {
    const at = wishes.indexOf(wish);
    if (at >= 0) wishes.splice(at, 1);
  };
}

async function runWishes(): Promise<void> {
  if (running >= atOnce) return;
  running += 1;
  for (let wish = wishes.pop(); wish !== undefined; wish = wishes.pop()) {
    await load(wish.client, wish.object).catch(() => undefined);
  }
  running -= 1;
}
