import { create } from 'zustand';
import type { ObjectRow } from '../../../../shared/contract.ts';
import { pageLimitMax } from '../../../../shared/domain/object.ts';
import type { Client } from '../../../app/client.ts';

export type Thumbnail = { kind: 'picture'; bitmap: ImageBitmap } | { kind: 'text'; text: string };
type Content = Pick<ObjectRow, 'id' | 'sha256'>;

/** Width in device pixels of a wide tile at twice the density. */
const widthPx = 320;
/** Number of characters kept of a text. */
const letters = 1200;
/** Kept in memory, the oldest removed first. Enough for all visible tiles; a picture takes up to 400 KB. */
const maxKept = pageLimitMax;
/** Larger pictures are not decoded, at four bytes per pixel. */
const maxPixels = 50_000_000;

const useKept = create<ReadonlyMap<string, Thumbnail>>()(() => new Map());

const keyOf = ({ id, sha256 }: Content) => `${id} ${sha256}`;

export function useKeptThumbnail(object: Content): Thumbnail | undefined {
  return useKept((kept) => kept.get(keyOf(object)));
}

/** Keeps it as the newest. Not for an object without a digest, whose bytes could change unnoticed. */
function keep(object: Content, thumbnail: Thumbnail): void {
  if (object.sha256 === null) return;
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

/** @param image a loaded image or a drawn canvas. @throws if it cannot be decoded */
export async function keepPicture(
  object: Content,
  image: HTMLImageElement | HTMLCanvasElement,
): Promise<void> {
  const isDrawn = image instanceof HTMLCanvasElement;
  const naturalWidth = isDrawn ? image.width : image.naturalWidth;
  const naturalHeight = isDrawn ? image.height : image.naturalHeight;
  if (naturalWidth * naturalHeight > maxPixels) return;
  // A tile shows the middle of a wide picture, and the top of a tall one.
  const width = Math.min(naturalWidth, naturalHeight * 2);
  const height = Math.min(naturalHeight, naturalWidth);
  const left = Math.floor((naturalWidth - width) / 2);
  const bitmap = await createImageBitmap(image, left, 0, width, height, {
    resizeWidth: Math.min(width, widthPx),
    resizeQuality: 'medium',
  });
  keep(object, { kind: 'picture', bitmap });
}

/** Loads without decoding: only the dimensions are known. @throws if it is not an image */
async function loadImage(url: string): Promise<HTMLImageElement> {
  const image = new Image();
  await new Promise((resolve, reject) => {
    image.onload = resolve;
    image.onerror = () => reject(new Error('no picture'));
    image.src = url;
  });
  return image;
}

/** Keeps the thumbnail of an object that is on this computer. Never fetches from a service just to fill a list. */
async function load(client: Client, object: Content): Promise<void> {
  const kept = useKept.getState().get(keyOf(object));
  if (kept !== undefined) return keep(object, kept);
  const { preview } = await client.call('objects.preview', { id: object.id, mayFetch: false });
  if (preview === null) return;
  if (preview.kind === 'image') return keepPicture(object, await loadImage(preview.url));
  if (preview.kind !== 'text' && preview.kind !== 'pdf') return;
  const answer = await fetch(preview.url);
  if (!answer.ok) return;
  if (preview.kind === 'text') return keepText(object, await answer.text());
  const { drawFirstPage } = await import('./pdf-page.ts');
  await keepPicture(object, await drawFirstPage(client, await answer.blob(), new AbortController().signal));
}

type Wish = { client: Client; object: Content };
/** The newest last. */
const wishes: Wish[] = [];
const atOnce = 2;
let running = 0;

/**
 * Requests the thumbnail of an object. The newest request goes first, because older tiles may have been scrolled away. Without a thumbnail
 * or after a failure, the tile shows an icon until the next request. Requesting a kept one makes it the newest.
 * @returns withdraws the request if it has not begun
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
